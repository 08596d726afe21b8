import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {type Credentials, withoutTokens} from '../../../src/domain/credentials.ts';
import {contextFor, type TokenContext} from '../../../src/domain/tokens.ts';
import {cancelled, SetupError} from '../../../src/errors/errors.ts';
import {accessToken, accessTokenInstead, accessTokenNow, renewIfDue} from '../../../src/flows/sign-in/access-token.ts';
import {unfinishedWork} from '../../../src/ports/exit-guard.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {closedOrigin, serve, text} from '../../support/server.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {worded} from '../../support/worded.ts';
import {signedIn as atSandbox} from '../support/signed-in.ts';

const SECOND = 1000;

type Options = {age?: number; left?: number; scopes?: readonly string[]; resource?: string} & Partial<Credentials>;
type Transaction = Ports['credentials']['transaction'];

/** Sets up a sign-in that was obtained `age` seconds ago and expires in `left` seconds. */
const signedIn = async (issuer: string, {age = 3600, left = 0, scopes, resource, ...more}: Options = {}) => {
  const home = await temporaryDirectory();
  const context: Context = {
    ...contextAt(issuer),
    ...(scopes === undefined ? {} : {scopes}),
    ...(resource === undefined ? {} : {resource}),
  };
  const now = Date.now();
  const times = {obtainedAt: now - age * SECOND, expiresAt: now + left * SECOND};
  const {issuer: _, clientId} = context;
  const kept: Credentials = {issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0', ...times, ...more};
  await portsIn(home).credentials.update(context, async () => kept);
  // All calls are made by one process.
  const {memory} = portsIn(home);
  const portsWith = (by: (ports: Ports) => Transaction): Ports => {
    const ports = {...portsIn(home), memory};
    return {...ports, credentials: {...ports.credentials, transaction: by(ports)}};
  };
  return {
    home,
    get: (signal = noSignal) => collect(accessToken, context, {...portsIn(home), memory}, signal),
    /** Gets a token after a server has refused one. */
    context,
    instead: (refused: string) => collect(accessTokenInstead, {context, refused}, portsIn(home)),
    /** Gets the token for a person who is waiting. */
    now: () => collect(accessTokenNow, context, portsIn(home)),
    /** Gets the token for a short-lived command, which leaves the renewal to another process. */
    byCommand: async (given: TokenContext = context) => {
      const started: (readonly string[])[] = [];
      const ports = portsIn(home);
      const startApart = (words: readonly string[]) => void started.push(words);
      const own = {...ports, processes: {...ports.processes, startApart}};
      return {started, ...(await collect(accessToken, given, own))};
    },
    /** Does what that other process does, with these transactions. */
    renewIfDue: (by = ({credentials}: Ports): Transaction => credentials.transaction) =>
      collect(renewIfDue, context, portsWith(by)),
    /** Gets the token with these transactions. */
    keptBy: (by: (ports: Ports) => Transaction, signal = noSignal) =>
      collect(accessToken, context, portsWith(by), signal),
    kept: () => portsIn(home).credentials.get(context),
    expire: () => portsIn(home).credentials.update(context, async current => current && {...current, expiresAt: 1}),
  };
};

describe('a token that is good', () => {
  test('comes from the disk, without network', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {get} = await signedIn(issuer, {age: 60, left: 3540});
    const {result, events} = await get();
    expect(result).toEqual({accessToken: 'access-0', expiresAt: expect.any(Number)});
    expect([events, asked]).toEqual([[], []]);
  });

  test('waits for nobody who holds the file in which it is kept', async () => {
    const {keptBy} = await signedIn(await closedOrigin(), {age: 60, left: 3540});
    const {result} = await keptBy(() => () => Promise.reject(new Error('It is held.')));
    expect(result.accessToken).toBe('access-0');
  });

  test('of unknown lifetime says nothing of its end', async () => {
    const {get} = await signedIn(await closedOrigin(), {expiresAt: undefined as never});
    expect((await get()).result).toStrictEqual({accessToken: 'access-0'});
  });

  test('is renewed before it ends, and nobody waits for that', async () => {
    const {promise: delay, resolve: answer} = Promise.withResolvers<void>();
    const {issuer, asked} = await tokenServer((form, count) => ({...rotating(form, count), delay}));
    const {get, kept} = await signedIn(issuer, {age: 3400, left: 200});
    expect((await get()).result.accessToken).toBe('access-0');
    // More calls in the meantime start no second renewal.
    expect((await get()).result.accessToken).toBe('access-0');
    answer();
    await expect.poll(kept).toMatchObject({accessToken: 'access-1'});
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
    await expect.poll(kept).toMatchObject({failure: {count: 1}});
    expect((await get()).result.accessToken).toBe('access-0');
    await unfinishedWork();
    expect(asked).toHaveLength(1);
  });

  test('serves to its end when its renewal is refused', async () => {
    const {issuer} = await tokenServer(() => ({status: 400, body: {error: 'invalid_grant'}}));
    const {get, kept} = await signedIn(issuer, {age: 3400, left: 200, signedInAt: Date.now() - 7_200_000});
    await get();
    await expect.poll(kept).toHaveProperty('refused');
    expect((await get()).result.accessToken).toBe('access-0');
    const left = await kept();
    expect(left).not.toHaveProperty('refreshToken');
    expect(left?.lasted?.[0]).toBeGreaterThanOrEqual(7_200_000);
  });

  test.each([
    ['another process holds the file in which a renewal would be kept', 'local-locked'],
    ['that file cannot be written', 'local-write-failed'],
  ] as const)('serves while %s', async (_why, code) => {
    const {issuer, asked} = await tokenServer(rotating);
    const {keptBy} = await signedIn(issuer, {age: 3400, left: 200});
    const {result} = await keptBy(() => () => Promise.reject(new SetupError(code, 'It cannot be kept.')));
    expect(result.accessToken).toBe('access-0');
    expect(asked).toEqual([]);
  });

  test('is tried again after a while', async () => {
    const {issuer} = await tokenServer(rotating);
    const {get, kept} = await signedIn(issuer, {age: 3400, left: 200, retryAt: Date.now() - SECOND});
    await get();
    await expect.poll(kept).toMatchObject({accessToken: 'access-1'});
  });

  test('that cannot be renewed at all serves to its end', async () => {
    const {issuer} = await tokenServer(rotating);
    const {get} = await signedIn(issuer, {age: 3400, left: 200, refreshToken: undefined as never});
    expect((await get()).result.accessToken).toBe('access-0');
  });
});

describe('a token that is due while a command has it', () => {
  const due = {age: 3400, left: 200};

  test('is left to a process of its own, which is told whose it is', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {byCommand, context, home} = await signedIn(issuer, due);
    const {started, result} = await byCommand();
    expect(result.accessToken).toBe('access-0');
    expect(started).toEqual([['token', '--if-due', '--context', 'acme']]);
    const own = contextFor({...context, resources: {observability: 'https://observer.example'}}, 'observability');
    const {credentials} = portsIn(home);
    const kept = await credentials.get(context);
    const {audience = ''} = own;
    await credentials.update(own, async () => kept && {...kept, audience});
    expect((await byCommand(own)).started).toEqual([
      ['token', '--if-due', '--context', 'acme', '--server', 'observability'],
    ]);
    expect(asked).toEqual([]);
  });

  test.each<[string, Options]>([
    ['is not due', {age: 60, left: 3540}],
    ['cannot be renewed', {...due, refreshToken: undefined as never}],
  ])('starts nothing where it %s', async (_why, options) => {
    const {byCommand} = await signedIn(await closedOrigin(), options);
    const {started, result} = await byCommand();
    expect(result.accessToken).toBe('access-0');
    expect(started).toEqual([]);
  });

  test('starts nothing, and renews nothing, while another process does', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {byCommand, renewIfDue, home} = await signedIn(issuer, due);
    const {files, credentials} = portsIn(home);
    await files.withLock(credentials.path, async () => {
      expect((await byCommand()).started).toEqual([]);
      await renewIfDue();
    });
    expect(asked).toEqual([]);
  });

  test('is renewed by that process before it ends', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {renewIfDue, kept} = await signedIn(issuer, due);
    await renewIfDue();
    expect(await kept()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
    // The token is valid now.
    await renewIfDue();
    expect(asked).toHaveLength(1);
  });

  test('is none of somebody who has signed out', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {renewIfDue, context, home} = await signedIn(issuer, due);
    await portsIn(home).credentials.update(context, async () => undefined);
    await renewIfDue();
    expect(asked).toEqual([]);
  });

  test('stays what it is where that process fails, unless by a bug', async () => {
    const {renewIfDue, kept} = await signedIn(await closedOrigin(), due);
    await renewIfDue();
    expect(await kept()).toMatchObject({accessToken: 'access-0', failure: {code: 'network-refused'}});
    const failing = signedIn(await closedOrigin(), due).then(own =>
      own.renewIfDue(() => () => Promise.reject(new TypeError('This is a bug.'))),
    );
    await expect(failing).rejects.toThrow('This is a bug.');
  });
});

describe('a renewal beside the work of a process that lasts', () => {
  const due = {age: 3400, left: 200};
  const full = new SetupError('local-write-failed', 'The disk is full.', {remedy: 'Make room.'});

  test('is begun once at a time', async () => {
    const {keptBy} = await signedIn(await closedOrigin(), due);
    const {promise: end, resolve} = Promise.withResolvers<void>();
    let begun = 0;
    const waiting = () =>
      keptBy(() => async () => {
        begun += 1;
        await end;
        throw full;
      });
    await Promise.all([waiting(), waiting()]);
    await waiting();
    expect(begun).toBe(1);
    resolve();
    await expect
      .poll(async () => {
        await waiting();
        return begun;
      })
      .toBeGreaterThan(1);
  });

  test('that could not be kept is told to who asks next, until one is', async () => {
    const {issuer} = await tokenServer(rotating);
    const {get, keptBy, kept, home, context} = await signedIn(issuer, due);
    const failing = () =>
      keptBy(
        ({credentials}) =>
          (key, work) =>
            credentials.transaction(key, own => work({...own, reserve: () => Promise.reject(full)})),
      );
    const message =
      'Your sign-in to acme was not renewed, because the new tokens could not be saved: The disk is full. Make room.';
    const warning = {type: 'warning', message};
    expect((await failing()).events).toEqual([]);
    await expect.poll(async () => (await failing()).events).toEqual([warning]);
    await expect
      .poll(async () => {
        await get();
        return kept();
      })
      .toMatchObject({accessToken: 'access-1'});
    const times = {obtainedAt: Date.now() - 3_400_000, expiresAt: Date.now() + 200_000};
    await portsIn(home).credentials.update(context, async now => now && {...now, ...times});
    await expect.poll(async () => (await get()).events).toEqual([]);
  });

  test('asks nobody where another process has renewed it meanwhile', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {keptBy, kept} = await signedIn(issuer, due);
    await keptBy(({credentials}) => async (key, work) => {
      const other = {accessToken: 'of-another', expiresAt: Date.now() + 3_600_000, obtainedAt: Date.now()};
      await credentials.update(key, async kept => kept && {...kept, ...other});
      return credentials.transaction(key, work);
    });
    await expect.poll(kept).toMatchObject({accessToken: 'of-another'});
    await unfinishedWork();
    expect(asked).toEqual([]);
  });
});

test('who has stopped is given no token', async () => {
  const {get} = await signedIn(await closedOrigin(), {age: 60, left: 3540});
  await expect(get(AbortSignal.abort(cancelled()))).rejects.toMatchObject({code: 'cancelled'});
});

describe('an expired token', () => {
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

  test('that has come to its announced end is not told as a refusal', async () => {
    const {issuer} = await tokenServer(() => ({status: 400, body: {error: 'invalid_grant'}}));
    const {get, kept} = await signedIn(issuer, {signInEndsAt: Date.now() + 1_000});
    const message = `You are signed out of acme: the sign-in reached the end that ${issuer} had set for it.`;
    const reason = `The sign-in reached the end that ${issuer} had set for it.`;
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required', message, about: {reason}});
    await expect(get()).rejects.toMatchObject({message});
    expect(await kept()).toMatchObject({refused: {isAnnounced: true}});
    // A refusal long before the end is announced.
    const early = await signedIn(issuer, {signInEndsAt: Date.now() + 3_600_000});
    await expect(early.get()).rejects.toMatchObject({message: expect.stringContaining('refused to renew')});
  });

  test('whose renewal is refused ends the sign-in, and says so from then on without asking again', async () => {
    const {issuer, asked} = await tokenServer(() => ({
      status: 400,
      body: {error: 'invalid_grant', error_description: 'Invalid refresh token'},
    }));
    const {get, kept} = await signedIn(issuer);
    const failure = {
      code: 'auth-sign-in-required',
      message: `You are signed out of acme: ${issuer} refused to renew the sign-in (invalid_grant: Invalid refresh token).`,
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
    const get = () => collect(accessToken, context, portsIn(home));
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    // The first time, in both ways of sending the secret.
    expect(asked).toHaveLength(2);
    expect(await portsIn(home).credentials.get(context)).toMatchObject({clientSecret: 'old'});
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
    // The address of its keys answers with something else.
    await expect(get()).rejects.toMatchObject({
      code: 'platform-invalid-answer',
      message: expect.stringContaining('/jwks'),
    });
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
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('could not be saved')});
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

  test('is asked for again at once by a person who looks at it', async () => {
    const {issuer, asked} = await tokenServer((form, count) =>
      count === 1 ? {status: 502, body: '<html>bad gateway'} : rotating(form, count),
    );
    const {get, now} = await signedIn(issuer);
    await expect(get()).rejects.toMatchObject({code: 'platform-error'});
    await expect(get()).rejects.toMatchObject({code: 'platform-error'});
    expect((await now()).result.accessToken).toBe('access-2');
    expect(asked).toHaveLength(2);
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
      about: {url: issuer},
    });
  });
});

describe('a token that a server refuses although its time is not over', () => {
  test('is renewed', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {instead, kept} = await signedIn(issuer, {age: 60, left: 3540});
    expect((await instead('access-0')).result.accessToken).toBe('access-1');
    expect(asked).toHaveLength(1);
    expect(await kept()).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
  });

  test('is replaced without network by one that another process has got since', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const {instead} = await signedIn(issuer, {age: 60, left: 3540});
    expect((await instead('access-of-before')).result.accessToken).toBe('access-0');
    expect(asked).toEqual([]);
  });

  test('is replaced by that one also where it is due, and the file is held', async () => {
    const {issuer} = await tokenServer(rotating);
    const {home, context} = await signedIn(issuer, {age: 3400, left: 200});
    const ports = portsIn(home);
    const update = () => Promise.reject(new SetupError('local-locked', 'It is held.'));
    const held = {...ports, credentials: {...ports.credentials, update}};
    const {result} = await collect(accessTokenInstead, {context, refused: 'access-of-before'}, held);
    expect(result.accessToken).toBe('access-0');
  });

  test('is not handed out again where it cannot be renewed just now, and the provider is left alone for a moment', async () => {
    const {issuer, asked} = await tokenServer(() => ({status: 502, body: '<html>bad gateway'}));
    const {instead} = await signedIn(issuer, {age: 60, left: 3540});
    await expect(instead('access-0')).rejects.toMatchObject({code: 'platform-error'});
    await expect(instead('access-0')).rejects.toMatchObject({code: 'platform-error'});
    expect(asked).toHaveLength(1);
  });
});

describe('who waits for another process with the same sign-in', () => {
  const stale = async () => {
    const {issuer, asked} = await tokenServer(rotating);
    return {...(await signedIn(issuer)), asked};
  };

  test('takes the token that it got', async () => {
    const {keptBy, asked} = await stale();
    const {result} = await keptBy(({credentials}) => async (key, work) => {
      const other = {accessToken: 'of-another', refreshToken: 'refresh-of-another', expiresAt: Date.now() + 3_600_000};
      await credentials.update(key, async kept => kept && {...kept, ...other, obtainedAt: Date.now()});
      return credentials.transaction(key, work);
    });
    expect(result.accessToken).toBe('of-another');
    expect(asked).toEqual([]);
  });

  test('is signed out where that one signed out', async () => {
    const {keptBy, asked, kept} = await stale();
    const getting = keptBy(({credentials}) => async (key, work) => {
      await credentials.update(key, async () => undefined);
      return credentials.transaction(key, work);
    });
    await expect(getting).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: 'You are signed out of acme.',
    });
    expect(asked).toEqual([]);
    expect(await kept()).toBeUndefined();
  });

  test('is told that the renewal was refused where that one was', async () => {
    const {keptBy, asked} = await stale();
    const getting = keptBy(({credentials}) => async (key, work) => {
      const refused = {at: Date.now(), reason: 'invalid_grant'};
      await credentials.update(key, async () => ({issuer: key.issuer, clientId: key.clientId, refused}));
      return credentials.transaction(key, work);
    });
    await expect(getting).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: expect.stringMatching(/signed out of acme: \S+ refused to renew the sign-in\.$/),
    });
    expect(asked).toEqual([]);
  });

  test('has to sign in where nothing is left to renew with', async () => {
    const {keptBy, asked} = await stale();
    const getting = keptBy(({credentials}) => async (key, work) => {
      await credentials.update(key, async kept => kept && withoutTokens(kept));
      return credentials.transaction(key, work);
    });
    await expect(getting).rejects.toMatchObject({code: 'auth-sign-in-required'});
    expect(asked).toEqual([]);
  });

  test('can stop', async () => {
    const {keptBy, asked} = await stale();
    const stop = new AbortController();
    const getting = keptBy(
      () => () => {
        queueMicrotask(() => stop.abort(cancelled()));
        return new Promise(() => {});
      },
      stop.signal,
    );
    await expect(getting).rejects.toMatchObject({code: 'cancelled'});
    expect(asked).toEqual([]);
  });

  test('renews nothing when the file is free after somebody stopped', async () => {
    const {keptBy, asked} = await stale();
    const stop = new AbortController();
    let waited: Promise<unknown> = Promise.resolve();
    const getting = keptBy(
      ({credentials}) =>
        (key, work) => {
          stop.abort(cancelled());
          const ended = credentials.transaction(key, work);
          waited = ended.catch(error => error);
          return ended;
        },
      stop.signal,
    );
    await expect(getting).rejects.toMatchObject({code: 'cancelled'});
    expect(await waited).toMatchObject({code: 'cancelled'});
    expect(asked).toEqual([]);
  });
});

describe('a renewal', () => {
  test('without an ID token leaves the account known, as a refused one does', async () => {
    const good = await tokenServer(rotating);
    const renewed = await signedIn(good.issuer, {account: 'ann'});
    await renewed.get();
    expect(await renewed.kept()).toMatchObject({accessToken: 'access-1', account: 'ann'});

    const {issuer} = await tokenServer(() => ({status: 400, body: {error: 'invalid_grant'}}));
    const {get, kept} = await signedIn(issuer, {account: 'ann'});
    await expect(get()).rejects.toMatchObject({code: 'auth-sign-in-required'});
    const refused = {at: expect.any(Number), reason: expect.any(String), said: 'invalid_grant'};
    expect(await kept()).toEqual({issuer, clientId: 'platform-cli', account: 'ann', refused});
  });

  test('is asked for without the resource where the identity provider refuses that one (RFC 8707 2)', async () => {
    const resource = 'https://api.example/mcp';
    const {issuer, asked} = await tokenServer((form, count) =>
      form.has('resource') ? {status: 400, body: {error: 'invalid_target'}} : rotating(form, count),
    );
    const {get} = await signedIn(issuer, {resource});
    expect((await get()).result.accessToken).toBe('access-2');
    expect(asked.map(form => [form.get('refresh_token'), form.get('resource')])).toEqual([
      ['refresh-0', resource],
      ['refresh-0', null],
    ]);
  });

  test.each([
    ['about a resource that nobody asked for', {error: 'invalid_target'}, undefined],
    ['about something else than the resource', {error: 'invalid_request'}, 'https://api.example/mcp'],
  ])('is asked for once where the answer is %s', async (_what, body, resource) => {
    const {issuer, asked} = await tokenServer(() => ({status: 400, body}));
    const {get, kept} = await signedIn(issuer, resource === undefined ? {} : {resource});
    await expect(get()).rejects.toBeInstanceOf(SetupError);
    expect(asked).toHaveLength(1);
    expect(await kept()).toMatchObject({refreshToken: 'refresh-0'});
  });

  test('that the client may not ask for says who can change that, and ends nothing', async () => {
    const {issuer} = await tokenServer(() => ({status: 400, body: {error: 'unauthorized_client'}}));
    const {get, kept} = await signedIn(issuer);
    await expect(worded(get())).rejects.toMatchObject({
      code: 'auth-grant-missing',
      message: `${issuer} does not let platform-cli renew a sign-in.`,
      about: {url: issuer},
      remedy: expect.stringMatching(
        /the client platform-cli the grant refresh_token\. .* npx setup login --context acme\.$/,
      ),
    });
    expect(await kept()).toMatchObject({accessToken: 'access-0', refreshToken: 'refresh-0'});
  });

  test('for one server alone is by the secret that is kept with the sign-in, and only there', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const ports = portsIn(await temporaryDirectory());
    const resources = {observability: 'https://observer.example/mcp'};
    const context: Context = {...contextAt(issuer), signIn: 'service-account', clientId: 'ci', resources};
    await ports.credentials.replace(context, {issuer, clientId: 'ci', clientSecret: 'secret'});
    const own = contextFor(context, 'observability');
    const get = async () => (await collect(accessToken, own, ports)).result.accessToken;
    expect([await get(), await get()]).toEqual(['access-1', 'access-1']);
    await ports.credentials.update(own, async kept => kept && {...kept, expiresAt: 1});
    expect(await get()).toBe('access-2');
    expect(asked.map(form => [form.get('client_secret'), form.get('resource')])).toEqual([
      ['secret', resources.observability],
      ['secret', resources.observability],
    ]);
    expect(await ports.credentials.get(own)).not.toHaveProperty('clientSecret');
    expect(await ports.credentials.get(context)).toEqual({issuer, clientId: 'ci', clientSecret: 'secret'});
  });

  test('for one server alone that cannot be had just now needs nobody to sign in', async () => {
    const {issuer} = await tokenServer(() => ({status: 502, body: '<html>'}));
    const ports = portsIn(await temporaryDirectory());
    const resources = {observability: 'https://observer.example/mcp'};
    const context: Context = {...contextAt(issuer), signIn: 'service-account', clientId: 'ci', resources};
    await ports.credentials.replace(context, {issuer, clientId: 'ci', clientSecret: 'secret'});
    const getting = collect(accessToken, contextFor(context, 'observability'), ports);
    await expect(getting).rejects.toMatchObject({code: 'platform-error'});
  });

  test('that fails in a way that nobody foresaw is not taken for one that worked', async () => {
    const {issuer} = await tokenServer(rotating);
    const {keptBy} = await signedIn(issuer);
    const getting = keptBy(({credentials}) => async (key, work) => {
      await credentials.transaction(key, work);
      throw new TypeError('This is a bug.');
    });
    await expect(getting).rejects.toThrow('This is a bug.');
  });
});

describe('a sign-in that has ended', () => {
  const none = {accessToken: undefined, refreshToken: undefined} as object;
  const refused = () => ({...none, refused: {at: Date.now() - 7_200_000, reason: 'invalid_grant'}});

  test.each([
    ['that is not kept', () => none, 'You are signed out of acme.', undefined],
    [
      'whose renewal was refused',
      refused,
      expect.stringMatching(/^You are signed out of acme: \S+ refused to renew the sign-in 2 h ago\.$/),
      expect.stringMatching(/^\S+ refused to renew the sign-in 2 h ago\.$/),
    ],
  ])('%s says how to begin it anew', async (_what, kept, message, reason) => {
    const {get, home} = await signedIn(await closedOrigin(), kept());
    const ended = {code: 'auth-sign-in-required', message};
    const error = await get().catch(caught => caught);
    expect(worded(error)).toMatchObject({...ended, remedy: 'Run npx setup to sign in.'});
    expect(error.about.reason).toEqual(reason);
    const {config} = portsIn(home);
    await config.saveContext(contextAt('https://idp.example.com'));
    await expect(worded(get())).rejects.toMatchObject({...ended, remedy: 'Run npx setup to sign in.'});
    // A plain setup would sign in to another deployment, so the remedy names the context.
    await config.saveContext({...contextAt('https://idp.example.com'), name: 'other'});
    const remedy = 'Sign in again: npx setup login --context acme.';
    await expect(worded(get())).rejects.toMatchObject({...ended, remedy});
  });

  test('of a client whose secret is gone has nothing to do with refresh tokens', async () => {
    const ports = portsIn(await temporaryDirectory());
    const context: Context = {...contextAt('https://idp.example.com'), signIn: 'mcp-client'};
    const {issuer, clientId} = context;
    await ports.credentials.replace(context, {issuer, clientId, accessToken: 'access', expiresAt: 1});
    await expect(collect(accessToken, context, ports)).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: 'You are signed out of acme.',
    });
  });

  test('for want of a refresh token says so, and who can change that', async () => {
    const {get} = await signedIn(await closedOrigin(), {refreshToken: undefined as never});
    const reason = 'The sign-in cannot be renewed: the identity provider issued no refresh token.';
    await expect(worded(get())).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message:
        'You are signed out of acme: the sign-in cannot be renewed: the identity provider issued no refresh token.',
      remedy: expect.stringMatching(/the grant refresh_token, then sign in again: npx setup login --context acme\.$/),
      about: {reason},
    });
  });
});

describe('an access token that is good, and that nothing renews', () => {
  const good = {refreshToken: undefined as never, left: 1800};

  test('was refused by a server, and its sign-in has not ended', async () => {
    const {context, home} = await signedIn(await closedOrigin(), good);
    const instead = collect(accessTokenInstead, {context, refused: 'access-0'}, portsIn(home));
    await expect(instead).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message:
        'The server refused the access token of your sign-in to acme, which cannot be renewed: the identity provider issued no refresh token.',
    });
  });

  test('is not called refused where a person asks for another one', async () => {
    const {context, home} = await signedIn(await closedOrigin(), good);
    const input = {context, refused: 'access-0', despite: 'all'} as const;
    await expect(collect(accessTokenInstead, input, portsIn(home))).rejects.toMatchObject({
      message: 'Your sign-in to acme cannot be renewed: the identity provider issued no refresh token.',
    });
  });
});

describe('an access token of the sandbox', () => {
  test('that is still good comes without network', async () => {
    const {plan, write, context, home, token} = await atSandbox();
    await write(await plan());
    const {result, events} = await collect(accessToken, context, portsIn(home));
    expect(result.accessToken).toBe(token);
    expect(events).toEqual([]);
  });

  test('that has ended is asked for once, however many ask', async () => {
    const {plan, write, context, home, token} = await atSandbox();
    await write(await plan());
    await portsIn(home).credentials.update(context, async current => current && {...current, expiresAt: 1});
    const runs = await Promise.all(Array.from({length: 5}, () => collect(accessToken, context, portsIn(home))));
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
    await expect(collect(accessToken, context, portsIn(home))).rejects.toMatchObject({
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
    await expect(collect(accessToken, moved, portsIn(home))).rejects.toMatchObject({
      code: 'platform-unhealthy',
    });
    expect(await credentials.get(moved)).toMatchObject({clientSecret: 's', accessToken: 'old'});
  });
});
