import {describe, expect, test} from 'vitest';
import {
  chanceOf,
  isGood,
  isRenewable,
  isUsable,
  signInEndOf,
  signInState,
  slidesBetween,
  willBeRenewed,
} from '../../src/domain/sign-in-lifecycle.ts';

/** Returns a refresh token that expires at `exp`, in seconds since the epoch. */
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

const now = 1_000_000;
const kept = {issuer: 'https://idp.acme.example', clientId: 'cli', accessToken: 'shh', account: 'ann'};

describe('how a sign-in stands', () => {
  test('is valid for as long as its token is handed out', () => {
    const at = (left: number) => signInState({...kept, expiresAt: now + left}, now);
    expect(at(31_000)).toMatchObject({state: 'valid', secondsLeft: 31, account: 'ann'});
    expect(at(30_000)).toMatchObject({state: 'expired', secondsLeft: 30});
    expect(at(-5_000)).toMatchObject({state: 'expired', secondsLeft: 0});
    expect(signInState(kept, now)).toMatchObject({state: 'valid'});
  });

  test('ends what would be renewed by it', () => {
    const ended = `x.${Buffer.from(JSON.stringify({exp: 100})).toString('base64url')}.x`;
    const kept = {issuer: 'i', clientId: 'c', accessToken: 'a', refreshToken: ended, expiresAt: 50_000};
    expect(signInState(kept, 200_000)).toMatchObject({state: 'expired', renewable: false});
    expect(signInState(kept, 90_000)).toMatchObject({state: 'expired', renewable: true});
  });

  test('promises no renewal by a refresh token that has ended, whatever is known of the access token', () => {
    const ended = `x.${Buffer.from(JSON.stringify({exp: 100})).toString('base64url')}.x`;
    const {accessToken: _, ...without} = kept;
    expect(signInState({...kept, refreshToken: ended}, now)).toMatchObject({state: 'valid', renewable: false});
    expect(signInState({...without, refreshToken: ended}, now)).toMatchObject({state: 'none', renewable: false});
  });

  test('says why the last renewal failed, where another one will be made', () => {
    const failure = {code: 'network-refused', message: 'Nothing listens there.', count: 1};
    const failed = {...kept, refreshToken: 'r', expiresAt: now, failure};
    expect(signInState(failed, now)).toMatchObject({state: 'expired', renewable: true, failure: failure.message});
    const refused = {at: now, reason: 'It was refused.'};
    expect(signInState({...failed, refused}, now)).not.toHaveProperty('failure');
  });

  test('ends with its token once a renewal was refused', () => {
    const refused = {at: now, reason: 'It was refused.'};
    const standing = signInState({...kept, expiresAt: now + 600_000, refused}, now);
    const signInEndsAt = new Date(now + 600_000).toISOString();
    expect(standing).toMatchObject({state: 'valid', renewable: false, signInEndsAt, reason: refused.reason});
  });

  test('may be tried once more where nobody refused that', () => {
    const refused = {at: 1, reason: 'No answer.', isUnanswered: true} as const;
    const kept = {issuer: 'i', clientId: 'c', refreshToken: 'r', refused};
    expect(signInState(kept, 2)).toEqual({
      ...{state: 'ended', renewable: false, reason: 'No answer.', mayBeTried: true},
    });
  });

  test('has ended once its token has ended too', () => {
    const refused = {at: now, reason: 'The secret was refused.'};
    const standing = signInState({...kept, clientSecret: 'shh', refused, expiresAt: now}, now);
    expect(standing).toEqual({state: 'ended', renewable: false, reason: refused.reason});
  });
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const lasting = {
  issuer: 'https://idp.acme.example',
  clientId: 'cli',
  accessToken: 'shh',
  obtainedAt: 0,
  expiresAt: 60 * MINUTE,
};

describe('a token can be handed out', () => {
  test.each([
    [0, true],
    [60 * MINUTE - 31 * SECOND, true],
    [60 * MINUTE - 30 * SECOND, false],
    [60 * MINUTE, false],
  ])('until half a minute before it ends: at %d ms, %s', (now, usable) => {
    expect(isUsable(lasting, now)).toBe(usable);
  });

  test('whose end nobody knows, and not one that is not there', () => {
    expect(isUsable({accessToken: 'shh'}, 1e15)).toBe(true);
    expect(isUsable({expiresAt: lasting.expiresAt}, 0)).toBe(false);
  });
});

describe('a token is good as it is', () => {
  test.each([
    [44 * MINUTE, 0, true],
    [45 * MINUTE, 0, false],
    [53 * MINUTE, 1, true],
    [54 * MINUTE, 1, false],
  ])('until a share of its time that is the process’s own: at %d ms by a chance of %d, %s', (now, chance, good) => {
    expect(isGood(lasting, now, chance)).toBe(good);
  });

  test('a little longer where a renewal could not be asked for, and never past its end', () => {
    expect(isGood({...lasting, retryAt: 56 * MINUTE}, 55 * MINUTE, 0)).toBe(true);
    expect(isGood({...lasting, retryAt: 56 * MINUTE}, 56 * MINUTE, 0)).toBe(false);
    expect(isGood({...lasting, retryAt: 90 * MINUTE}, 60 * MINUTE, 0)).toBe(false);
  });

  test('to its end where nobody knows since when, and always where nobody knows of an end', () => {
    const {obtainedAt: _, ...undated} = lasting;
    const {expiresAt: __, ...endless} = lasting;
    expect(isGood(undated, 59 * MINUTE, 0)).toBe(true);
    expect(isGood(undated, 60 * MINUTE, 0)).toBe(false);
    expect(isGood(endless, 1e15, 0)).toBe(true);
  });
});

test('the chance of a process is its own, from 0 to 1', () => {
  const chances = [1, 2, 3, 4_194_304].map(chanceOf);
  expect(new Set(chances).size).toBe(4);
  expect(chances.every(one => one >= 0 && one < 1)).toBe(true);
});
