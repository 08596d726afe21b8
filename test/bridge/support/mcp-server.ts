import {randomUUID} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {serveRestarting} from '../../support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: Each message has a shape of its own.
export type Json = any;

/** A request as it arrived: its words, headers and bytes. */
export type Seen = {
  readonly http: string;
  readonly method: string | undefined;
  readonly message: Json;
  readonly raw: string;
  readonly headers: IncomingMessage['headers'];
};

/** Answers one message instead of the server's own answer. */
export type Answer = (message: Json, response: ServerResponse, seen: Seen) => void;

type Options = {
  readonly path?: string;
  /** Whether it accepts a bearer token. All of them by default. */
  readonly accepts?: (token: string) => boolean;
  /**
   * Answers by JSON-RPC method. `GET` is the stream of the server's own messages, which it does not offer by default.
   */
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly version?: string;
};

export const VERSION = '2025-06-18';

/** Answers with an event stream of these messages, and ends it. */
export const sendEvents = (response: ServerResponse, ...messages: readonly object[]) => {
  response.writeHead(200, {'Content-Type': 'text/event-stream'});
  response.end(messages.map(message => eventOf(message)).join(''));
};

export const eventOf = (message: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`;

export const sendJson = (response: ServerResponse, message: object, status = 200, headers: object = {}) => {
  response.writeHead(status, {'Content-Type': 'application/json', ...headers}).end(JSON.stringify(message));
};

/**
 * Starts an MCP server of the 2025 era with sessions, as strict as the protocol allows, that also answers messages of
 * the 2026 era. It records everything that it was sent, forgets its sessions on request, and misbehaves as a test
 * says.
 */
export const mcpServer = async ({accepts = () => true, answers = {}, version = VERSION}: Options = {}) => {
  const seen: Seen[] = [];
  const sessions = new Set<string>();
  const refused: string[] = [];

  const answerMessage = (one: Seen, response: ServerResponse) => {
    const {message, method, headers} = one;
    const own = method === undefined ? undefined : answers[method];
    if (method === 'initialize') {
      const session = randomUUID();
      sessions.add(session);
      response.setHeader('Mcp-Session-Id', session);
      if (own) return own(message, response, one);
      const result = {protocolVersion: version, capabilities: {}, serverInfo: {name: 'fake', version: '1'}};
      return sendEvents(response, {jsonrpc: '2.0', id: message.id, result});
    }
    const isModern = message?.params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
    const session = headers['mcp-session-id'];
    if (!isModern && !(typeof session === 'string' && sessions.has(session))) {
      return void response.writeHead(404, {'Content-Type': 'text/plain'}).end('session not found\n');
    }
    if (own) return own(message, response, one);
    if (message?.id === undefined || method === undefined) return void response.writeHead(202).end();
    if (method === 'echo') return sendEvents(response, {jsonrpc: '2.0', id: message.id, result: message.params});
    sendJson(response, {jsonrpc: '2.0', id: message.id, error: {code: -32601, message: `no ${method}`}});
  };

  const {origin, restart} = await serveRestarting(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString();
    const message: Json = raw === '' ? undefined : JSON.parse(raw);
    const http = request.method ?? '';
    const method = http === 'POST' ? message?.method : http;
    const one = {http, method, message, raw, headers: request.headers};
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (!accepts(token)) {
      refused.push(token);
      return sendJson(response, {error: 'INVALID_TOKEN'}, 401, {'WWW-Authenticate': 'Bearer'});
    }
    seen.push(one);
    if (http === 'POST') return answerMessage(one, response);
    const own = answers[http];
    if (http === 'GET' && !own) return void response.writeHead(405).end('no stream\n');
    if (own) return own(undefined, response, one);
    sessions.delete(String(request.headers['mcp-session-id']));
    response.writeHead(200).end();
  });

  return {
    origin,
    seen,
    /** The tokens that it refused, one for each request. */
    refused,
    /** Forgets every session, as a restart does. */
    forget: () => sessions.clear(),
    /** Goes away for a moment, and has forgotten every session when it returns. */
    restart: async () => {
      sessions.clear();
      await restart();
    },
    sessions,
    methods: () => seen.map(({http, method}) => (http === 'POST' ? String(method) : http)),
    last: (method: string): Seen => {
      const found = seen.findLast(one => one.method === method);
      if (!found) throw new Error(`No ${method} has arrived.`);
      return found;
    },
  };
};
