import {describe, expect, test} from 'vitest';
import {releaseNames} from '../releases/recorded.ts';
import {bearer, clientOf, runningSandbox, send, serviceToken} from '../support.ts';
import {connectedClient} from './mcp-client.ts';

const {ready} = await runningSandbox();
const token = await serviceToken(ready);

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
};

describe.each([
  ['control plane', ready.controlPlaneUrl],
  ['observer', ready.observerUrl],
])('the transport of the %s', (_, url) => {
  const headers = {...bearer(token), accept: 'application/json, text/event-stream'};
  const post = (json: unknown, extra: Record<string, string> = {}) =>
    send(`${url}/mcp`, {headers: {...headers, ...extra}, json});

  test('serves the 2026 era without a session', async () => {
    const client = await connectedClient(url, token, {versionNegotiation: {mode: {pin: '2026-07-28'}}});
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  });

  test('serves the 2025 era with a session that can be ended', async () => {
    const begun = await post(initialize);
    expect(begun.status).toBe(200);
    expect(begun.headers['content-type']).toBe('text/event-stream');
    const session = {'mcp-session-id': String(begun.headers['mcp-session-id'])};
    const notification = {jsonrpc: '2.0', method: 'notifications/initialized'};
    expect(await post(notification, session)).toMatchObject({status: 202});
    const list = {jsonrpc: '2.0', id: 2, method: 'tools/list'};
    expect(await post(list, session)).toMatchObject({status: 200});

    const end = await send(`${url}/mcp`, {method: 'DELETE', headers: {...headers, ...session}});
    expect([end.status, end.text]).toEqual([204, '']);
    expect(await post(list, session)).toMatchObject({status: 404, text: 'session not found\n'});
  });

  test('answers a client that does not say what it accepts', async () => {
    expect(await send(`${url}/mcp`, {headers: bearer(token), json: initialize})).toMatchObject({status: 200});
  });

  test("a session is its owner's only", async () => {
    const begun = await post(initialize);
    const {clientId, clientSecret} = clientOf(ready, 'service_account');
    const other = await send(`${ready.authUrl}/oauth2/token`, {
      form: {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret},
    });
    const session = {'mcp-session-id': String(begun.headers['mcp-session-id'])};
    const stolen = {...session, ...bearer(other.json.access_token)};
    expect(await post({jsonrpc: '2.0', id: 2, method: 'tools/list'}, stolen)).toMatchObject({status: 404});
  });

  test('has no stream without a session, and no session that it did not begin', async () => {
    const get = await send(`${url}/mcp`, {headers});
    expect(get).toMatchObject({status: 405, text: 'GET requires an active session\n'});
    expect(await post(initialize, {'mcp-session-id': 'nope'})).toMatchObject({status: 404});
  });

  test('has no tool but its own, and says so in an error of the protocol', async () => {
    for (const era of [{}, {versionNegotiation: {mode: {pin: '2026-07-28'}}}] as const) {
      const client = await connectedClient(url, token, era);
      await expect(client.callTool({name: 'no_such_tool', arguments: {}})).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining('unknown tool "no_such_tool"'),
      });
    }
  });

  test.each<[string, string, number]>([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['null', 'null', 400],
    ['no message', '{"a":1}', 400],
    ['a call before the beginning', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400],
    ['too much', `"${'x'.repeat(1_100_000)}"`, 413],
  ])('survives %s', async (_, body, status) => {
    const answer = await send(`${url}/mcp`, {
      method: 'POST',
      headers: {...headers, 'content-type': 'application/json'},
      body,
    });
    expect(answer).toMatchObject({status, json: {jsonrpc: '2.0', error: {code: expect.any(Number)}}});
    expect(await post(initialize)).toMatchObject({status: 200});
  });
});

describe.each(releaseNames)('the MCP servers of release %s', async release => {
  const {ready} = await runningSandbox({release});
  const headers = {...bearer(await serviceToken(ready)), accept: 'application/json, text/event-stream'};

  test.each(['controlPlaneUrl', 'observerUrl'] as const)('refuse a stream without a session: %s', async server => {
    const isFirst = release === '0.14' || release === '0.15';
    expect(await send(`${ready[server]}/mcp`, {headers})).toMatchObject(
      isFirst
        ? {status: 405, text: 'GET requires an active session\n'}
        : {status: 400, text: 'Bad Request: GET requires an Mcp-Session-Id header\n'},
    );
  });

  test.each(['controlPlaneUrl', 'observerUrl'] as const)('treat a foreign host as it was seen: %s', async server => {
    const atHost = (more: Record<string, string>, path = '/mcp') =>
      send(`${ready[server]}${path}`, {headers: {...more, host: 'evil.example'}, json: initialize});
    const isServed = ['0.15', '0.16', '0.17'].includes(release);
    const refused = release === '0.14' ? 421 : 403;
    expect((await atHost({})).status).toBe(isServed ? 401 : refused);
    expect((await atHost(headers)).status).toBe(isServed ? 200 : refused);
    // A web page cannot use this way in.
    expect((await atHost({...headers, origin: 'http://evil.example'})).status).toBe(refused);
    expect((await atHost(headers, '/health')).status).toBe(421);
  });
});
