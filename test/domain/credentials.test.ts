import {describe, expect, test} from 'vitest';
import {findSignIn, hasSecrets, isSameSignIn, keyOf, secretKeyOf} from '../../src/domain/credentials.ts';

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

  test('is told by deployment and account too, where both name one', () => {
    const [here, there] = ['https://api.acme.example', 'https://api.other.example'];
    expect(isSameSignIn({...key, controlPlaneUrl: here}, {...key, controlPlaneUrl: there})).toBe(false);
    expect(isSameSignIn({...key, controlPlaneUrl: here}, key)).toBe(true);
    expect(isSameSignIn({...key, account: 'ann'}, {...key, account: 'bob'})).toBe(false);
    expect(isSameSignIn({...key, account: 'ann'}, key)).toBe(true);
  });

  test('is found among several by what fits best, and of equals the newest', () => {
    const here = {...key, controlPlaneUrl: 'https://api.acme.example'};
    const kept = [
      {...key, account: 'ann', of: 'an earlier version'},
      {...here, account: 'ann', of: 'ann'},
      {...here, account: 'bob', of: 'bob'},
    ];
    expect(findSignIn(kept, here)?.of).toBe('bob');
    expect(findSignIn(kept, {...here, account: 'ann'})?.of).toBe('ann');
    expect(findSignIn(kept, {...key, controlPlaneUrl: 'https://api.other.example'})?.of).toBe('an earlier version');
    expect(findSignIn(kept.slice(1), {...key, controlPlaneUrl: 'https://api.other.example'})).toBeUndefined();
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
