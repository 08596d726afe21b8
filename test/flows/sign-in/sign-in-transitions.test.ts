import {describe, expect, test} from 'vitest';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {ended, paused, renewed, spent} from '../../../src/flows/sign-in/sign-in-transitions.ts';

const NOW = 1_000_000_000;
const key = {issuer: 'https://idp.example', clientId: 'cli'};
const good = {accessToken: 'a', expiresAt: NOW + 3_600_000, obtainedAt: NOW - 60_000};

describe('after a renewal', () => {
  const fresh = {accessToken: 'b', refreshToken: 'r2', expiresAt: NOW + 1};

  test('the new tokens are kept, and nothing of the one before but whose it is and what was learnt', () => {
    const learnt = {clientSecret: 's', signedInAt: 1, lasted: [2], account: 'ann', controlPlaneUrl: 'https://api'};
    const past = {retryAt: 3, failure: {code: 'x', message: 'y', count: 1}, unanswered: 1, signInEndsAt: 4};
    expect(renewed({...key, ...good, ...learnt, ...past, refreshToken: 'r1'}, fresh, NOW)).toStrictEqual({
      ...{...key, ...learnt, ...fresh},
      ...{rotates: true, obtainedAt: NOW},
    });
  });

  test('the account is the one by which it is found, whatever a token calls it', () => {
    expect(renewed({...key, account: 'ann'}, {...fresh, account: 'other'} as never, NOW).account).toBe('ann');
    expect(renewed(key, {...fresh, account: 'ann'} as never, NOW).account).toBe('ann');
    expect(renewed(key, fresh, NOW)).not.toHaveProperty('account');
  });

  test.each([
    ['the same one comes again', 'r1', undefined, 'r1', false],
    ['another one comes', 'r1', undefined, 'r2', true],
    ['another one came before', 'r1', true, 'r1', true],
    ['none comes', 'r1', undefined, undefined, undefined],
    ['none comes, and one was seen before', 'r1', true, undefined, true],
  ])('a refresh token changes each time or not: %s', (_what, before, rotates, after, expected) => {
    const kept = {...key, refreshToken: before, ...(rotates === undefined ? {} : {rotates})};
    const brought = {accessToken: 'b', ...(after === undefined ? {} : {refreshToken: after})};
    expect(renewed(kept, brought, NOW).rotates).toBe(expected);
  });
});

describe('the end of a sign-in', () => {
  const ending = (at: number) => ({accessToken: 'b', refreshToken: 'r2', signInEndsAt: at});
  const before = {...key, refreshToken: 'r1', obtainedAt: NOW - 600_000, signInEndsAt: NOW + 3_000_000};

  test('slides where a renewal put it off by as long as the last one is ago', () => {
    expect(renewed(before, ending(NOW + 3_600_000), NOW).slides).toBe(true);
    expect(renewed({...before, slides: true}, ending(NOW + 3_000_000), NOW).slides).toBe(false);
  });

  test('stays as it was seen where a renewal says nothing of it', () => {
    const {signInEndsAt: _, ...unsaid} = before;
    expect(renewed(unsaid, ending(NOW + 3_600_000), NOW)).not.toHaveProperty('slides');
    expect(renewed({...unsaid, slides: true}, ending(NOW + 3_600_000), NOW).slides).toBe(true);
    // It is not known how long ago the previous renewal was.
    const {obtainedAt: __, ...undated} = before;
    expect(renewed(undated, ending(NOW + 3_600_000), NOW)).not.toHaveProperty('slides');
  });
});

describe('after a renewal that could not be had', () => {
  const failure = new SetupError('platform-error', 'It answered 502.');
  const pauseOf = (kept: Credentials, error = failure) => (paused(kept, error, NOW).retryAt ?? 0) - NOW;
  const failed = (count: number) => ({failure: {code: 'platform-error', message: '', count}});

  test('everything stays, with why and how often it failed', () => {
    const kept = {...key, ...good, refreshToken: 'r'};
    const why = {code: 'platform-error', message: 'It answered 502.'};
    const {retryAt, ...once} = paused(kept, failure, NOW);
    expect(retryAt).toBeGreaterThan(NOW);
    expect(once).toEqual({...kept, failure: {...why, count: 1}});
    expect(paused({...kept, ...failed(3)}, failure, NOW).failure).toEqual({...why, count: 4});
  });

  test('it is left alone for longer while there is a token, and after each failure', () => {
    expect(pauseOf(key)).toBeLessThanOrEqual(4_000);
    expect(pauseOf({...key, ...good})).toBeGreaterThan(20_000);
    expect(pauseOf({...key, ...failed(3)})).toBeGreaterThan(17_000);
  });

  test('it is left alone for as long as a busy provider asks for', () => {
    const busy = new SetupError('platform-busy', 'Too many.', {about: {retryAfter: 900_000}});
    expect(pauseOf(key, busy)).toBeGreaterThanOrEqual(900_000);
  });
});

const rest = {account: 'ann', refreshToken: 'r', failure: {code: 'x', message: 'y', count: 1}, retryAt: 5};

describe('after one that was refused', () => {
  const refused = {at: NOW, reason: 'invalid_grant'};
  const end = (more: Partial<Credentials>, token?: string) => ended({...key, ...rest, ...more}, token, NOW, refused);
  const left = {...key, account: 'ann', refused};

  test.each<[string, Partial<Credentials>, string | undefined, Partial<Credentials>]>([
    ['is good stays', good, undefined, good],
    ['is good stays, although another one was refused', good, 'b', good],
    ['was refused goes', good, 'a', {}],
    ['has ended goes', {...good, expiresAt: NOW}, undefined, {}],
    ['was never there', {expiresAt: NOW + 3_600_000}, undefined, {}],
    ['does not tell its end stays', {accessToken: 'a'}, undefined, {accessToken: 'a'}],
  ])('an access token that %s, and the refresh token goes', (_what, before, token, after) => {
    expect(end(before, token)).toStrictEqual({...left, ...after});
  });

  test('how long the last three sign-ins lasted is known, the newest first', () => {
    expect(end({signedInAt: NOW - 7})).toStrictEqual({...left, signedInAt: NOW - 7, lasted: [7]});
    expect(end({signedInAt: NOW - 7, lasted: [1, 2, 3]}).lasted).toEqual([7, 1, 2]);
    expect(end({lasted: [1, 2]}).lasted).toEqual([1, 2]);
    expect(end({})).not.toHaveProperty('lasted');
  });
});

describe('after one whose answer was of no use', () => {
  test('the refresh token that it brought is kept in the place of the other', () => {
    const kept = {...key, ...rest, ...good};
    expect(spent(kept, 'r2', undefined, NOW)).toStrictEqual({...kept, refreshToken: 'r2', rotates: true});
  });

  test('an access token that was refused or has ended goes, with its times', () => {
    const {accessToken: _, expiresAt: __, obtainedAt: ___, ...without} = {...key, ...rest, ...good};
    const left = {...without, refreshToken: 'r2', rotates: true};
    expect(spent({...key, ...rest, ...good}, 'r2', 'a', NOW)).toStrictEqual(left);
    expect(spent({...key, ...rest, ...good, expiresAt: NOW}, 'r2', undefined, NOW)).toStrictEqual(left);
  });
});
