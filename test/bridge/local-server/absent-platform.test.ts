import {describe, expect, test} from 'vitest';
import {away, bridgeTo, modern} from '../support/bridge.ts';
import {type Answer, type Json, mcpServer, sendJson, VERSION} from '../support/mcp-server.ts';

const clientInfo = {name: 'test', version: '1'};
const changed = (list: string) => (message: Json) => message.method === `notifications/${list}/list_changed`;
const namesIn = ({result}: Json) => result.tools.map(({name}: Json) => name);

const lists: Answer = ({id}, response) =>
  sendJson(response, {jsonrpc: '2.0', id, result: {tools: [{name: 'deploy', inputSchema: {type: 'object'}}]}});

/** Starts a server that is up when the test says. Before that, its gateway reports that it is down. */
const serverAfter = async (answers: Readonly<Record<string, Answer>> = {}) => {
  const state = {isUp: false, tries: 0};
  const initialize: Answer = (message, response, seen) => {
    state.tries += 1;
    if (!state.isUp) return void response.writeHead(503, {'Content-Type': 'text/plain'}).end('down');
    const own = answers.initialize;
    if (own) return own(message, response, seen);
    const result = {protocolVersion: VERSION, capabilities: {tools: {}}, serverInfo: {name: 'fake', version: '1'}};
    sendJson(response, {jsonrpc: '2.0', id: message.id, result});
  };
  return {state, ...(await mcpServer({answers: {'tools/list': lists, ...answers, initialize}}))};
};

describe('a handshake that no server answers', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['2031-01-01', '2025-11-25'],
  ])('of version %s is answered in %s', async (protocolVersion, expected) => {
    const {request} = await bridgeTo((await mcpServer()).origin, {kept: 'none'});
    const {result} = await request('initialize', {protocolVersion, capabilities: {}, clientInfo});
    expect(result).toMatchObject({protocolVersion: expected, capabilities: {tools: {listChanged: true}}});
    expect(result.serverInfo.name).toBe('platform-setup');
    expect(result.instructions).toContain('You are signed out of acme.');
    expect(result.instructions).toContain('sign_in');
  });

  test('is answered also where the server says nothing, in time for the client', async () => {
    const server = await mcpServer({answers: {initialize: () => {}}});
    const {initialize, request} = await bridgeTo(server.origin, {hurry: 20});
    const message = expect.stringContaining('did not answer within 6 s');
    expect(await initialize()).toMatchObject(away('network-timeout', message));
    expect(namesIn(await request('tools/list'))).toEqual(['sign_in']);
  });

  test('is answered at once where the server asks to be left alone, with when to come back', async () => {
    const server = await mcpServer({
      answers: {initialize: (_message, response) => void response.writeHead(503, {'Retry-After': '3'}).end('down')},
    });
    const {initialize} = await bridgeTo(server.origin);
    expect(await initialize()).toMatchObject(
      away('platform-busy', expect.stringMatching(/is too busy \(503: down\)\. Wait 3 s, as the server asks/)),
    );
    expect(server.methods().filter(method => method === 'initialize').length).toBe(1);
  });

  test('that hangs keeps nobody from the server that comes after it', async () => {
    const held: unknown[] = [];
    let isUp = false;
    const server = await mcpServer({
      answers: {
        initialize: ({id}, response) => {
          if (!isUp) return void held.push(id);
          const result = {protocolVersion: VERSION, capabilities: {tools: {}}, serverInfo: {name: 'x', version: '1'}};
          sendJson(response, {jsonrpc: '2.0', id, result});
        },
        'tools/list': lists,
      },
    });
    const {initialize, request} = await bridgeTo(server.origin, {hurry: 20});
    await initialize();
    // One request by the client, and one by the bridge itself, which still waits for its answer.
    await expect.poll(() => held.length).toBeGreaterThan(1);
    isUp = true;
    await expect.poll(async () => namesIn(await request('tools/list')), {timeout: 5_000}).toEqual(['deploy']);
  });

  test('of the stateless era leads a client to the earlier one that is known to speak it', async () => {
    const {request, initialize} = await bridgeTo((await mcpServer()).origin, {kept: 'none'});
    expect(await request('server/discover', modern({}, 'claude-code'))).toMatchObject({error: {code: -32601}});
    expect(await initialize()).toMatchObject(away('auth-sign-in-required'));
  });
});

describe('while the platform is not there', () => {
  test('the one tool is sign_in, and nothing else is offered', async () => {
    const server = await mcpServer();
    const {initialize, request, notify, logs} = await bridgeTo(server.origin, {kept: 'none'});
    await initialize();
    const {result} = await request('tools/list');
    expect(result.tools).toMatchObject([{name: 'sign_in', inputSchema: {type: 'object', properties: {}}}]);
    expect(result.tools[0].description.length).toBeGreaterThan(50);
    expect(await request('ping')).toEqual({jsonrpc: '2.0', id: 3, result: {}});
    expect(await request('resources/list')).toMatchObject({result: {resources: []}});
    expect(await request('prompts/list')).toMatchObject({result: {prompts: []}});
    for (const method of ['resources/read', 'prompts/get', 'logging/setLevel']) {
      expect(await request(method)).toMatchObject({error: {code: -32601}});
    }
    expect(await request('tools/call', {name: 'deploy', arguments: {}})).toMatchObject({
      result: {isError: true, content: [{type: 'text', text: expect.stringMatching(/signed out of acme\. Run/)}]},
    });
    notify('notifications/roots/list_changed');
    await request('ping');
    expect(server.seen).toEqual([]);
    // Once, at the handshake: some assistants show only that there is a message.
    expect(logs).toEqual([expect.stringMatching(/^You are signed out of acme\. Run/)]);
  });

  test('a message of the stateless era is answered as that has it', async () => {
    const {request} = await bridgeTo((await mcpServer()).origin, {kept: 'none'});
    const {result} = await request('tools/list', modern());
    expect(result).toMatchObject({tools: [{name: 'sign_in'}], resultType: 'complete', ttlMs: 0, cacheScope: 'private'});
    expect(await request('tools/call', modern({name: 'deploy'}))).toMatchObject({
      error: {data: {code: 'auth-sign-in-required'}},
    });
  });
});

describe('when the platform is there', () => {
  test('a sign-in of another program brings its tools, without a request', async () => {
    const server = await mcpServer({answers: {'tools/list': lists}});
    const {initialize, request, signIn, until, messages} = await bridgeTo(server.origin, {kept: 'none'});
    await initialize();
    expect(namesIn(await request('tools/list'))).toEqual(['sign_in']);
    await signIn({});
    await until(changed('tools'));
    expect(server.methods().slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
    expect(server.last('initialize').message).toMatchObject({id: 1, params: {clientInfo}});
    expect(namesIn(await request('tools/list'))).toEqual(['deploy']);
    expect(server.last('tools/list').headers['mcp-session-id']).toBeDefined();
    expect(messages().filter(changed('tools'))).toHaveLength(1);
    expect(messages().filter(({id}) => id === 1)).toHaveLength(1);
  });

  test('the next request finds it', async () => {
    const server = await serverAfter();
    const {initialize, request, until} = await bridgeTo(server.origin);
    expect(await initialize()).toMatchObject(away('platform-unhealthy'));
    server.state.isUp = true;
    expect(namesIn(await request('tools/list'))).toEqual(['deploy']);
    await until(changed('tools'));
  });

  test('it is found without a request, by tries in growing pauses', async () => {
    const server = await serverAfter();
    const {initialize, until} = await bridgeTo(server.origin, {hurry: 100});
    await initialize();
    await expect.poll(() => server.state.tries).toBeGreaterThan(3);
    server.state.isUp = true;
    await until(changed('tools'));
  });

  test('what else it has is told as well', async () => {
    const capabilities = {tools: {}, prompts: {}, logging: {}};
    const server = await serverAfter({
      initialize: ({id}, response) =>
        sendJson(response, {
          jsonrpc: '2.0',
          id,
          result: {protocolVersion: VERSION, capabilities, serverInfo: clientInfo},
        }),
    });
    const {initialize, request, until} = await bridgeTo(server.origin);
    await initialize();
    server.state.isUp = true;
    await request('tools/list');
    for (const list of ['tools', 'prompts', 'resources']) await until(changed(list));
  });

  test('its own messages are listened to', async () => {
    const server = await serverAfter();
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    server.state.isUp = true;
    await request('tools/list');
    await expect.poll(() => server.methods()).toContain('GET');
  });

  test('many who ask at once are served by one handshake', async () => {
    const server = await serverAfter();
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    server.state.isUp = true;
    const before = server.state.tries;
    const answers = await Promise.all(Array.from({length: 20}, () => request('tools/list')));
    for (const answer of answers) expect(namesIn(answer)).toEqual(['deploy']);
    expect(server.state.tries - before).toBeLessThanOrEqual(2);
    expect(server.sessions.size).toBeGreaterThan(0);
  });
});

describe('a sign-in that ends in the middle of a session', () => {
  test('adds sign_in where the list cannot be had, until somebody signs in', async () => {
    const server = await mcpServer({answers: {'tools/list': lists}});
    const {initialize, request, others, context, signIn, until, messages} = await bridgeTo(server.origin);
    await initialize();
    expect(namesIn(await request('tools/list'))).toEqual(['deploy']);
    await others.credentials.replace(context, undefined);
    expect(await request('tools/call', {name: 'deploy'})).toMatchObject({
      error: {data: {code: 'auth-sign-in-required'}},
    });
    await until(changed('tools'));
    expect(namesIn(await request('tools/list'))).toEqual(['sign_in']);
    await signIn({});
    await expect.poll(() => messages().filter(changed('tools')).length).toBe(2);
    expect(namesIn(await request('tools/list'))).toEqual(['deploy']);
    expect(server.methods().filter(method => method === 'initialize')).toHaveLength(1);
  });

  test('is over with the next message that the server takes', async () => {
    const server = await mcpServer({answers: {'tools/list': lists}});
    const {initialize, request, others, context, signIn, messages} = await bridgeTo(server.origin);
    await initialize();
    await others.credentials.replace(context, undefined);
    expect(namesIn(await request('tools/list'))).toEqual(['sign_in']);
    await signIn({});
    expect(await request('echo', {a: 1})).toMatchObject({result: {a: 1}});
    await expect.poll(() => messages().filter(changed('tools')).length).toBe(1);
  });

  test('is not what a server is that is down for a moment', async () => {
    const down: Answer = (_, response) => void response.writeHead(503).end();
    const server = await mcpServer({answers: {'tools/list': down}});
    const {initialize, request, messages} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('tools/list')).toMatchObject({error: {data: {code: 'platform-unhealthy'}}});
    expect(messages().filter(changed('tools'))).toEqual([]);
  });
});

test('a tool of the server’s own that is called sign_in is the server’s', async () => {
  const own: Answer = ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, result: {content: []}});
  const server = await mcpServer({answers: {'tools/call': own}});
  const {initialize, request} = await bridgeTo(server.origin);
  await initialize();
  expect(await request('tools/call', {name: 'sign_in'})).toMatchObject({result: {content: []}});
  expect(server.methods()).toContain('tools/call');
});
