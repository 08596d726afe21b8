import {randomUUID} from 'node:crypto';
import type {RequestListener} from 'node:http';
import {Client, type ClientOptions, type Transport} from '@modelcontextprotocol/client';
import {NodeStreamableHTTPServerTransport, toNodeHandler} from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {vi} from 'vitest';
import {serve} from '../../support/server.ts';

/** The eras that one side speaks. */
export type Speaks = 'legacy' | 'dual' | 'modern';

export const speaks: readonly Speaks[] = ['legacy', 'dual', 'modern'];

type Era = 'legacy' | 'modern';

/** Resolves when a call that never ends has begun, and when it has been cancelled. */
type Cancelled = {readonly begun: PromiseWithResolvers<void>; readonly ended: PromiseWithResolvers<void>};

/** Creates a server of the SDK with tools, prompts and resources. */
const createOwn = (era: Era, all: Set<McpServer>, seen: Cancelled): McpServer => {
  const server = new McpServer(
    {name: 'eras', version: '1'},
    {
      capabilities: {
        ...{tools: {listChanged: true}, prompts: {listChanged: true}, logging: {}},
        resources: {subscribe: true, listChanged: true},
      },
      instructions: 'Ask me.',
    },
  );
  all.add(server);
  server.registerTool('echo', {description: 'Says it again'}, async () => ({
    content: [{type: 'text', text: era}],
    structuredContent: {era},
  }));
  server.registerTool('peek', {annotations: {readOnlyHint: true}}, async () => ({
    content: [{type: 'text', text: era}],
  }));
  server.registerTool('get_note', {}, async () => ({content: [{type: 'text', text: era}]}));
  const register = (name: string, run: (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>) =>
    server.registerTool(name, {}, (async (context: ServerContext) => run(context)) as never);
  register('slow', async ({mcpReq: {_meta, notify, log}}) => {
    const {progressToken = 0} = _meta ?? {};
    await notify({method: 'notifications/progress', params: {progressToken, progress: 1, total: 2, message: 'half'}});
    await log('warning', 'careful');
    return {content: [{type: 'text', text: 'done'}]};
  });
  register('forever', ({mcpReq: {signal}}) => {
    return new Promise((_, reject) => {
      seen.begun.resolve();
      signal.addEventListener('abort', () => {
        seen.ended.resolve();
        reject(new Error('cancelled'));
      });
    });
  });
  register('ask', async ({mcpReq}) => {
    const properties = {name: {type: 'string'}} as const;
    const params = {
      message: 'What is your name?',
      requestedSchema: {type: 'object', properties, required: ['name']},
    } as const;
    if (era === 'modern' && !mcpReq.inputResponses) {
      return inputRequired({inputRequests: {name: inputRequired.elicit(params as never)}});
    }
    const told = mcpReq.inputResponses?.name ?? (await mcpReq.elicitInput(params as never));
    const {action, content} = told as {action: string; content?: {name: string}};
    return {content: [{type: 'text', text: `${action} ${content?.name ?? ''}`.trim()}]};
  });
  server.registerPrompt('greet', {description: 'A greeting'}, async () => ({
    messages: [{role: 'user', content: {type: 'text', text: 'hello'}}],
  }));
  server.registerResource('note', 'note://one', {}, async uri => ({contents: [{uri: uri.href, text: 'one'}]}));
  return server;
};

/** Starts an HTTP server that speaks these eras and accepts these tokens. */
export const serverThat = async (how: Speaks, accepts: (token: string) => boolean = () => true) => {
  const all = new Set<McpServer>();
  const seen: string[] = [];
  const cancelled = {begun: Promise.withResolvers<void>(), ended: Promise.withResolvers<void>()};
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const modern = createMcpHandler(() => createOwn('modern', all, cancelled), {legacy: 'reject'});
  const listens: string[] = [];
  const subscriptions = new Set<string>();
  const handleModern = toNodeHandler({
    ...modern,
    fetch: async (request: Request, options?: object) => {
      const body = await request.clone().text();
      const response = await modern.fetch(request, options);
      if (body.includes('subscriptions/listen')) listens.push(body);
      return response;
    },
  });
  const handleLegacy: RequestListener = async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known) return known.handleRequest(request, response);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: session => {
        sessions.set(session, transport);
      },
    });
    const own = createOwn('legacy', all, cancelled);
    own.server.setRequestHandler('resources/subscribe', ({params}) => {
      subscriptions.add(params.uri);
      return {};
    });
    await own.connect(transport);
    await transport.handleRequest(request, response);
  };
  const origin = await serve((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!accepts(token)) {
      response.writeHead(401, {'WWW-Authenticate': 'Bearer error="invalid_token"'}).end();
      return;
    }
    const isModern = request.headers['mcp-protocol-version'] === '2026-07-28';
    seen.push(`${isModern ? 'modern' : 'legacy'} ${request.method}`);
    if (how === 'modern' || (how === 'dual' && isModern)) void handleModern(request as never, response as never);
    else void handleLegacy(request, response);
  });
  return {
    origin,
    seen,
    cancelled: {begun: cancelled.begun.promise, ended: cancelled.ended.promise},
    /** Makes all servers announce that their tools have changed, or a resource. */
    change: async () => {
      modern.notify.toolsChanged();
      for (const one of all) one.sendToolListChanged();
    },
    update: async (uri: string) => {
      modern.notify.resourceUpdated(uri);
      for (const one of all) await one.server.sendResourceUpdated({uri}).catch(() => {});
    },
    /** Resolves when a client listens for the server's notifications. */
    listening: () => vi.waitUntil(() => seen.includes('legacy GET') || listens.length > 0),
    subscribed: (uri: string) => vi.waitUntil(() => subscriptions.has(uri) || listens.some(one => one.includes(uri))),
  };
};

const modes = {legacy: 'legacy', dual: 'auto', modern: {pin: '2026-07-28'}} as const;

/** Connects a client of the SDK to the streams of a bridge. */
export const clientThat = async (
  how: Speaks,
  {stdin, stdout}: {readonly stdin: NodeJS.WritableStream; readonly stdout: NodeJS.ReadableStream},
  options: ClientOptions = {},
) => {
  const client = new Client(
    {name: `a ${how} client`, version: '1'},
    {versionNegotiation: {mode: modes[how]}, ...options},
  );
  let rest = '';
  const lines: string[] = [];
  const transport: Transport = {
    start: async () => {
      stdout.on('data', chunk => {
        const parts = `${rest}${chunk}`.split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) {
          lines.push(line);
          transport.onmessage?.(JSON.parse(line));
        }
      });
    },
    send: async message => void stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => transport.onclose?.(),
  };
  return {client, transport, lines};
};
