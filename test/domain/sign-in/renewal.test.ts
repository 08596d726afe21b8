import {describe, expect, test} from 'vitest';
import {isRenewable, willBeRenewed} from '../../../src/domain/sign-in/renewal.ts';

/** A refresh token that says when it ends, in seconds since the epoch. */
const ending = (exp: number) => `x.${Buffer.from(JSON.stringify({exp})).toString('base64url')}.x`;

const refused = {at: 1, reason: 'The identity provider refused it (invalid_grant).'};

describe('a sign-in can be renewed', () => {
  test('by a refresh token, or by the secret of its client', () => {
    expect(isRenewable({refreshToken: 'opaque'})).toBe(true);
    expect(isRenewable({clientSecret: 'shh'})).toBe(true);
    expect(isRenewable({})).toBe(false);
  });

  test('not once that was refused, whatever is left of it', () => {
    expect(isRenewable({clientSecret: 'shh', refused})).toBe(false);
    expect(isRenewable({refreshToken: 'opaque', refused})).toBe(false);
    expect(willBeRenewed({clientSecret: 'shh', refused}, 0)).toBe(false);
  });

  test('also by a refresh token that should have ended by our clock, which is promised to nobody', () => {
    expect(isRenewable({refreshToken: ending(100)})).toBe(true);
    expect([99_999, 100_000].map(now => willBeRenewed({refreshToken: ending(100)}, now))).toEqual([true, false]);
    expect(willBeRenewed({refreshToken: 'opaque'}, 100_000)).toBe(true);
    expect(willBeRenewed({refreshToken: ending(100), clientSecret: 'shh'}, 100_000)).toBe(true);
  });
});
