import {describe, expect, test} from 'vitest';
import {fingerprintOf} from '../../../src/domain/fingerprint.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {obtained, type TokenAnswer, tokenFrom, tokenSetOf} from '../../../src/flows/sign-in/token-response.ts';

const NOW = 1_000_000;
const YEARS = 10 * 365 * 24 * 3600;

const answer = (change: Partial<TokenAnswer> = {}, seconds?: number, claims?: object): TokenAnswer =>
  ({
    access_token: 'access',
    token_type: 'bearer',
    expiresIn: () => seconds,
    claims: () => claims,
    ...change,
  }) as TokenAnswer;

/** Returns an unsigned JWT with this payload. */
const jwt = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.x`;

describe('what a token endpoint gave', () => {
  test('has what is known of it alone', () => {
    expect(tokenSetOf(answer(), NOW)).toStrictEqual({accessToken: 'access'});
    expect(tokenSetOf(answer({refresh_token: 'refresh'}, 60, {email: 'ann@acme'}), NOW)).toStrictEqual({
      accessToken: 'access',
      refreshToken: 'refresh',
      expiresAt: NOW + 60_000,
      account: 'ann@acme',
    });
  });

  test('ends within ten years, whatever the server says', () => {
    expect(tokenSetOf(answer({}, 0), NOW).expiresAt).toBe(NOW);
    expect(tokenSetOf(answer({}, YEARS), NOW).expiresAt).toBe(NOW + YEARS * 1000);
    expect(tokenSetOf(answer({}, YEARS + 1), NOW).expiresAt).toBe(NOW + YEARS * 1000);
  });

  test.each<[object, string | undefined]>([
    [{sub: '1', name: 'Ann', username: 'ann', preferred_username: 'a.nn', email: 'ann@acme'}, 'ann@acme'],
    [{sub: '1', name: 'Ann', username: 'ann', preferred_username: 'a.nn', email: ''}, 'a.nn'],
    [{sub: '1', name: 'Ann', username: 'ann', email: 7}, 'ann'],
    [{sub: '1', name: 'Ann'}, 'Ann'],
    [{sub: '1'}, '1'],
    [{sub: 7}, undefined],
    [{name: 'A\u001b[31mnn'}, 'A [31mnn'],
  ])('is of the person who is called so: %j', (claims, account) => {
    expect(tokenSetOf(answer({}, undefined, claims), NOW).account).toBe(account);
  });
});

test('a person whose ID token has an ID alone is called as the access token has it', () => {
  const named = {access_token: jwt({sub: '1', username: 'ann'})};
  expect(tokenSetOf(answer(named, undefined, {sub: '1'}), NOW).account).toBe('ann');
  expect(tokenSetOf(answer(named, undefined, {sub: '1', name: 'Ann'}), NOW).account).toBe('Ann');
  // A client has no ID token, and its name is its client ID.
  expect(tokenSetOf(answer(named), NOW).account).toBeUndefined();
});

describe('a token of this run', () => {
  test('is a client’s, unless a person is named', () => {
    const token = tokenFrom(answer(), {clientId: 'ci'}, NOW);
    expect(token).toStrictEqual({
      account: 'ci',
      fingerprint: fingerprintOf('access'),
      renewable: false,
      access: expect.any(Secret),
    });
    expect(token.access.reveal()).toBe('access');
    expect(tokenFrom(answer({}, 60, {sub: 'ann'}), {clientId: 'cli'}, NOW)).toMatchObject({
      account: 'ann',
      expiresAt: NOW + 60_000,
    });
  });

  test('is renewed by its refresh token, or by the secret of its client', () => {
    const refreshed = tokenFrom(answer({refresh_token: jwt({exp: 5})}), {clientId: 'cli'}, NOW);
    expect(refreshed).toMatchObject({renewable: true, signInEndsAt: 5000});
    expect(refreshed.refresh?.reveal()).toBe(jwt({exp: 5}));
    expect(tokenFrom(answer({refresh_token: 'opaque'}), {clientId: 'cli'}, NOW)).not.toHaveProperty('signInEndsAt');
    expect(tokenFrom(answer(), {clientId: 'ci', clientSecret: new Secret('x')}, NOW)).toMatchObject({renewable: true});
  });
});

test('what is told of a token is nothing that is secret', () => {
  const token = tokenFrom(answer({refresh_token: 'refresh'}), {clientId: 'ci'}, NOW);
  const told = {type: 'token-obtained', account: 'ci', fingerprint: fingerprintOf('access'), renewable: true};
  expect(obtained(token)).toStrictEqual(told);
  expect(obtained(token, {server: 'observability'})).toStrictEqual({...told, server: 'observability'});
});
