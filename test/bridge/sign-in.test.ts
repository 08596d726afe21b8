import {describe, expect, test} from 'vitest';
import {BRIDGE_FAILED} from '../../src/mcp/message.ts';
import {serve} from '../support/server.ts';
import {rotating, tokenServer} from '../support/token-server.ts';
import {away, bridgeTo} from './support/bridge.ts';
import {mcpServer, sendEvents} from './support/mcp-server.ts';

const refusedGrant = {status: 400, body: {error: 'invalid_grant', error_description: 'Invalid refresh token'}};

describe('a token', () => {
  test('that ends by the clock is renewed before it is sent', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const server = await mcpServer({accepts: token => token === 'access-1'});
    const kept = {refreshToken: 'refresh-0', obtainedAt: 1, expiresAt: 2};
    const {initialize} = await bridgeTo(server.origin, {issuer, kept});
    expect(await initialize()).toHaveProperty('result');
    expect([asked.length, server.refused]).toEqual([1, []]);
  });

  test('that the server refuses is renewed once for all that were sent with it', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    let good = 'access-0';
    const server = await mcpServer({accepts: token => token === good});
    const {initialize, request, others, context} = await bridgeTo(server.origin, {issuer, kept: {refreshToken: 'r'}});
    await initialize();
    good = 'access-1';
    const answers = await Promise.all(Array.from({length: 50}, (_, n) => request('echo', {n})));
    expect(answers.map(({result}) => result.n)).toEqual(Array.from({length: 50}, (_, n) => n));
    expect(asked).toHaveLength(1);
    expect(new Set(server.refused)).toEqual(new Set(['access-0']));
    expect(await others.credentials.get(context)).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
  });

  test('that another process has renewed is taken from the disk, and nobody is asked', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const server = await mcpServer();
    const {initialize, request, signIn} = await bridgeTo(server.origin, {issuer, kept: {refreshToken: 'r'}});
    await initialize();
    await signIn({accessToken: 'access-elsewhere', refreshToken: 'r2'});
    await request('echo', {});
    expect(server.last('echo').headers.authorization).toBe('Bearer access-elsewhere');
    expect(asked).toEqual([]);
  });

  test('that is refused also when it is new is not renewed on and on', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    const server = await mcpServer({accepts: () => false});
    const {initialize, request} = await bridgeTo(server.origin, {issuer, kept: {refreshToken: 'r'}});
    expect(await initialize()).toMatchObject(away('auth-token-refused'));
    expect(await request('tools/call', {name: 'a'})).toMatchObject({result: {isError: true}});
    expect(asked).toHaveLength(1);
  });

  test('that was taken after its renewal is renewed again when it is refused later', async () => {
    const {issuer, asked} = await tokenServer(rotating);
    let good = 'access-0';
    const server = await mcpServer({accepts: token => token === good});
    const {initialize, request} = await bridgeTo(server.origin, {issuer, kept: {refreshToken: 'r'}});
    await initialize();
    for (const next of ['access-1', 'access-2', 'access-3']) {
      good = next;
      expect(await request('echo', {})).toHaveProperty('result');
    }
    expect(asked).toHaveLength(3);
  });

  test('that cannot be renewed just now fails one request, and not the next', async () => {
    let isDown = true;
    const {issuer} = await tokenServer((form, count) =>
      isDown ? {status: 503, body: '<html>'} : rotating(form, count),
    );
    let isRevoked = false;
    const server = await mcpServer({accepts: token => !(isRevoked && token === 'access-0')});
    const {initialize, request, signIn} = await bridgeTo(server.origin, {issuer, kept: {refreshToken: 'r'}});
    await initialize();
    isRevoked = true;
    expect(await request('echo', {})).toMatchObject({error: {data: {code: expect.stringMatching(/^platform-/)}}});
    isDown = false;
    // The pause after a failure is over.
    await signIn({refreshToken: 'r', retryAt: 0});
    expect(await request('echo', {})).toHaveProperty('result');
  });
});

describe('a sign-in', () => {
  test('whose token is refused is told with what the server says of it', async () => {
    const {issuer} = await tokenServer(() => refusedGrant);
    const challenge = 'Bearer error="invalid_token", error_description="The session was \\"revoked\\" by an admin."';
    const origin = await serve((_, response) => void response.writeHead(401, {'WWW-Authenticate': challenge}).end());
    const {initialize} = await bridgeTo(origin, {issuer, kept: {refreshToken: 'r'}});
    const {instructions} = (await initialize()).result;
    expect(instructions).toContain('The server says: The session was "revoked" by an admin.');
  });

  test('that has ended is said to the assistant, and a new one in another terminal serves the same process', async () => {
    const {issuer, asked} = await tokenServer(() => refusedGrant);
    let good = 'access-0';
    const server = await mcpServer({accepts: token => token === good});
    const {initialize, request, signIn, isOver} = await bridgeTo(server.origin, {issuer, kept: {refreshToken: 'r'}});
    await initialize();
    good = 'access-new';
    const ended = {
      error: {
        code: BRIDGE_FAILED,
        message: expect.stringMatching(/^You are signed out of acme: .* Run npx setup to sign in\.$/),
        data: {code: 'auth-sign-in-required'},
      },
    };
    const answers = await Promise.all(Array.from({length: 20}, () => request('echo', {})));
    for (const answer of answers) expect(answer).toMatchObject(ended);
    // The list of tools has one by now that helps.
    expect(await request('tools/call', {name: 'a'})).toMatchObject({
      error: {
        code: BRIDGE_FAILED,
        message: expect.stringMatching(/^You are signed out of acme: .* The tool \S+ signs the user in\.$/),
        data: {code: 'auth-sign-in-required'},
      },
    });
    expect(await request('echo', {})).toMatchObject(ended);
    expect(asked).toHaveLength(1);

    await signIn({accessToken: good, refreshToken: 'r2'});
    expect(await request('echo', {back: true})).toMatchObject({result: {back: true}});
    expect(isOver()).toBe(false);
  });

  test('that another process ends is not used any more', async () => {
    const server = await mcpServer();
    const {initialize, request, others, context} = await bridgeTo(server.origin);
    await initialize();
    await others.credentials.replace(context, undefined);
    const sent = server.seen.length;
    expect(await request('echo', {})).toMatchObject({error: {data: {code: 'auth-sign-in-required'}}});
    expect(server.seen.length).toBe(sent);
  });

  test('that is not there yet is waited for', async () => {
    const server = await mcpServer();
    const {initialize, signIn} = await bridgeTo(server.origin, {kept: 'none'});
    const message = 'You are signed out of acme. Run npx setup to sign in.';
    expect(await initialize()).toMatchObject(away('auth-sign-in-required', message));
    await signIn({});
    expect(await initialize()).toHaveProperty('result');
  });

  test('to a context without an observer says what is missing', async () => {
    const server = await mcpServer();
    const {initialize} = await bridgeTo(server.origin, {server: 'observability'});
    expect(await initialize()).toMatchObject(away('platform-observer-missing'));
  });

  test('that moves to another address takes the session along', async () => {
    const [one, other] = [await mcpServer(), await mcpServer()];
    const {initialize, request, others, context} = await bridgeTo(one.origin);
    await initialize();
    await others.config.saveContext({...context, controlPlaneUrl: other.origin});
    expect(await request('echo', {})).toHaveProperty('result');
    expect(other.methods().filter(method => method !== 'GET')).toEqual([
      'initialize',
      'notifications/initialized',
      'echo',
    ]);
    expect(one.methods()).not.toContain('echo');
  });

  test('is read from the disk only when it has changed', async () => {
    const server = await mcpServer({
      answers: {ping: ({id}, response) => sendEvents(response, {jsonrpc: '2.0', id, result: {}})},
    });
    const {initialize, request, signIn, reads} = await bridgeTo(server.origin);
    await initialize();
    for (let call = 0; call < 20; call += 1) await request('ping');
    expect(reads()).toBe(1);
    await signIn({accessToken: 'access-2'});
    await Promise.all(Array.from({length: 20}, () => request('ping')));
    expect(reads()).toBe(2);
  });
});

test('no token and no secret is in anything that the bridge says', async () => {
  const {issuer} = await tokenServer(() => refusedGrant);
  const server = await mcpServer({accepts: () => false});
  const kept = {accessToken: 'canary-access', refreshToken: 'canary-refresh', clientSecret: 'canary-secret'};
  const {initialize, request, notify, lines, logs} = await bridgeTo(server.origin, {issuer, kept});
  await initialize();
  notify('notifications/roots/list_changed');
  await request('echo', {});
  expect(lines.length).toBeGreaterThan(1);
  expect([...lines, ...logs].join('\n')).not.toContain('canary');
});

test('a sign-in that ends soon is said on standard error, and to an assistant that may be warned', async () => {
  const server = await mcpServer({
    answers: {
      initialize: ({id}, response) =>
        sendEvents(response, {
          jsonrpc: '2.0',
          id,
          result: {
            protocolVersion: '2025-06-18',
            capabilities: {logging: {}, tools: {}},
            serverInfo: {name: 's', version: '1'},
          },
        }),
    },
  });
  const soon = {obtainedAt: Date.now() - 60_000, expiresAt: Date.now() + 20 * 60_000};
  const {initialize, request, signIn, until, logs} = await bridgeTo(server.origin, {kept: {}});
  await initialize();
  await signIn(soon);
  await request('echo', {});
  const words = expect.stringMatching(/^Your sign-in to acme ends at \d\d:\d\d\. Sign in again before that: /);
  const told = await until(({method, params}) => method === 'notifications/message' && params.data.includes('ends at'));
  expect(told).toMatchObject({params: {level: 'warning', logger: 'platform-setup', data: words}});
  expect(logs).toContainEqual(words);
});
