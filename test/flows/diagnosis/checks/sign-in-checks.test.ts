import {describe, expect, test} from 'vitest';
import type {Credentials} from '../../../../src/domain/credentials.ts';
import {Secret} from '../../../../src/domain/secret.ts';
import type {Token} from '../../../../src/domain/tokens.ts';
import type {Learned} from '../../../../src/flows/diagnosis/check.ts';
import {claims, signIn, token} from '../../../../src/flows/diagnosis/checks/sign-in-checks.ts';
import {contextAt} from '../../../support/context.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {rotating, tokenServer} from '../../../support/token-server.ts';
import {worded} from '../../../support/worded.ts';
import {jwt as ending} from '../../assistants/support/machine.ts';
import {look, type Situation} from './support/look.ts';

const origin = 'http://acme.localhost';
const minutes = (count: number) => Date.now() + count * 60_000 + 5_000;
const seconds = (ms: number) => Math.floor(ms / 1000);

/** Sets up a person or a client with these saved credentials. */
const keeping = async (kept: Partial<Credentials>, context: NonNullable<Situation['context']> = {}) => {
  const ports = await temporaryPorts();
  const whole = {...contextAt(origin), ...context};
  await ports.credentials.replace(whole, {issuer: origin, clientId: whole.clientId, ...kept});
  return {ports, context};
};

const failed = {verdict: 'fail', saw: 'It failed.'} as const;
const unsaved = (change: Partial<Token> = {}) => ({
  method: 'browser' as const,
  secrets: [],
  token: {account: 'ann', fingerprint: 'abc', renewable: true, access: new Secret('access-0'), ...change},
});

describe('the sign-in', () => {
  const good = {accessToken: 'access-0', expiresAt: minutes(10)};
  const client = {signIn: 'service-account', clientId: 'ci'} as const;
  const refreshToken = ending(seconds(minutes(120)));

  test.each([
    [
      'a person, by account',
      {...good, refreshToken: 'r', account: 'ann'},
      {},
      'ann, token valid for 10 min, renewed when needed',
    ],
    [
      'one whose token has ended',
      {...good, refreshToken: 'r', expiresAt: 1},
      {},
      'platform-cli, token expired, renewed when needed',
    ],
    [
      'one with nothing but a refresh token',
      {refreshToken: 'r'},
      {},
      'platform-cli, expiry unknown, renewed when needed',
    ],
    [
      'one that ends',
      {...good, refreshToken},
      {},
      'platform-cli, token valid for 10 min, renewed when needed until the sign-in ends, in 2 h',
    ],
    [
      'a client with its secret',
      {...good, clientSecret: 's'},
      client,
      'ci, token valid for 10 min, renewed when needed',
    ],
    ['a client with a token alone', good, client, 'ci, token valid for 10 min, cannot be renewed'],
  ])('of %s is well', async (_who, kept, context, saw) => {
    expect(await look(signIn, await keeping(kept, context))).toEqual({verdict: 'pass', saw});
  });

  test('of a client that was refused is not sent again with the same secret', async () => {
    const refused = {at: minutes(-1), reason: 'http://idp.example refused the client ID or the secret of ci.'};
    const found = worded(look(signIn, await keeping({clientSecret: 'old', refused}, client)));
    await expect(found).rejects.toMatchObject({
      remedy: expect.stringMatching(
        /^The secret of ci has probably been reset\. .*npx setup login --context acme, and choose “Enter the client again”\./,
      ),
    });
  });

  test('without a refresh token, or with one that has ended, ends with its token', async () => {
    expect(worded(await look(signIn, await keeping(good)))).toMatchObject({
      ...{verdict: 'warning', saw: 'platform-cli, token valid for 10 min, cannot be renewed'},
      sentence: expect.stringContaining('came without a refresh token'),
      remedy: expect.stringMatching(/grant refresh_token, then sign in again: npx setup login --context acme\.$/),
    });
    expect(await look(signIn, await keeping({...good, refreshToken: ending(1)}))).toMatchObject({
      ...{verdict: 'warning', fix: 'sign-in'},
      sentence: expect.stringContaining('its refresh token has expired'),
    });
  });

  test('that has ended with its token is over, and is not said to end some time', async () => {
    const ended = {...good, expiresAt: Date.now() - 180_500};
    await expect(worded(look(signIn, await keeping(ended)))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: 'The sign-in ended 3 min ago, when its token expired. The sign-in came without a refresh token.',
      remedy: expect.stringMatching(/grant refresh_token, then sign in again: npx setup login --context acme\.$/),
    });
    await expect(worded(look(signIn, await keeping({...ended, refreshToken: ending(1)})))).rejects.toMatchObject({
      message: 'The sign-in ended 3 min ago, when its token expired. Its refresh token has expired as well.',
      remedy: 'Sign in again: npx setup login --context acme.',
    });
  });

  test('at a kind that issues none to people is not told to allow them', async () => {
    const found = await look(signIn, await keeping(good, {identityProvider: 'spring-authorization-server'}));
    expect(worded(found).remedy).toMatch(
      /^Ask the operators of Spring .*accessTokenTimeToLive.* Then sign in again: npx setup login/,
    );
    expect(worded(found).remedy).not.toMatch(/allow .*refresh_token/);
  });

  test('that is none, or was refused, is a failure', async () => {
    await expect(worded(look(signIn, await keeping({})))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: 'You are signed out of acme.',
      remedy: 'Sign in: npx setup login --context acme.',
    });
    await expect(look(signIn, {context: {}})).rejects.toMatchObject({message: 'You are signed out of acme.'});
    const refused = {at: Date.now() - 180_500, reason: 'invalid_grant'};
    await expect(worded(look(signIn, await keeping({...good, refused})))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: 'The renewal was refused 3 min ago: invalid_grant',
      remedy: expect.stringMatching(/^Sign in again: npx setup login --context acme\. If it is refused again/),
    });
  });

  test('that came to its announced end was refused by nobody', async () => {
    const reason = 'The sign-in has reached the end that the identity provider had set for it.';
    const refused = {at: Date.now() - 180_500, reason, isAnnounced: true as const};
    await expect(look(signIn, await keeping({refused}))).rejects.toMatchObject({
      message: `The sign-in ended 3 min ago: ${reason}`,
    });
  });

  test.each([
    ['proxy', 'Proxy'],
    ['clock', 'Clock'],
    ['name-identity-provider', 'Name of the identity provider'],
    ['tcp-identity-provider', 'Connection to the identity provider'],
    ['discovery', 'Discovery'],
    ['issuer', 'Issuer'],
    ['grants', 'Grants, PKCE and client authentication'],
    ['redirect-url', 'Client and redirect URL'],
  ])('is not to be begun before %s is mended', async (id, title) => {
    const outcomes = {[id]: failed};
    const refused = {at: Date.now(), reason: 'invalid_grant'};
    await expect(worded(look(signIn, {...(await keeping({})), outcomes}))).rejects.toMatchObject({
      remedy: `Fix “${title}” first, then sign in: npx setup login --context acme.`,
    });
    await expect(worded(look(signIn, {...(await keeping({...good, refused})), outcomes}))).rejects.toMatchObject({
      remedy: `Fix “${title}” first, then sign in again: npx setup login --context acme.`,
    });
  });

  test('whose last renewal failed is renewed first if its token has ended, and then nothing is said of it', async () => {
    const {issuer} = await tokenServer(rotating);
    const ports = await temporaryPorts();
    const context = {...contextAt(issuer)};
    const key = {issuer, clientId: context.clientId};
    const failure = {code: 'platform-busy', message: 'It was busy.', count: 1};
    await ports.credentials.replace(key, {...key, accessToken: 'old', refreshToken: 'r', expiresAt: 1, failure});
    const found = await look(signIn, {ports, context: {issuer}});
    expect(found).toMatchObject({verdict: 'pass', saw: expect.stringContaining('renewed when needed')});
    expect(await ports.credentials.get(key)).toMatchObject({accessToken: 'access-1'});
  });

  test('whose last renewal failed is renewed once in a diagnosis, because an answer that is lost may end it', async () => {
    const {issuer, asked} = await tokenServer(() => ({status: 503, body: 'No healthy upstream'}));
    const ports = await temporaryPorts();
    const {clientId} = contextAt(issuer);
    const key = {issuer, clientId};
    const failure = {code: 'platform-busy', message: 'It was busy.', count: 1};
    await ports.credentials.replace(key, {...key, accessToken: 'old', refreshToken: 'r', expiresAt: 1, failure});
    const situation = {ports, context: {issuer}, learned: {}};
    expect(await look(signIn, situation)).toMatchObject({verdict: 'warning'});
    await expect(look(token, situation)).rejects.toMatchObject({code: expect.stringMatching(/^platform-/)});
    expect(asked).toHaveLength(1);
  });

  test('that has probably ended is told with what was answered', async () => {
    const refused = {at: Date.now() - 180_500, reason: 'It answered 400.', isUnclear: true as const};
    await expect(worded(look(signIn, await keeping({...good, refused})))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: 'The sign-in has probably ended; its renewal was refused 3 min ago: It answered 400.',
      remedy: expect.stringMatching(/^Sign in again: npx setup login --context acme\./),
    });
  });

  test('whose renewal got no answer was refused by nobody, and may be tried once more', async () => {
    const refused = {
      at: Date.now() - 180_500,
      reason: 'Two attempts to renew the sign-in got no answer.',
      isUnanswered: true as const,
    };
    const remedy = expect.stringMatching(/^Try once more: npx setup token --renew --context acme\. If that is refused/);
    const situation = await keeping({refreshToken: 'r', refused});
    await expect(worded(look(signIn, situation))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message:
        'Two attempts to renew the sign-in got no answer, the last one 3 min ago, so it is no longer renewed automatically.',
      remedy,
      about: {isUnanswered: true},
    });
    await expect(worded(look(token, situation))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      remedy,
      about: {isUnanswered: true},
    });
  });

  test('is not looked at where what is kept cannot be read', async () => {
    const situation = await keeping(good);
    expect(await look(signIn, {...situation, outcomes: {credentials: failed}})).toEqual({
      ...{verdict: 'skipped', saw: 'skipped: needs “Stored secrets”', because: 'credentials'},
    });
    const outcomes = {credentials: {...failed, verdict: 'warning'} as const};
    expect((await look(signIn, {...situation, outcomes})).verdict).toBe('warning');
  });

  test('that has just failed in a wizard is the failure, with its own remedy', async () => {
    const failure = {code: 'platform-busy', message: 'It is busy (429).', remedy: 'Wait a moment.'} as const;
    await expect(look(signIn, {subject: {unsaved: {method: 'browser', secrets: [], failure}}})).rejects.toMatchObject(
      failure,
    );
  });

  test('that failed before the last look stays named, as the last one, and is no failure found now', async () => {
    const failure = {code: 'platform-busy', message: 'It is busy (429).', remedy: 'Wait a moment.'} as const;
    const earlier = {...failure, isCheckedSince: true} as const;
    expect(
      worded(await look(signIn, {subject: {unsaved: {method: 'browser', secrets: [], failure: earlier}}})),
    ).toEqual({
      verdict: 'skipped',
      saw: 'no new sign-in since the last one failed',
      sentence: 'The last sign-in failed: It is busy (429).',
      remedy: 'Sign in again. If that fails in the same way: Wait a moment.',
      code: 'platform-busy',
    });
  });

  test('of this run is nobody’s yet, or somebody’s', async () => {
    expect(worded(await look(signIn))).toMatchObject({
      verdict: 'skipped',
      saw: 'nobody has signed in from here',
      sentence: expect.stringContaining(
        'A failed sign-in is not saved. To see why it failed, choose “Diagnostics” on the screen that reports it.',
      ),
      remedy: 'Set up this deployment: npx setup.',
    });
    const {token: _, ...before} = unsaved();
    expect(await look(signIn, {subject: {unsaved: before}})).toMatchObject({
      ...{verdict: 'skipped', saw: 'this run has not signed in yet', remedy: expect.stringMatching(/^Sign in first/)},
      sentence: expect.stringMatching(/^This run has not signed in yet, so the checks that need a token were skipped/),
    });
    const saw = async (expiresAt?: number) =>
      (await look(signIn, {subject: {unsaved: unsaved(expiresAt ? {expiresAt} : {})}})).saw;
    expect([await saw(), await saw(minutes(10))]).toEqual([
      'ann, expiry unknown, not saved yet',
      'ann, token valid for 10 min, not saved yet',
    ]);
  });
});

describe('the token', () => {
  test('that is kept and good is taken as it is', async () => {
    const learned: Learned = {};
    const situation = await keeping({accessToken: 'access-0', expiresAt: minutes(10)});
    expect(await look(token, {...situation, learned})).toEqual({verdict: 'pass', saw: '10 min left'});
    expect(learned.token?.accessToken).toBe('access-0');
    expect((await look(token, await keeping({accessToken: 'access-0'}))).saw).toBe('expiry unknown');
  });

  test('that cannot be had is a failure, and says what to do where it was refused', async () => {
    await expect(worded(look(token, await keeping({})))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      remedy: expect.not.stringContaining('If it is refused again'),
    });
    const refused = {at: Date.now(), reason: 'invalid_grant'};
    await expect(worded(look(token, await keeping({refused})))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      remedy: expect.stringContaining('If it is refused again'),
    });
  });

  test.each([
    [{clock: failed}, {saw: 'the token could not be renewed', because: 'clock'}],
    [{issuer: failed}, {saw: 'the token could not be renewed', because: 'issuer'}],
    [{issuer: {verdict: 'skipped', saw: 'because of: X', because: 'x'}}, {saw: 'because of: X', because: 'x'}],
  ] as const)('that cannot be renewed for another reason has that reason: %j', async (outcomes, expected) => {
    // Nothing listens there, so no server refuses the token.
    const kept = {accessToken: 'access-0', refreshToken: 'r', expiresAt: 1};
    expect(await look(token, {...(await keeping(kept)), outcomes})).toEqual({verdict: 'skipped', ...expected});
    await expect(look(token, {...(await keeping({})), outcomes})).rejects.toMatchObject({
      code: 'auth-sign-in-required',
    });
  });

  test('that cannot be renewed, and nobody knows why, is a failure of its own', async () => {
    const situation = await keeping({accessToken: 'access-0', refreshToken: 'r', expiresAt: 1});
    const outcomes = {clock: {verdict: 'skipped', saw: 'no time'}, issuer: {verdict: 'pass', saw: ''}} as const;
    await expect(look(token, {...situation, outcomes})).rejects.toMatchObject({
      code: expect.stringMatching(/^network-/),
    });
  });

  test.each([
    ['is good', 10, {verdict: 'pass', saw: '10 min left'}],
    ['says no end', undefined, {verdict: 'pass', saw: 'expiry unknown'}],
    [
      'has ended',
      -3,
      {
        verdict: 'fail',
        saw: 'token expired',
        sentence: 'The token of this run expired 3 min ago.',
        code: 'auth-sign-in-required',
        remedy: 'Sign in again: go back to the setup, and choose “Sign in another way”.',
      },
    ],
  ])('of this run that %s', async (_how, left, expected) => {
    const expiresAt = left === undefined ? undefined : minutes(left);
    const learned: Learned = {};
    const run = unsaved(expiresAt === undefined ? {} : {expiresAt});
    expect(worded(await look(token, {learned, subject: {unsaved: run}}))).toMatchObject(expected);
    const known = {accessToken: 'access-0', ...(expiresAt === undefined ? {} : {expiresAt})};
    expect(learned).toStrictEqual(expected.verdict === 'pass' ? {token: known} : {});
  });

  test('of this run that ends in a moment is used as long as it lasts: nothing renews it', async () => {
    const {clock} = await temporaryPorts();
    const ports = {clock: {...clock, now: () => 1_000_000}};
    const found = await look(token, {ports, subject: {unsaved: unsaved({expiresAt: 1_003_000})}});
    expect(found).toMatchObject({verdict: 'pass', saw: '3 s left'});
  });

  test('of this run that the run renews by itself is no failure when it has ended', async () => {
    const run = {...unsaved({expiresAt: minutes(-3)}), isRenewedLater: true as const};
    expect(worded(await look(token, {subject: {unsaved: run}}))).toMatchObject({
      ...{verdict: 'skipped', saw: 'token expired'},
      sentence: expect.stringMatching(
        /^The token of this run expired 3 min ago, so .* Setup renews it when you go on\.$/,
      ),
      remedy: 'Go on with the setup, then check again.',
    });
  });

  test('of a run that has none is skipped', async () => {
    expect((await look(token)).saw).toBe('this run has no token');
  });
});

describe('what the token says', () => {
  const saying = (payload: object): Learned => ({
    token: {accessToken: `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`},
  });
  const good = {iss: origin, aud: ['a', 'b'], exp: seconds(minutes(10))};
  const ended = {...good, exp: 1};

  test('is who issued it, and for whom', async () => {
    expect(await look(claims, {learned: saying(good)})).toEqual({verdict: 'pass', saw: `${origin}, for a, b`});
    expect((await look(claims, {learned: saying({iss: origin})})).saw).toBe(origin);
  });

  test.each([
    [
      'another issuer',
      saying({...good, iss: 'http://other'}),
      /issued by http:\/\/other/,
      /^Sign in again: npx setup login\. If it happens again/,
    ],
    [
      'no issuer',
      saying({...good, iss: undefined}),
      /^The token does not name its issuer/,
      /put the issuer \(iss\) into the access tokens of this client, then sign in again: npx setup login\.$/,
    ],
    ['an end that is past', saying(ended), /has expired already/, /^Sign in again/],
    [
      'nothing, being opaque',
      {token: {accessToken: 'opaque'}},
      /not JWTs/,
      /as JWTs\. Then sign in again: npx setup login\.$/,
    ],
  ])('that is %s is a failure', async (_what, learned, message, remedy) => {
    await expect(worded(look(claims, {learned, outcomes: {}}))).rejects.toMatchObject({
      code: expect.stringMatching(/^auth-token-(refused|opaque)$/),
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
  });

  test('of its end is nothing by a clock that is off, and the rest is', async () => {
    const outcomes = {clock: failed};
    expect(await look(claims, {learned: saying(ended), outcomes})).toEqual({
      ...{verdict: 'skipped', saw: 'the token cannot be judged until the clock is right', because: 'clock'},
    });
    await expect(look(claims, {learned: saying({...good, iss: 'http://other'}), outcomes})).rejects.toMatchObject({
      code: 'auth-token-refused',
    });
    await expect(look(claims, {learned: {token: {accessToken: 'opaque'}}, outcomes})).rejects.toMatchObject({
      code: 'auth-token-opaque',
    });
  });
});
