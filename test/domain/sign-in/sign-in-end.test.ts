import {describe, expect, test} from 'vitest';
import {signInEndOf} from '../../../src/domain/sign-in/sign-in-end.ts';

const DAY = 24 * 3_600_000;
const signedInAt = 1_700_000_000_000;
const refreshToken = `x.${Buffer.from(JSON.stringify({exp: 2_000_000_000})).toString('base64url')}.x`;

describe('when a sign-in ends', () => {
  test('is what the token endpoint said, before what the refresh token says', () => {
    expect(signInEndOf({signInEndsAt: 5, refreshToken})).toBe(5);
    expect(signInEndOf({refreshToken})).toBe(2_000_000_000_000);
  });

  test('is what the last two were seen to do, where nobody says it', () => {
    expect(signInEndOf({signedInAt, lasted: [DAY + 60_000, DAY]})).toBe(signedInAt + DAY);
  });

  test.each([
    ['one alone may have ended for another reason', [DAY]],
    ['two that differ follow no rule', [DAY, DAY / 2]],
    ['there was none', []],
  ])('is not known where %s', (_why, lasted) => {
    expect(signInEndOf({signedInAt, lasted})).toBeUndefined();
  });

  test('is not known of one that began nobody knows when', () => {
    expect(signInEndOf({lasted: [DAY, DAY]})).toBeUndefined();
  });
});
