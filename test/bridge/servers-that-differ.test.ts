import type {IncomingMessage, ServerResponse} from 'node:http';
import {describe, expect, test} from 'vitest';
import {serve} from '../support/server.ts';
import {bridgeTo, modern} from './support/bridge.ts';
import {type Json, mcpServer, sendEvents, sendJson} from './support/mcp-server.ts';

const inputSchema = {type: 'object', properties: {region: {type: 'string', 'x-mcp-header': 'Region'}}};
const mismatch = {code: -32020, message: 'Header mismatch: Mcp-Param-Region is missing'};

describe('a tool that wants arguments in headers', () => {
  /** A server that refuses a call without its header, and lists the tool on the second page. */
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
    // What was listed for the bridge is no answer to anybody else.
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
  /** A server below `/mcp/` that redirects from `/mcp`, and remembers what it was asked for where. */
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
    // What has moved for good is asked there at once.
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
