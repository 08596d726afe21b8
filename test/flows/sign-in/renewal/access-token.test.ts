import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, test, vi} from 'vitest';
import type {Credentials} from '../../../../src/domain/sign-in/credentials.ts';
import {cancelled, SetupError} from '../../../../src/errors/errors.ts';
import {accessToken} from '../../../../src/flows/sign-in/renewal/access-token.ts';
import type {Ports} from '../../../../src/ports/ports.ts';
import {unfinishedWork} from '../../../../src/ports/processes/unfinished.ts';
import {contextAt} from '../../../support/context.ts';
import {collect, noSignal} from '../../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../../support/place.ts';
import {closedOrigin, serve, text} from '../../../support/server.ts';
import {rotating, tokenServer} from '../../../support/token-server.ts';
import {signedIn as atSandbox} from '../../support/signed-in.ts';

const SECOND = 1000;

type Options = {age?: number; left?: number; scopes?: readonly string[]} & Partial<Credentials>;

/** A sign-in that was obtained `age` seconds ago and ends in `left` seconds. */
const signedIn = async (issuer: string, {age = 3600, left = 0, scopes = [], ...more}: Options = {}) => {
  const home = await temporaryDirectory();
  const context = {...contextAt(issuer), scopes};
  const now = Date.now();
  const times = {obtainedAt: now - age * SECOND, expiresAt: now + left * SECOND};
  const {issuer: _, clientId} = context;
  const kept: Credentials = {issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0', ...times, ...more};
  await portsIn(home).credentials.update(context, async () => kept);
  return {
    home,
    get: (signal = noSignal) => collect(accessToken(context, portsIn(home), signal)),
    kept: () => portsIn(home).credentials.get(context),
    expire: () => portsIn(home).credentials.update(context, async current => current && {...current, expiresAt: 1}),
  };
};

describe('a token that is good', () => {
  test('comes from the disk, without network', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get} = await signedIn(issuer, {age: 60, left: 3540});
    const {result, events} = await get();
    expect(result.accessToken).toBe('access-0');
    expect([events, asked]).toEqual([[], []]);
  });

  test('is renewed before it ends, and nobody waits for that', async () => {
    const {promise: delay, resolve: answer} = Promise.withResolvers<void>();
    const {issuer, asked} = await tokenServer((form, count) => ({...rotating(form, count), delay}));
    const {get, kept} = await signedIn(issuer, {age: 3400, left: 200});
    expect((await get()).result.accessToken).toBe('access-0');
    // However many come meanwhile, one renewal is under way.
    expect((await get()).result.accessToken).toBe('access-0');
    answer();
    await vi.waitFor(async () => expect(await kept()).toMatchObject({accessToken: 'access-1'}));
    expect(asked.map(form => form.get('refresh_token'))).toEqual(['refresh-0']);
    const left = await kept();
    expect(left).toMatchObject({refreshToken: 'refresh-1', rotates: true});
    expect(left).not.toHaveProperty('renewing');
  });

  test('serves on when it cannot be renewed just now, and the next one leaves the provider alone', async () => {
    const gone = await signedIn(await closedOrigin(), {age: 3400, left: 200});
    expect((await gone.get()).result.accessToken).toBe('access-0');
    const {issuer, asked} = await tokenServer(() => ({status: 502, body: '<html>bad gateway'}));
    const {get, kept} = await signedIn(issuer, {age: 3400, left: 200});
    expect((await get()).result.accessToken).toBe('access-0');
    await vi.waitFor(async () => expect(await kept()).toMatchObject({failure: {count: 1}}));
    expect((await get()).result.accessToken).toBe('access-0');
    await unfinishedWork();
    expect(asked).toHaveLength(1);
  });

  test('serves to its end when its renewal is refused', async () => {
    const {issuer} = await tokenServer(() => ({status: 400, body: {error: 'invalid_grant'}}));
    const {get, kept} = await signedIn(issuer, {age: 3400, left: 200, signedInAt: Date.now() - 7_200_000});
    await get();
    await vi.waitFor(async () => expect(await kept()).toHaveProperty('refused'));
    expect((await get()).result.accessToken).toBe('access-0');
    const left = await kept();
    expect(left).not.toHaveProperty('refreshToken');
    expect(left?.lasted?.[0]).toBeGreaterThanOrEqual(7_200_000);
  });

  test('serves while another process holds the file in which a renewal would be kept', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {home} = await signedIn(issuer, {age: 3400, left: 200});
    const ports = portsIn(home);
    const update: Ports['credentials']['update'] = async () => {
      throw new SetupError('local-locked', 'It is held by another setup for too long.');
    };
    const held = {...ports, credentials: {...ports.credentials, update}};
    const {result} = await collect(accessToken(contextAt(issuer), held, noSignal));
    expect(result.accessToken).toBe('access-0');
    expect(asked).toEqual([]);
  });

  test('is tried again after a while', async () => {
    const {issuer} = await tokenServer(rotating);
    const {get, kept} = await signedIn(issuer, {age: 3400, left: 200, retryAt: Date.now() - SECOND});
    await get();
    await vi.waitFor(async () => expect(await kept()).toMatchObject({accessToken: 'access-1'}));
  });

  test('that cannot be renewed at all serves to its end', async () => {
    const {issuer} = await tokenServer(rotating);
    const {get} = await signedIn(issuer, {age: 3400, left: 200, refreshToken: undefined as never});
    expect((await get()).result.accessToken).toBe('access-0');
  });
});

describe('a token that has ended', () => {
  test('is renewed with the newest refresh token each time', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get, expire} = await signedIn(issuer);
    expect((await get()).result.accessToken).toBe('access-1');
    await expire();
    expect((await get()).result.accessToken).toBe('access-2');
    expect(asked.map(form => form.get('refresh_token'))).toEqual(['refresh-0', 'refresh-1']);
  });

  test('keeps its refresh token when no new one comes', async () => {
    const {issuer} = await tokenServer(() => ({
      body: {access_token: 'access-1', token_type: 'Bearer', expires_in: 3600},
    }));
    const {get, kept} = await signedIn(issuer);
    await get();
    expect(await kept()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-0'});
  });

  test('is asked for once, however many ask, and all get the same', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get} = await signedIn(issuer);
    const runs = await Promise.all(Array.from({length: 8}, get));
    expect(new Set(runs.map(({result}) => result.accessToken))).toEqual(new Set(['access-1']));
    expect(asked).toHaveLength(1);
  });

  test('whose renewal is refused ends the sign-in, and says so from then on without asking again', async () => {
    const {issuer, asked} = await tokenServer(() => ({
      status: 400,
      body: {error: 'invalid_grant', error_description: 'Invalid refresh token'},
    }));
    const {get, kept} = await signedIn(issuer);
    const failure = {
      code: 'auth-sign-in-required',
      message: `Your sign-in to acme has ended: ${issuer} refused to renew it just now.`,
    };
    await expect(get()).rejects.toMatchObject(failure);
    await expect(get()).rejects.toMatchObject(failure);
    expect(asked).toHaveLength(1);
    const left = await kept();
    expect(left).toMatchObject({refused: {reason: expect.stringContaining('invalid_grant')}});
    expect(left).not.toHaveProperty('accessToken');
    expect(left).not.toHaveProperty('refreshToken');
  });

  test('by the secret of a client that was refused is not asked for again either', async () => {
    const {issuer, asked} = await tokenServer(() => ({status: 401, body: {error: 'invalid_client'}}));
    const home = await temporaryDirectory();
    const context = {...contextAt(issuer), signIn: 'service-account', clientId: 'ci'} as const;
    await portsIn(home).credentials.replace(context, {issuer, clientId: 'ci', clientSecret: 'old'});
    const get = () => collect(accessToken(context, portsIn(home), noSignal));
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect(asked).toHaveLength(1);
    expect(await portsIn(home).credentials.get(context)).toMatchObject({clientSecret: 'old'});
  });

  test('of a deployment that is not the current one says how to sign in to that one', async () => {
    const {home, get} = await signedIn(await closedOrigin(), {
      accessToken: undefined as never,
      refreshToken: undefined as never,
    });
    await portsIn(home).config.saveContext({...contextAt('https://idp.example.com'), name: 'other'});
    await expect(get()).rejects.toMatchObject({remedy: expect.stringContaining('login --context acme')});
  });

  test.each([
    ['a server that is not there', async () => closedOrigin(), 'network-refused'],
    ['502 in HTML', async () => (await tokenServer(() => ({status: 502, body: '<html>'}))).issuer, 'platform-error'],
    ['429 in HTML', async () => (await tokenServer(() => ({status: 429, body: '<html>'}))).issuer, 'platform-busy'],
    [
      '500 with an OAuth error',
      async () => (await tokenServer(() => ({status: 500, body: {error: 'server_error'}}))).issuer,
      'platform-error',
    ],
    [
      'a sign-in page with 200',
      async () => (await tokenServer(() => ({body: '<html>Sign in to the network'}))).issuer,
      'network-portal',
    ],
    [
      'a proxy that wants a sign-in of its own',
      async () =>
        (await tokenServer(() => ({status: 401, headers: {'WWW-Authenticate': 'Negotiate'}, body: '<html>'}))).issuer,
      'platform-error',
    ],
    ['null', async () => (await tokenServer(() => ({body: null as never}))).issuer, 'platform-invalid-answer'],
    [
      'a token of another type',
      async () => (await tokenServer(() => ({body: {access_token: 'x', token_type: 'mac'}}))).issuer,
      'platform-invalid-answer',
    ],
    [
      'no token',
      async () => (await tokenServer(() => ({body: {token_type: 'Bearer'}}))).issuer,
      'platform-invalid-answer',
    ],
  ])('is not lost to %s', async (_name, start, code) => {
    const {get, kept} = await signedIn(await start());
    await expect(get()).rejects.toMatchObject({code});
    expect(await kept()).toMatchObject({accessToken: 'access-0', refreshToken: 'refresh-0'});
  });

  test('keeps what a renewal brings when somebody stops in the middle of it', async () => {
    const stop = new AbortController();
    const {issuer} = await tokenServer((form, count) => {
      stop.abort();
      return rotating(form, count);
    });
    const {get, kept} = await signedIn(issuer);
    expect((await get(stop.signal)).result.accessToken).toBe('access-1');
    expect(await kept()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
  });

  test('asks for nothing after somebody stopped', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get} = await signedIn(issuer);
    await expect(get(AbortSignal.abort(cancelled()))).rejects.toMatchObject({code: 'cancelled'});
    expect(asked).toEqual([]);
  });

  test('is not used up where the keys of ID tokens are not to be had', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get, kept} = await signedIn(issuer, {scopes: ['openid']});
    // Its keys are at an address that answers with something else.
    await expect(get()).rejects.toMatchObject({code: 'platform-error', message: expect.stringContaining('/jwks')});
    expect(asked).toEqual([]);
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0'});
  });

  test('gives way to what another wrote meanwhile, and serves all the same', async () => {
    let path = '';
    const {issuer} = await tokenServer(async (form, count) => {
      const contents = JSON.parse(await readFile(path, 'utf8'));
      contents.credentials[0].refreshToken = 'of-another';
      await writeFile(path, JSON.stringify(contents));
      return rotating(form, count);
    });
    const {home, get, kept} = await signedIn(issuer);
    path = portsIn(home).credentials.path;
    const {result, events} = await get();
    expect(result.accessToken).toBe('access-1');
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('could not be kept')});
    expect(await kept()).toMatchObject({refreshToken: 'of-another'});
  });

  test('is kept although it is said to live for ever', async () => {
    const {issuer} = await tokenServer(() => ({
      body: {access_token: 'access-1', token_type: 'Bearer', expires_in: Number.MAX_VALUE},
    }));
    const {get, kept} = await signedIn(issuer);
    await get();
    expect(await kept()).toMatchObject({accessToken: 'access-1', expiresAt: expect.any(Number)});
  });

  test('of unknown lifetime is accepted', async () => {
    const {issuer} = await tokenServer(() => ({body: {access_token: 'opaque', token_type: 'BEARER'}}));
    const {get, kept} = await signedIn(issuer);
    expect((await get()).result).toMatchObject({accessToken: 'opaque'});
    expect(await kept()).not.toHaveProperty('expiresAt');
  });

  test('that ends again at once is not handed out', async () => {
    const {issuer} = await tokenServer(() => ({body: {access_token: 'x', token_type: 'Bearer', expires_in: 0}}));
    const {get} = await signedIn(issuer);
    await expect(get()).rejects.toMatchObject({
      code: 'auth-token-refused',
      message: expect.stringContaining('Is the clock right?'),
    });
  });
});

describe('an access token of the sandbox', () => {
  test('that is still good comes without network', async () => {
    const {plan, write, context, home, token} = await atSandbox();
    await write(await plan());
    const {result, events} = await collect(accessToken(context, portsIn(home), noSignal));
    expect(result.accessToken).toBe(token);
    expect(events).toEqual([]);
  });

  test('that has ended is asked for once, however many ask', async () => {
    const {plan, write, context, home, token} = await atSandbox();
    await write(await plan());
    await portsIn(home).credentials.update(context, async current => current && {...current, expiresAt: 1});
    const runs = await Promise.all(
      Array.from({length: 5}, () => collect(accessToken(context, portsIn(home), noSignal))),
    );
    const tokens = new Set(runs.map(({result}) => result.accessToken));
    expect(tokens.size).toBe(1);
    expect(tokens).not.toContain(token);
    const requests = runs.flatMap(({events}) =>
      events.filter(event => event.type === 'call-started' && event.method === 'POST'),
    );
    expect(requests).toHaveLength(1);
  });

  test('without anything kept needs a sign-in', async () => {
    const {context, home} = await atSandbox();
    await expect(collect(accessToken(context, portsIn(home), noSignal))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
    });
  });

  test('that cannot be renewed just now keeps what there is', async () => {
    const {plan, write, context, home} = await atSandbox();
    await write(await plan());
    const gone = await serve(text('no', 503));
    const {credentials} = portsIn(home);
    const moved = {...context, issuer: gone};
    await credentials.update(moved, async () => ({...moved, clientSecret: 's', accessToken: 'old', expiresAt: 1}));
    await expect(collect(accessToken(moved, portsIn(home), noSignal))).rejects.toMatchObject({code: 'platform-error'});
    expect(await credentials.get(moved)).toMatchObject({clientSecret: 's', accessToken: 'old'});
  });
});
