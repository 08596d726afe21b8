import {describe, expect, test} from 'vitest';
import {expiryOf, keyIdOf, payloadOf, refreshTokenEndOf} from '../../../src/domain/sign-in/jwt.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown, header: unknown = {kid: 'key-1'}) => `${part(header)}.${part(claims)}.signature`;

describe('what a JWT says', () => {
  test('is its claims, its key and its end', () => {
    const token = jwt({sub: 'ann', exp: 100});
    expect(payloadOf(token)).toEqual({sub: 'ann', exp: 100});
    expect(keyIdOf(token)).toBe('key-1');
    expect(expiryOf(token)).toBe(100_000);
    expect(refreshTokenEndOf({refreshToken: token})).toBe(100_000);
  });

  test.each(['', 'opaque', 'a.b.c', `x.${part('text')}.x`, `x.${part(null)}.x`])(
    'is nothing where it is none: %j',
    token => {
      expect(payloadOf(token)).toBeUndefined();
      expect([keyIdOf(token), expiryOf(token), refreshTokenEndOf({refreshToken: token})]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  test('is nothing of what it does not say, or says otherwise', () => {
    expect(expiryOf(jwt({exp: 'soon'}))).toBeUndefined();
    expect(keyIdOf(jwt({}, {kid: 1}))).toBeUndefined();
    expect(refreshTokenEndOf({})).toBeUndefined();
  });
});
