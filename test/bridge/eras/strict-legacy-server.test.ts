import {randomUUID} from 'node:crypto';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {serve} from '../../support/server.ts';
import {bridgeTo} from '../support/bridge.ts';
import {clientThat, type Speaks, serverThat} from './support.ts';

const LEGACY = '2025-11-25';

/**
 * Starts a server of the session eras that behaves like the Python SDK 1.30: it refuses every request without a
 * session with 400 before reading it, with an ID and a session of its own, and every request must name the session's
 * revision.
 */
const strictServer = async () => {
  const seen: string[] = [];
  const sessions = new Set<string>();
  const origin = await serve(async (request, response) => {
    const message = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    const session = String(request.headers['mcp-session-id'] ?? '');
    const version = request.headers['mcp-protocol-version'];
    seen.push(
      `${request.method} ${message.method ?? ''} ${version ?? '-'} ${sessions.has(session) ? 'in session' : '-'}`,
    );
    const answer = (status: number, body: object | undefined, headers = {}) =>
      response
        .writeHead(status, {'Content-Type': 'application/json', ...headers})
        .end(body === undefined ? undefined : JSON.stringify(body));
    const refuse = (why: string) => {
      const error = {code: -32600, message: `Bad Request: ${why}`};
      answer(400, {jsonrpc: '2.0', id: 'server-error', error}, {'Mcp-Session-Id': randomUUID()});
    };
    if (message.method === 'initialize') {
      const id = randomUUID();
      sessions.add(id);
      const result = {protocolVersion: LEGACY, capabilities: {tools: {}}, serverInfo: {name: 'strict', version: '1'}};
      answer(200, {jsonrpc: '2.0', id: message.id, result}, {'Mcp-Session-Id': id});
    } else if (!sessions.has(session)) refuse('Missing session ID');
    else if (version !== LEGACY) refuse(`Unsupported protocol version: ${version}`);
    else if (request.method === 'GET') answer(405, undefined);
    else if (message.id === undefined) answer(202, undefined);
    else {
      const tools = [{name: 'echo', inputSchema: {type: 'object'}}];
      const result = message.method === 'tools/list' ? {tools} : {content: [{type: 'text', text: 'done'}]};
      answer(200, {jsonrpc: '2.0', id: message.id, result});
    }
  });
  return {origin, seen};
};

test.each<Speaks>(['dual', 'modern'])('a %s client is translated to it', async how => {
  const {origin, seen} = await strictServer();
  const bridge = await bridgeTo(origin);
  const {client, transport} = await clientThat(how, bridge);
  await client.connect(transport);
  const {tools} = await client.listTools().catch(error => {
    throw new Error(seen.join('\n'), {cause: error});
  });
  expect(tools).toMatchObject([{name: 'echo'}]);
  expect(await client.callTool({name: 'echo'})).toMatchObject({content: [{text: 'done'}]});
  await client.close();
});

/** Returns a request of a client that knows from an earlier process that the server speaks the stateless era. */
const modernCall = (id: number, method: string, params: object = {}) => ({
  ...{jsonrpc: '2.0', id, method},
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': {name: 'test', version: '1'},
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

test('requests without a question before them, all at once, are translated and each answered once', async () => {
  const {origin, seen} = await strictServer();
  const {send, until, messages} = await bridgeTo(origin);
  send(modernCall(0, 'tools/list'));
  for (const id of [1, 2, 3]) send(modernCall(id, 'tools/call', {name: 'echo', arguments: {}}));
  for (const id of [0, 1, 2, 3]) await until(message => message.id === id);
  const answers = messages().filter(({id}) => id !== undefined);
  expect(answers.map(({id}) => id).toSorted()).toEqual([0, 1, 2, 3]);
  expect(answers.flatMap(({error}) => error ?? [])).toEqual([]);
  expect(seen.filter(line => line.startsWith('POST initialize'))).toHaveLength(1);
});

test('a refusal of a server that speaks the stateless era is one, and is not asked about twice', async () => {
  const running = await serverThat('modern');
  const {request} = await bridgeTo(running.origin);
  const {method, params} = modernCall(0, 'tools/call', {name: 'nowhere', arguments: {}});
  const refused = await request(method, params);
  expect(refused.error ?? refused.result).toMatchObject(refused.error ? {code: expect.any(Number)} : {isError: true});
  // Several calls that are refused at once all get the refusal.
  const all = await Promise.all([1, 2, 3].map(() => request(method, params)));
  expect(all.map(({error, result}) => error?.code ?? result.isError)).toEqual(
    all.map(() => refused.error?.code ?? refused.result.isError),
  );
  const {method: list, params: more} = modernCall(0, 'tools/list');
  expect((await request(list, more)).result.tools.length).toBeGreaterThan(2);
  expect(running.seen.every(line => line.startsWith('modern'))).toBe(true);
});

test('several refusals at once, by a server that speaks the stateless era, are each told', async () => {
  const origin = await serve(async (request, response) => {
    const message = JSON.parse(await text(request));
    const isDiscovery = message.method === 'server/discover';
    const result = {supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete'};
    const error = {code: -32603, message: 'Not today'};
    response
      .writeHead(200, {'Content-Type': 'application/json'})
      .end(JSON.stringify({jsonrpc: '2.0', id: message.id, ...(isDiscovery ? {result} : {error})}));
  });
  const {send, until} = await bridgeTo(origin);
  for (const id of [0, 1, 2]) send(modernCall(id, 'tools/call', {name: 'echo', arguments: {}}));
  for (const id of [0, 1, 2]) expect(await until(message => message.id === id)).toMatchObject({error: {code: -32603}});
});
