import {describe, expect, test} from 'vitest';
import {hasSecrets, isSameSignIn, keyOf, secretKeyOf} from '../../../src/domain/sign-in/credentials.ts';

const key = {issuer: 'https://idp.acme.example', clientId: 'cli'};
const own = {...key, audience: 'https://observer.acme.example/mcp'};

describe('which sign-in it is', () => {
  test('is told by issuer, client and audience, and by nothing else', () => {
    expect(isSameSignIn(key, {...key})).toBe(true);
    expect(isSameSignIn(own, {...own})).toBe(true);
    expect(isSameSignIn(key, {...key, issuer: `${key.issuer}/`})).toBe(false);
    expect(isSameSignIn(key, {...key, clientId: 'CLI'})).toBe(false);
    expect(isSameSignIn(key, own)).toBe(false);
    expect(isSameSignIn(own, {...own, audience: 'https://other.example/mcp'})).toBe(false);
  });

  test('and the key of it holds no more', () => {
    expect(keyOf({...key, ...{accessToken: 'shh'}})).toStrictEqual(key);
    expect(keyOf(own)).toStrictEqual(own);
  });

  test('the secret of a client is kept with its own sign-in', () => {
    expect(secretKeyOf(own)).toStrictEqual(key);
  });
});

test.each(['accessToken', 'refreshToken', 'clientSecret', 'createdSecret'])('%s is a secret', name => {
  expect(hasSecrets({...key, [name]: 'shh'})).toBe(true);
  expect(hasSecrets({...key, account: 'ann', expiresAt: 1})).toBe(false);
  expect(hasSecrets(undefined)).toBe(false);
});
