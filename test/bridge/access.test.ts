import {describe, expect, test} from 'vitest';
import {createAccess} from '../../src/bridge/access.ts';
import type {Context} from '../../src/domain/context.ts';
import type {Credentials} from '../../src/domain/credentials.ts';
import type {McpServer} from '../../src/domain/mcp-servers.ts';
import type {ToolChoice} from '../../src/domain/tool-sets.ts';
import {remedyText} from '../../src/errors/describe-error.ts';
import {SetupError} from '../../src/errors/errors.ts';
import type {Ports} from '../../src/ports/ports.ts';
import {contextAt} from '../support/context.ts';
import {noSignal} from '../support/flows.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {rotating, tokenServer} from '../support/token-server.ts';
import {worded} from '../support/worded.ts';

const HOUR = 3_600_000;

/** Sets up a sign-in whose files, reads and time the test controls. */
const signInAt = async (issuer: string, server: McpServer = 'control-plane', tools?: ToolChoice) => {
  const own = portsIn(await temporaryDirectory());
  const start = Date.now();
  const state = {
    context: contextAt(issuer),
    versions: {config: '1', credentials: '1'},
    /** Milliseconds since the start. */
    elapsed: 0,
    reads: 0,
    found: 0,
    /** Called after each read of the credentials. */
    onRead: () => {},
  };
  const clock = {...own.clock, now: () => start + state.elapsed, monotonic: () => state.elapsed};
  const get: typeof own.credentials.get = async key => {
    state.reads += 1;
    const kept = await own.credentials.get(key);
    state.onRead();
    return kept;
  };
  const findContext = async () => {
    state.found += 1;
    return {context: state.context, ports};
  };
  const fileVersion = (path: string) => state.versions[path === own.config.path ? 'config' : 'credentials'];
  const ports: Ports = {...own, clock, credentials: {...own.credentials, get}};
  const notices: string[] = [];
  const access = createAccess({server, tools, findContext, fileVersion}, ports, noSignal);
  access.noticed(found => void notices.push(`${found.message} ${remedyText(found)}`));
  const keep = async (more: Partial<Credentials>) => {
    const {clientId} = state.context;
    const times = {obtainedAt: clock.now(), expiresAt: clock.now() + HOUR};
    await own.credentials.replace(state.context, {issuer, clientId, accessToken: 'kept', ...times, ...more});
  };
  return {access, state, keep, notices, ports};
};

const issuer = 'https://idp.acme.example';

describe('what is good now', () => {
  test('is read once, and is there at once from then on', async () => {
    const {access, state, keep} = await signInAt(issuer);
    await keep({});
    const [one, other] = [access.current(), access.current()];
    expect(one).toBe(other);
    expect(await one).toMatchObject({url: new URL(`${issuer}/mcp`), token: 'kept'});
    expect(access.current()).toBe(await one);
    expect([state.found, state.reads]).toEqual([1, 1]);
  });

  test.each<[ToolChoice, string]>([
    ['all', ''],
    ['build', '?toolsets=namespace,project,component,deployment,build,resource'],
    ['run', '?toolsets=namespace,project,deployment,pe'],
  ])('is at the address that lists %s tools, by the same token', async (tools, query) => {
    const {access, keep} = await signInAt(issuer, 'control-plane', tools);
    await keep({});
    expect(await access.current()).toMatchObject({url: new URL(`${issuer}/mcp${query}`), token: 'kept'});
  });

  test.each(['config', 'credentials'] as const)('is read again once the %s may have changed', async file => {
    const {access, state, keep} = await signInAt(issuer);
    await keep({});
    await access.current();
    await keep({accessToken: 'next'});
    expect(access.current()).toMatchObject({token: 'kept'});
    state.versions[file] = '2';
    expect(await access.current()).toMatchObject({token: 'next'});
    expect(access.current()).toMatchObject({token: 'next'});
  });

  test('is read again where it changed while it was read', async () => {
    const {access, state, keep} = await signInAt(issuer);
    await keep({});
    state.onRead = () => {
      state.versions.credentials = '2';
    };
    await access.current();
    await keep({accessToken: 'next'});
    expect(await access.current()).toMatchObject({token: 'next'});
  });

  test('is at the address that the context says', async () => {
    const {access, state, keep} = await signInAt(issuer, 'observability');
    state.context = {...state.context, observerUrl: 'https://observer.acme.example'};
    await keep({});
    expect(await access.current()).toMatchObject({url: new URL('https://observer.acme.example/mcp')});
  });

  test('is nothing without an address, and that is not remembered', async () => {
    const {access, state, keep} = await signInAt(issuer, 'observability');
    await keep({});
    await expect(worded(access.current())).rejects.toMatchObject({
      code: 'platform-observer-missing',
      message: 'No observer is known for acme.',
      remedy: 'Set it up again with the observer’s address: npx setup --context acme --observer-url URL.',
      about: {flag: 'observer-url'},
    });
    state.context = {...state.context, observerUrl: 'https://observer.acme.example'};
    expect(await access.current()).toMatchObject({token: 'kept'});
  });

  test('is renewed once it is no more good, and the renewed token is there at once', async () => {
    const {issuer: provider, asked} = await tokenServer(rotating);
    const {access, state, keep} = await signInAt(provider);
    await keep({refreshToken: 'refresh-0'});
    expect(await access.current()).toMatchObject({token: 'kept'});
    state.elapsed = HOUR;
    expect(await access.current()).toMatchObject({url: new URL(`${provider}/mcp`), token: 'access-1'});
    expect(access.current()).toMatchObject({token: 'access-1'});
    expect(asked).toHaveLength(1);
  });

  test('is looked for anew each time where the token should be renewed, and cannot be', async () => {
    const {access, state, keep} = await signInAt(issuer);
    await keep({});
    state.elapsed = HOUR - 60_000;
    expect(await access.current()).toMatchObject({token: 'kept'});
    const again = access.current();
    expect(again).toBeInstanceOf(Promise);
    expect(await again).toMatchObject({token: 'kept'});
  });
});

test('what was begun before a sign-in does not answer for what is asked after it', async () => {
  const ports = portsIn(await temporaryDirectory());
  const context = contextAt(issuer);
  let kept: Credentials | undefined;
  let version = 'before';
  const [first, second] = [Promise.withResolvers<Context>(), Promise.withResolvers<Context>()];
  const found = [first.promise, second.promise];
  const access = createAccess(
    {
      server: 'control-plane',
      findContext: async own => ({
        context: await (found.shift() ?? Promise.reject(new Error('It was read too often.'))),
        ports: own,
      }),
      fileVersion: () => version,
    },
    {...ports, credentials: {...ports.credentials, get: async () => kept}},
    noSignal,
  );
  const before = Promise.resolve(access.current()).catch(error => error.code);
  version = 'after';
  const after = access.current();
  first.resolve(context);
  expect(await before).toBe('auth-sign-in-required');
  // The end of the first request does not end the second one, which all later callers share.
  expect(access.current()).toBe(after);
  const {clientId} = context;
  kept = {issuer, clientId, accessToken: 'new', obtainedAt: Date.now(), expiresAt: Date.now() + HOUR};
  second.resolve(context);
  expect(await after).toMatchObject({token: 'new'});
});

describe('a token that the server refuses', () => {
  const refusedOnce = async () => {
    const {issuer: provider, asked} = await tokenServer(rotating);
    const scene = await signInAt(provider);
    await scene.keep({refreshToken: 'refresh-0'});
    const first = await scene.access.current();
    scene.access.taken(first);
    scene.state.elapsed = 10_000;
    return {...scene, asked, first, renewed: await scene.access.instead(first)};
  };

  test('is renewed once for all who were refused with it', async () => {
    const {issuer: provider, asked} = await tokenServer(rotating);
    const {access, keep} = await signInAt(provider);
    await keep({refreshToken: 'refresh-0'});
    const first = await access.current();
    const [one, other] = await Promise.all([access.instead(first), access.instead(first)]);
    expect(one).toMatchObject({url: new URL(`${provider}/mcp`), token: 'access-1'});
    expect(other).toBe(one);
    // A later caller finds the token that is saved by now.
    expect(await access.instead(first)).toMatchObject({token: 'access-1'});
    expect(asked).toHaveLength(1);
  });

  test('is not renewed again when it is a renewed one, before a minute has passed', async () => {
    const {access, state, renewed, asked} = await refusedOnce();
    state.elapsed += 59_999;
    await expect(access.instead(renewed)).rejects.toMatchObject({
      code: 'auth-token-refused',
      message: `${renewed.url.href} still refuses the token after it was renewed (401).`,
      about: {url: renewed.url.href},
    });
    expect(asked).toHaveLength(1);
    state.elapsed += 1;
    expect(await access.instead(renewed)).toMatchObject({token: 'access-2'});
  });

  test('is renewed again at once when it was taken in the meantime', async () => {
    const {access, renewed} = await refusedOnce();
    access.taken(renewed);
    expect(await access.instead(renewed)).toMatchObject({token: 'access-2'});
  });

  test('is not renewed again for another one that was taken', async () => {
    const {access, renewed, first} = await refusedOnce();
    access.taken(first);
    await expect(access.instead(renewed)).rejects.toMatchObject({code: 'auth-token-refused'});
  });

  test('is tried to be renewed again after a failure', async () => {
    let isDown = true;
    const {issuer: provider} = await tokenServer((form, count) =>
      isDown ? {status: 503, body: '<html>'} : rotating(form, count),
    );
    const {access, keep} = await signInAt(provider);
    await keep({refreshToken: 'refresh-0'});
    const first = await access.current();
    await expect(access.instead(first)).rejects.toMatchObject({code: expect.stringMatching(/^platform-/)});
    isDown = false;
    await keep({refreshToken: 'refresh-0', retryAt: 0});
    expect(await access.instead(first)).toMatchObject({token: expect.stringMatching(/^access-/)});
  });
});

describe('what the person ought to know', () => {
  const endOf = (ms: number) => `x.${Buffer.from(JSON.stringify({exp: ms / 1000})).toString('base64url')}.x`;

  test('is once that the sign-in ends within half an hour', async () => {
    const {access, state, keep, notices} = await signInAt(issuer);
    await keep({refreshToken: endOf(Date.now() + 20 * 60_000)});
    await access.current();
    state.versions.credentials = '2';
    await access.current();
    expect(notices).toEqual([
      expect.stringMatching(/^Your sign-in to acme ends at \d\d:\d\d\. Sign in again before that: npx setup login\.$/),
    ]);
  });

  test('is that also where nothing has to be read again by then', async () => {
    const {access, state, keep, notices} = await signInAt(issuer);
    await keep({refreshToken: endOf(Date.now() + 40 * 60_000)});
    await access.current();
    state.elapsed = 9 * 60_000;
    await access.current();
    expect(notices).toEqual([]);
    for (const minutes of [11, 12]) {
      state.elapsed = minutes * 60_000;
      expect(access.current()).toMatchObject({token: 'kept'});
    }
    expect(notices).toEqual([expect.stringMatching(/^Your sign-in to acme ends at/)]);
    expect(state.reads).toBe(1);
  });

  test('is the same where nothing renews the token, or no longer does', async () => {
    for (const more of [{}, {refreshToken: 'r', refused: {at: 1, reason: 'It was refused.'}}]) {
      const {access, keep, notices} = await signInAt(issuer);
      await keep({...more, expiresAt: Date.now() + 20 * 60_000});
      await access.current();
      expect(notices).toHaveLength(1);
    }
  });

  test.each<[string, Partial<Credentials>, Partial<Context>]>([
    ['that lasts', {refreshToken: endOf(Date.now() + 5 * HOUR)}, {}],
    ['whose end nobody knows', {refreshToken: 'opaque'}, {}],
    ['that says it has ended, and still works', {refreshToken: endOf(Date.now() - HOUR)}, {}],
    ['of a client, which renews by its secret', {expiresAt: Date.now() + 20 * 60_000}, {signIn: 'service-account'}],
  ])('is nothing of a sign-in %s', async (_what, kept, context) => {
    const {access, state, keep, notices} = await signInAt(issuer);
    state.context = {...state.context, ...context};
    await keep(kept);
    await access.current();
    expect(notices).toEqual([]);
  });

  test('is nothing of what a renewal calls on its way', async () => {
    const {issuer: provider} = await tokenServer(rotating);
    const {access, keep, notices} = await signInAt(provider);
    await keep({refreshToken: 'r', obtainedAt: 1, expiresAt: 2});
    expect(await access.current()).toMatchObject({token: 'access-1'});
    expect(notices).toEqual([]);
  });

  test('is told at once to who listens later', async () => {
    const {access, keep, notices} = await signInAt(issuer);
    await keep({refreshToken: endOf(Date.now() + 20 * 60_000)});
    await access.current();
    const later: string[] = [];
    access.noticed(found => void later.push(`${found.message} ${remedyText(found)}`));
    expect(later).toEqual(notices);
    expect(later).toHaveLength(1);
  });

  test('is that a renewal could not be kept, while the token is still good', async () => {
    const {issuer: provider, asked} = await tokenServer(rotating);
    const {access, state, keep, notices, ports} = await signInAt(provider);
    const now = Date.now();
    await keep({refreshToken: 'r', obtainedAt: now - 58 * 60_000, expiresAt: now + 2 * 60_000});
    const {transaction} = ports.credentials;
    const full = new SetupError('local-write-failed', 'credentials.json was not written: the disk is full.');
    const fails: typeof transaction = (key, work) =>
      transaction(key, own => work({...own, reserve: () => Promise.reject(full)}));
    Object.assign(ports.credentials, {transaction: fails});
    await access.current();
    await expect
      .poll(async () => {
        state.versions.credentials += '+';
        await access.current();
        return notices.join();
      })
      .toContain('was not renewed, because the new tokens could not be saved: credentials.json was not written');
    expect(asked).toEqual([]);
  });
});
