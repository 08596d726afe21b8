import {describe, expect, test} from 'vitest';
import {checkDate, tokensIn} from '../../../src/flows/sign-in/token-response.ts';

const DAY = 86_400_000;
const issuer = 'https://idp.acme.example';

/** Returns an unsigned token with these claims. */
const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;

describe('what an answer brought', () => {
  test.each<[string, string, object]>([
    [
      'all of it',
      JSON.stringify({refresh_token: 'r', id_token: jwt({iat: 5})}),
      {hasIdToken: true, refreshToken: 'r', issuedAt: 5000},
    ],
    [
      'the later date',
      JSON.stringify({access_token: jwt({iat: 9}), id_token: jwt({iat: 5})}),
      {hasIdToken: true, issuedAt: 9000, accessToken: jwt({iat: 9})},
    ],
    ['an opaque token', JSON.stringify({access_token: 'opaque', token_type: 'Bearer'}), {accessToken: 'opaque'}],
    [
      'a token that is bound to a key',
      JSON.stringify({access_token: 'opaque', token_type: 'dPoP'}),
      {isBound: true, accessToken: 'opaque'},
    ],
    [
      'other types',
      JSON.stringify({refresh_token: 5, access_token: null, id_token: jwt({iat: 'soon'}), token_type: 1}),
      {hasIdToken: true},
    ],
  ])('%s', (_what, body, found) => {
    expect(tokensIn(body)).toEqual({hasIdToken: false, isBound: false, ...found});
  });
});

test.each(['<html>', 'null', '[]'])('%s brought nothing', body => {
  const {hasIdToken = false, isBound = false, ...rest} = tokensIn(body);
  expect({hasIdToken, isBound, rest}).toEqual({hasIdToken: false, isBound: false, rest: {}});
});

describe('a date', () => {
  const check = (issuedAt: number, server: number | undefined, own: number | undefined) => () =>
    checkDate({issuedAt}, issuer, {server, own});

  test('a day ahead of the server’s own clock is refused, whatever this machine’s says', () => {
    expect(check(DAY, 0, DAY)).toThrow(
      expect.objectContaining({
        code: 'platform-invalid-answer',
        message: `${issuer} issued a token with a date 24 h ahead of its own clock.`,
        remedy: 'Ask its operators to check the clocks of its servers.',
      }),
    );
    expect(check(DAY - 1, 0, undefined)).not.toThrow();
    expect(check(-DAY, 0, undefined)).not.toThrow();
  });

  test('counts by this machine’s clock where the server names none, which may be the wrong one', () => {
    expect(check(DAY, undefined, 0)).toThrow(
      expect.objectContaining({code: 'auth-clock', message: expect.stringContaining('this machine’s clock')}),
    );
    expect(check(DAY, undefined, undefined)).not.toThrow();
  });

  test('is nothing to ask for', () => {
    expect(() => checkDate({}, issuer, {server: 0, own: 0})).not.toThrow();
  });
});
