import {describe, expect, test} from 'vitest';
import {signInEndOf, slidesBetween} from '../../../src/domain/sign-in/sign-in-end.ts';

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

  test('is not what is said of a refresh token whose end each renewal puts off', () => {
    expect(signInEndOf({signInEndsAt: 5, refreshToken, slides: true})).toBeUndefined();
    expect(signInEndOf({signInEndsAt: 5, signedInAt, lasted: [DAY, DAY], slides: true})).toBe(signedInAt + DAY);
  });

  test('is not known of one that began nobody knows when', () => {
    expect(signInEndOf({lasted: [DAY, DAY]})).toBeUndefined();
  });
});

describe('two refresh tokens that followed each other', () => {
  const MINUTE = 60_000;

  test.each([
    ['put the end off', 30 * MINUTE, 34 * MINUTE, 4 * MINUTE, true],
    ['end at the same time', 30 * MINUTE, 30 * MINUTE, 4 * MINUTE, false],
    ['end at the same time, but for rounding', 30 * MINUTE, 30 * MINUTE + 2_000, 4 * MINUTE, false],
    ['come to the end that there is for all', 30 * MINUTE, 31 * MINUTE, 4 * MINUTE, false],
    ['do not tell where one came at once after the other', 30 * MINUTE, 30 * MINUTE + 1_000, 1_000, undefined],
  ] as const)('%s', (_what, first, second, apart, slides) => {
    expect(slidesBetween({signInEndsAt: first}, {signInEndsAt: second}, apart)).toBe(slides);
  });

  test('do not tell where one does not say when it ends', () => {
    expect(slidesBetween({}, {signInEndsAt: 5}, MINUTE)).toBeUndefined();
    expect(slidesBetween({signInEndsAt: 5}, {}, MINUTE)).toBeUndefined();
  });
});
