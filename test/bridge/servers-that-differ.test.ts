import type {IncomingMessage, ServerResponse} from 'node:http';
import {brotliCompressSync, createGzip, deflateSync, gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {serve} from '../support/server.ts';
import {bridgeTo, modern} from './support/bridge.ts';
import {type Json, mcpServer, sendEvents, sendJson} from './support/mcp-server.ts';

const inputSchema = {type: 'object', properties: {region: {type: 'string', 'x-mcp-header': 'Region'}}};
const mismatch = {code: -32020, message: 'Header mismatch: Mcp-Param-Region is missing'};

describe('a tool that wants arguments in headers', () => {
  /** Starts a server that refuses a call without its header, and lists the tool on the second page. */
  const strict = (tools: readonly object[] = [{name: 'deploy', inputSchema}]) =>
    mcpServer({
      answers: {
        'tools/list': ({id, params}, response) =>
          sendJson(response, {
            jsonrpc: '2.0',
            id,
            result: params.cursor === undefined ? {tools: [], nextCursor: 'two'} : {tools},
          }),
        'tools/call': ({id, params}, response, {headers}) =>
          headers['mcp-param-region'] === params.arguments.region
            ? sendJson(response, {jsonrpc: '2.0', id, result: {content: []}})
            : sendJson(response, {jsonrpc: '2.0', id, error: mismatch}, 400),
      },
    });

  test('is listed again where the call was refused for one, and called with it', async () => {
    const server = await strict();
    const {request, messages} = await bridgeTo(server.origin);
    const call = () => request('tools/call', modern({name: 'deploy', arguments: {region: 'eu'}}));
    expect(await call()).toMatchObject({result: {content: []}});
    expect(server.methods()).toEqual(['tools/call', 'tools/list', 'tools/list', 'tools/call']);
    expect(server.last('tools/list').headers).toMatchObject({'mcp-method': 'tools/list'});
    expect(await call()).toMatchObject({result: {content: []}});
    expect(server.methods()).toHaveLength(5);
    // The assistant does not get the list that the bridge asked for.
    expect(messages()).toHaveLength(2);
  });

  test('is refused as the server says where its list does not help', async () => {
    const server = await strict([{name: 'deploy', inputSchema: {type: 'object'}}]);
    const {request} = await bridgeTo(server.origin);
    const answer = await request('tools/call', modern({name: 'deploy', arguments: {region: 'eu'}}));
    expect(answer.error).toEqual(mismatch);
    expect(server.methods().filter(method => method === 'tools/call')).toHaveLength(2);
  });
});

describe('an array of messages', () => {
  const both = (id: unknown) => [
    {jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: 1, progress: 1}},
    {jsonrpc: '2.0', id, result: {echo: true}},
  ];

  test.each([
    ['in JSON', (id: unknown, response: ServerResponse) => sendJson(response, both(id))],
    ['in an event', (id: unknown, response: ServerResponse) => sendEvents(response, both(id))],
  ])('that answers one request goes out one by one (%s)', async (_how, send) => {
    const server = await mcpServer({answers: {echo: ({id}, response) => send(id, response)}});
    const {initialize, request, lines} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('echo')).toMatchObject({result: {echo: true}});
    expect(lines.slice(1).map(line => JSON.parse(line))).toEqual([
      both(2)[0],
      {jsonrpc: '2.0', id: 2, result: {echo: true}},
    ]);
  });

  test('that answers a batch goes out as one', async () => {
    const {send, until, lines} = await bridgeTo(await serve(batchOf));
    send([
      {jsonrpc: '2.0', id: 'a', method: 'x'},
      {jsonrpc: '2.0', id: 'b', method: 'y'},
    ]);
    await until(Array.isArray as never);
    expect(lines).toHaveLength(1);
  });

  const batchOf = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: Json = JSON.parse(Buffer.concat(chunks).toString());
    sendJson(
      response,
      asked.map(({id}: Json) => ({jsonrpc: '2.0', id, result: {}})),
    );
  };
});

describe('a redirect', () => {
  /** Starts a server below `/mcp/` that redirects from `/mcp`, and records its requests by path. */
  const redirecting = async (status: number, target = '/mcp/') => {
    const asked: string[] = [];
    const origin = await serve(async (request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      if (request.url === '/mcp') return void response.writeHead(status, {Location: target}).end();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const {id, method} = JSON.parse(Buffer.concat(chunks).toString());
      if (id === undefined) return void response.writeHead(202).end();
      const described = {protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {name: 's', version: '1'}};
      sendJson(response, {jsonrpc: '2.0', id, result: method === 'initialize' ? described : {}});
    });
    return {origin, asked};
  };

  test.each([307, 308])('%i at the same server is followed, with the token and the body', async status => {
    const {origin, asked} = await redirecting(status);
    const {initialize, request} = await bridgeTo(origin);
    expect(await initialize()).toMatchObject({result: {serverInfo: {name: 's'}}});
    expect(await request('ping')).toMatchObject({result: {}});
    expect(asked.slice(0, 2)).toEqual(['POST /mcp Bearer access-0', 'POST /mcp/ Bearer access-0']);
    // After a permanent redirect the bridge asks the new address directly.
    const again = asked.filter(one => one.startsWith('POST /mcp ')).length;
    expect(again === 1).toBe(status === 308);
  });

  test('in a circle ends', async () => {
    const {origin, asked} = await redirecting(307, '/mcp');
    const {request} = await bridgeTo(origin);
    expect((await request('tools/list', modern())).error.message).toContain('redirects to ');
    expect(asked.length).toBeLessThan(6);
  });

  test.each([301, 302, 303])('%i, which would lose the body, is told with its path', async status => {
    const {origin} = await redirecting(status);
    const {request} = await bridgeTo(origin);
    expect((await request('tools/list', modern())).error.message).toContain(`redirects to ${origin}/mcp/, which`);
  });

  test('to another server is not followed: no token goes there', async () => {
    const other = await redirecting(307);
    const {origin} = await redirecting(307, `${other.origin}/mcp/`);
    const {request} = await bridgeTo(origin);
    expect((await request('tools/list', modern())).error.message).toContain(other.origin);
    expect(other.asked).toEqual([]);
  });
});

test('404 for an unknown method is no lost session', async () => {
  const unknown = {code: -32601, message: 'Method not found'};
  const server = await mcpServer({
    answers: {'prompts/list': ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, error: unknown}, 404)},
  });
  const {initialize, request} = await bridgeTo(server.origin);
  await initialize();
  expect((await request('prompts/list')).error).toEqual(unknown);
  expect(server.methods().filter(method => method === 'initialize')).toHaveLength(1);
});

describe('a server that takes long to begin', () => {
  const described = {
    protocolVersion: '2025-11-25',
    capabilities: {tools: {}},
    serverInfo: {name: 'slow', version: '1'},
  };

  /** Starts a server that delays its first handshake until the test says. */
  const slow = async () => {
    const {promise: isReady, resolve: ready} = Promise.withResolvers<void>();
    const {promise: isAsked, resolve: asked} = Promise.withResolvers<void>();
    let handshakes = 0;
    const server = await mcpServer({
      answers: {
        initialize: async ({id}, response) => {
          handshakes += 1;
          if (handshakes === 1) {
            asked();
            await isReady;
          }
          sendJson(response, {jsonrpc: '2.0', id, result: described});
        },
        'tools/list': ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, result: {tools: [{name: 'x'}]}}),
      },
    });
    return {server, ready, isAsked};
  };

  test('keeps prompts and resources for the session, which are empty where it has none', async () => {
    const {server, ready} = await slow();
    const {initialize, request, until} = await bridgeTo(server.origin, {hurry: 20});
    const {result} = await initialize();
    const listChanged = {listChanged: true};
    expect(result.capabilities).toEqual({tools: listChanged, prompts: listChanged, resources: listChanged});
    for (const list of ['tools', 'prompts', 'resources']) {
      await until(({method}) => method === `notifications/${list}/list_changed`);
    }
    expect(await request('tools/list')).toMatchObject({result: {tools: [{name: 'x'}]}});
    // The server answers -32601 to both.
    expect(await request('prompts/list')).toMatchObject({result: {prompts: []}});
    expect(await request('resources/templates/list')).toMatchObject({result: {resourceTemplates: []}});
    expect(await request('prompts/get', {name: 'a'})).toMatchObject({error: {code: -32601}});
    ready();
  });

  test('is told that the session is over which it has begun too late', async () => {
    const {server, ready, isAsked} = await slow();
    const {initialize, until} = await bridgeTo(server.origin, {hurry: 20});
    const begun = initialize();
    await isAsked;
    await begun;
    await until(({method}) => method === 'notifications/tools/list_changed');
    const [late] = server.sessions;
    ready();
    await expect.poll(() => server.seen.find(({http}) => http === 'DELETE')?.headers['mcp-session-id']).toBe(late);
    expect(server.sessions.size).toBe(1);
  });
});

describe('what a token lacks', () => {
  const rpc = {jsonrpc: '2.0', id: null, error: {code: -32000, message: 'Forbidden'}};
  const refusing = (status: number, challenge: string) => {
    const refuse = (_: unknown, response: ServerResponse) =>
      sendJson(response, rpc, status, {'WWW-Authenticate': `Bearer ${challenge}`});
    return mcpServer({answers: {'tools/list': refuse, 'tools/call': refuse}});
  };

  test('is said by the header, although the body is JSON-RPC', async () => {
    const server = await refusing(403, 'error="insufficient_scope", scope="mcp:read mcp:write"');
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    const {message, data} = (await request('tools/list')).error;
    expect(message).toContain('answered 403: Forbidden. It requires the scope: mcp:read mcp:write.');
    expect(data.code).toBe('auth-permission-missing');
  });

  test('is the body’s own word where the header says nothing of it', async () => {
    const server = await refusing(403, 'realm="x"');
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect((await request('tools/list')).error).toEqual(rpc.error);
  });

  test.each([401, 403])('may be a stronger sign-in, which no renewal brings (%i)', async status => {
    const challenge = 'error="insufficient_user_authentication", acr_values="gold silver", max_age="300"';
    const server = await refusing(status, challenge);
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    const {message, data} = (await request('tools/call', {name: 'a'})).error;
    expect(message).toContain(
      'It requires a sign-in at the level: gold silver. It requires a sign-in that is at most 300 s old.',
    );
    expect(message).toContain('login --acr-values "gold silver" --max-age 300');
    expect(data.code).toBe('auth-interaction-required');
    expect(server.methods().filter(method => method === 'tools/call')).toHaveLength(1);
    // If the server refuses the list itself, the person can sign in from the conversation.
    expect((await request('tools/list')).result.tools).toMatchObject([{name: 'sign_in'}]);
  });
});

test('a server of the transport before is called that', async () => {
  const origin = await serve((request, response) => {
    if (request.method !== 'GET') return void response.writeHead(405).end();
    response.writeHead(200, {'Content-Type': 'text/event-stream'});
    response.write('event: endpoint\ndata: /messages?session=1\n\n');
  });
  const {initialize} = await bridgeTo(origin);
  const {result} = await initialize();
  expect(result._meta['platform-setup/failure']).toMatchObject({
    code: 'platform-mcp-failed',
    message: expect.stringContaining('speaks the HTTP+SSE transport'),
  });
});

describe('an answer in a content coding that nobody asked for', () => {
  const answer = (id: unknown) => Buffer.from(JSON.stringify({jsonrpc: '2.0', id, result: {text: 'x'.repeat(5_000)}}));
  const coded = (coding: string, encode: (text: Buffer) => Buffer, type = 'application/json') =>
    mcpServer({
      answers: {
        echo: ({id}, response) => {
          response.writeHead(200, {'Content-Type': type, 'Content-Encoding': coding}).end(encode(answer(id)));
        },
      },
    });

  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: Buffer) => text],
  ] as const)('is read: %s', async (coding, encode) => {
    const server = await coded(coding, encode);
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect((await request('echo')).result.text).toHaveLength(5_000);
  });

  test('is read in a stream as it comes', async () => {
    const {promise: isRead, resolve: read} = Promise.withResolvers<void>();
    const server = await mcpServer({
      answers: {
        echo: async ({id}, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip'});
          const stream = createGzip();
          stream.pipe(response);
          stream.write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
          stream.flush();
          await isRead;
          stream.end(`data: ${answer(id)}\n\n`);
        },
      },
    });
    const {initialize, request, until} = await bridgeTo(server.origin);
    await initialize();
    const answered = request('echo');
    await until(({method}) => method === 'notifications/progress');
    read();
    expect((await answered).result.text).toHaveLength(5_000);
  });

  test.each([
    ['gzip', 'says that its answer is encoded as gzip, but it is not.'],
    ['zip', 'encoded its answer as zip, which this program cannot decode.'],
  ])('is said where it is not one, or none that is known: %s', async (coding, message) => {
    const server = await coded(coding, text => text);
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect((await request('echo')).error).toMatchObject({
      message: expect.stringContaining(message),
      data: {code: 'platform-invalid-answer'},
    });
  });
});

test('an answer whose id is a string for the number that was asked with is given to who asked', async () => {
  const server = await mcpServer({
    answers: {echo: ({id}, response) => sendJson(response, {jsonrpc: '2.0', id: String(id), result: {a: 1}})},
  });
  const {initialize, request} = await bridgeTo(server.origin);
  await initialize();
  expect(await request('echo')).toEqual({jsonrpc: '2.0', id: 2, result: {a: 1}});
});

describe('202 for a request', () => {
  test('is answered in the stream of the server’s own messages', async () => {
    let stream: ServerResponse | undefined;
    const server = await mcpServer({
      answers: {
        GET: (_, response) => {
          stream = response;
          response.writeHead(200, {'Content-Type': 'text/event-stream'}).flushHeaders();
        },
        echo: ({id}, response) => {
          response.writeHead(202).end();
          stream?.write(`data: ${JSON.stringify({jsonrpc: '2.0', id, result: {late: true}})}\n\n`);
        },
      },
    });
    const {initialize, request, send} = await bridgeTo(server.origin);
    await initialize();
    await expect.poll(() => stream).toBeDefined();
    send({jsonrpc: '2.0', method: 'notifications/roots/list_changed'});
    expect(await request('echo')).toMatchObject({result: {late: true}});
    expect(await request('echo')).toMatchObject({result: {late: true}});
  });

  test('is no answer where there is no such stream', async () => {
    const server = await mcpServer({answers: {echo: (_, response) => void response.writeHead(202).end()}});
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect((await request('echo')).error.message).toContain('instead of an MCP reply');
  });
});

test('a subscription that breaks off may be begun again', async () => {
  const server = await mcpServer({
    answers: {'subscriptions/listen': (_, response) => void response.destroy()},
  });
  const {request} = await bridgeTo(server.origin);
  const {message} = (await request('subscriptions/listen', modern())).error;
  expect(message).not.toContain('carried out');
  expect(message).not.toContain('Check whether');
});
