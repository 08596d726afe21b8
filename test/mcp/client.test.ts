import {describe, expect, test} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import {withMcpServer} from '../../src/flows/platform-tools/list-tools.ts';
import {beginSession, type McpClient} from '../../src/mcp/client.ts';
import type {CallEvent} from '../../src/ports/ports.ts';
import {type Answer, mcpServer, sendEvents, sendJson} from '../bridge/support/mcp-server.ts';
import {noSignal} from '../support/flows.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {worded} from '../support/worded.ts';

const tool = (name: string) => ({name, inputSchema: {type: 'object'}});

const answer =
  (result: (params: Record<string, unknown>) => object): Answer =>
  ({id, params}, response) =>
    sendJson(response, {jsonrpc: '2.0', id, result: result(params)});

type Options = {readonly timeout?: number; readonly signal?: AbortSignal; readonly headers?: Record<string, string>};

/** Runs `work` in a session with `origin`, and records its calls. */
const session = async <Result>(origin: string, work: (client: McpClient) => Promise<Result>, options: Options = {}) => {
  const {timeout, signal = noSignal, headers = {}} = options;
  const calls: CallEvent[] = [];
  const address = {url: `${origin}/mcp`, headers};
  const tell = (event: {readonly type: string}) => void calls.push(event as CallEvent);
  const limits = timeout === undefined ? {} : {timeout};
  const ports = portsIn(await temporaryDirectory());
  const result = await withMcpServer(address, {ports, signal, tell}, work, limits);
  return {result, calls};
};

const listTools = (client: McpClient) => client.listTools();

describe('a session', () => {
  test('is a handshake, the work and an end, each with the headers of the entry', async () => {
    const server = await mcpServer({answers: {'tools/list': answer(() => ({tools: [tool('one')]}))}});
    const {result, calls} = await session(server.origin, listTools, {headers: {'X-Key': 'k'}});
    expect(result.map(({name}) => name)).toEqual(['one']);
    expect(server.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'DELETE']);
    expect(server.seen.map(({headers}) => headers['x-key'])).toEqual(['k', 'k', 'k', 'k']);
    expect(server.last('tools/list').headers['mcp-protocol-version']).toBe('2025-06-18');
    expect(server.sessions.size).toBe(0);
    expect(calls.filter(({type}) => type === 'call-answered')).toHaveLength(4);
  });

  test('reads every page, in JSON or in events', async () => {
    const pages: Answer = ({id, params}, response) => {
      const at = Number(params.cursor ?? 0);
      const result = {tools: [tool(`t${at}`)], ...(at < 2 ? {nextCursor: String(at + 1)} : {})};
      const message = {jsonrpc: '2.0', id, result};
      if (at === 1) sendEvents(response, {jsonrpc: '2.0', method: 'notifications/message', params: {}}, message);
      else sendJson(response, message);
    };
    const server = await mcpServer({answers: {'tools/list': pages}});
    const {result} = await session(server.origin, listTools);
    expect(result.map(({name}) => name)).toEqual(['t0', 't1', 't2']);
  });

  test('does not follow pages for ever', async () => {
    const pages = answer(() => ({tools: [], nextCursor: 'again'}));
    const server = await mcpServer({answers: {'tools/list': pages}});
    await expect(session(server.origin, listTools)).rejects.toMatchObject({
      code: 'platform-mcp-failed',
      message: expect.stringContaining('more than 100 pages'),
      about: {url: `${server.origin}/mcp`},
    });
  });

  test('answers a server that asks whether somebody is there, and refuses what else it asks', async () => {
    const asking: Answer = ({id}, response) => {
      sendEvents(
        response,
        {jsonrpc: '2.0', id: 'p', method: 'ping'},
        {jsonrpc: '2.0', id: 's', method: 'sampling/createMessage', params: {}},
        {jsonrpc: '2.0', id, result: {tools: []}},
      );
    };
    const server = await mcpServer({answers: {'tools/list': asking}});
    await session(server.origin, async client => {
      await client.listTools();
      await expect.poll(() => server.seen.filter(({message}) => message?.method === undefined).length).toBe(2);
    });
    const answers = server.seen.flatMap(({message}) => (message && !message.method ? [message] : []));
    expect(answers.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
      {jsonrpc: '2.0', id: 'p', result: {}},
      {jsonrpc: '2.0', id: 's', error: expect.objectContaining({code: -32601})},
    ]);
  });

  const answers = (message: object) => ({
    send: () => {},
    next: async () => JSON.stringify({jsonrpc: '2.0', id: 1, ...message}),
    close: () => {},
  });
  const seal = 'known to nobody else';
  const data = (more: object) => ({code: 'auth-sign-in-required', ...more});
  const ours = (more = {}) => ({error: {code: -32_010, message: 'Nobody is signed in.', data: data(more)}});
  const localServer = (more = {}) => ({
    result: {
      _meta: {'platform-setup/failure': {code: 'network-refused', message: 'Oops.', ...more}},
      protocolVersion: '1',
    },
  });

  test.each([
    ['an error of our bridge’s kind', ours(), 'Nobody is signed in.'],
    ['one with a seal of its own', ours({seal: 'x'}), 'Nobody is signed in.'],
    ['another error', {error: {code: -1, message: 'No.', data: {code: 'cancelled'}}}, 'No.'],
  ])('takes no code of ours from a server: %s', async (_what, message, said) => {
    for (const options of [{}, {seal}]) {
      await expect(beginSession(answers(message), options)).rejects.toSatisfy(
        error => !(error instanceof SetupError) && (error as Error).message === said,
      );
      for (const more of [{}, {seal: 'x'}])
        expect(await beginSession(answers(localServer(more)), options)).toHaveProperty('listTools');
    }
  });

  test('takes them from our own bridge', async () => {
    const sealed = ours({seal});
    await expect(beginSession(answers(sealed), {seal})).rejects.toMatchObject({code: 'auth-sign-in-required'});
    await expect(beginSession(answers(localServer({seal})), {seal})).rejects.toMatchObject({code: 'network-refused'});
    // What is wrong and what to do are told apart, and lines to copy are left out.
    const parts = {seal, reason: 'Nobody is signed in.', remedy: 'Sign in again.\n\nkubectl apply'};
    for (const message of [{error: {...ours().error, message: 'Both.', data: data(parts)}}, localServer(parts)])
      await expect(beginSession(answers(message), {seal})).rejects.toMatchObject({
        message: 'Nobody is signed in.',
        remedy: 'Sign in again.',
      });
    const other = {error: {...sealed.error, code: -32_000}};
    await expect(beginSession(answers(other), {seal})).rejects.not.toBeInstanceOf(SetupError);
  });

  test('says nothing to a notification', async () => {
    const spoken = [
      {id: 1, result: {protocolVersion: '2025-11-25'}},
      {method: 'notifications/message', params: {}},
      {id: 2, result: {tools: []}},
    ].map(message => JSON.stringify({jsonrpc: '2.0', ...message}));
    const sent: string[] = [];
    const client = await beginSession({
      send: line => void sent.push(line),
      next: async () => spoken.shift() ?? '',
      close: () => undefined,
    });
    await client.listTools();
    expect(sent.map(line => line && JSON.parse(line).method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
  });

  test('calls a tool', async () => {
    const call = answer(({name, arguments: args}) => ({
      content: [{type: 'text', text: `${name} ${JSON.stringify(args)}`}],
    }));
    const server = await mcpServer({answers: {'tools/call': call}});
    const {result} = await session(server.origin, client => client.callTool('echo', {a: 1}));
    expect(result).toEqual({content: [{type: 'text', text: 'echo {"a":1}'}], isError: false});
  });
});

describe('a session that fails', () => {
  test.each<[string, Record<string, Answer>, string, RegExp]>([
    [
      'a handshake without a version',
      {initialize: answer(() => ({}))},
      'platform-mcp-failed',
      /names no protocol version/,
    ],
    [
      'tools that are none',
      {'tools/list': answer(() => ({tools: [{}]}))},
      'platform-mcp-failed',
      /list of tools is malformed/,
    ],
    [
      'a word that is refused',
      {'notifications/initialized': (_, response) => void response.writeHead(500).end()},
      'platform-error',
      /answered 500/,
    ],
    [
      'the server’s own error',
      {
        'tools/list': ({id}, response) =>
          sendJson(response, {jsonrpc: '2.0', id, error: {code: 1, message: 'not now'}}),
      },
      'platform-mcp-failed',
      /not now/,
    ],
    [
      'a token that is not for this',
      {'tools/list': (_, response) => void response.writeHead(403).end()},
      'auth-permission-missing',
      /\(403\)/,
    ],
    [
      'a host name that the server does not take',
      {
        'tools/list': (_, response) => {
          response.writeHead(403, {'Content-Type': 'text/plain; charset=utf-8'});
          response.end('Forbidden: invalid Host header "api.acme.localhost"\n');
        },
      },
      'platform-rejected',
      /answered 403: Forbidden: invalid Host header "api\.acme\.localhost"/,
    ],
    [
      'more than anybody reads',
      {
        'tools/list': (_, response) => {
          response.writeHead(200, {'Content-Type': 'application/json'});
          response.end(Buffer.alloc(17 * 1024 * 1024, ' '));
        },
      },
      'platform-invalid-answer',
      /more than 16 MiB/,
    ],
  ])('by %s', async (_name, answers, code, message) => {
    const server = await mcpServer({answers});
    await expect(worded(session(server.origin, listTools))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(/./),
    });
  });

  test('says which server it was', async () => {
    const server = await mcpServer({answers: {'tools/list': answer(() => ({tools: 1}))}});
    await expect(session(server.origin, listTools)).rejects.toThrow(
      `${server.origin}/mcp did not answer as an MCP server`,
    );
  });

  test('by a server that says nothing, after its time', async () => {
    const server = await mcpServer({answers: {'tools/list': () => {}}});
    await expect(session(server.origin, listTools, {timeout: 200})).rejects.toMatchObject({
      code: 'network-timeout',
      message: `${server.origin}/mcp did not answer within 0.2 s.`,
    });
  });

  test('by the person, who need not wait', async () => {
    const stop = new AbortController();
    const server = await mcpServer({answers: {'tools/list': () => stop.abort(new Error('stopped'))}});
    await expect(session(server.origin, listTools, {signal: stop.signal})).rejects.toThrow('stopped');
  });
});
