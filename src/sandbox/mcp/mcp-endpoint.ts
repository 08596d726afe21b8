import {randomUUID} from 'node:crypto';
import {toNodeHandler} from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type {JWTPayload} from 'jose';
import type {Handler} from '../http/handler.ts';

export type McpEndpointOptions = {
  readonly serverInfo: {readonly name: string; readonly title: string; readonly version: string};
  readonly instructions: string;
  readonly registerTools: (server: McpServer) => void;
};

/** Larger than any message of these tools, in bytes. */
const maxRequestBodySize = 1024 * 1024;

/** More sessions than anybody has open. Past it the oldest ends, and its client starts a new one. */
const maxSessions = 200;

type Session = {readonly transport: WebStandardStreamableHTTPServerTransport; readonly owner: string};

/**
 * `/mcp`, platform access 4.2, for a request whose token was checked already: MCP over streamable HTTP in both eras.
 * 2025 clients get a session after `initialize`, bound to the token's subject; 2026 clients need none.
 */
export const mcpEndpoint = ({serverInfo, instructions, registerTools}: McpEndpointOptions) => {
  const sessions = new Map<string, Session>();

  const createServer = () => {
    const server = new McpServer(serverInfo, {instructions, capabilities: {logging: {}, tools: {listChanged: true}}});
    registerTools(server);
    return server;
  };

  const modern = createMcpHandler(createServer, {legacy: 'reject', maxRequestBodySize});

  const openSession = async (request: Request, owner: string) => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize,
      onsessioninitialized(id) {
        sessions.set(id, {transport, owner});
        for (const [oldest, {transport: ended}] of sessions) {
          if (sessions.size <= maxSessions) break;
          sessions.delete(oldest);
          void ended.close();
        }
      },
      onsessionclosed(id) {
        sessions.delete(id);
      },
    });
    await createServer().connect(transport);
    return transport.handleRequest(request);
  };

  const legacy = (request: Request, owner: string) => {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      return request.method === 'GET' ? plain(405, 'GET requires an active session\n') : openSession(request, owner);
    }
    const session = sessions.get(id);
    return session?.owner === owner ? session.transport.handleRequest(request) : plain(404, 'session not found\n');
  };

  return {
    /** Serves one request on behalf of whom a token's claims name. */
    serve({sub: subject = ''}: JWTPayload): Handler {
      const handle = toNodeHandler(
        {
          fetch: async received => {
            const request = accepting(received);
            return (await isLegacyRequest(request, undefined, {maxRequestBodySize}))
              ? legacy(request, subject)
              : modern.fetch(request);
          },
        },
        {maxRequestBodySize},
      );
      // Node leaves these two open, as a response has neither; a request always has both.
      return (request, response) =>
        handle(Object.assign(request, {method: request.method ?? 'GET', url: request.url ?? '/'}), response);
    },
    async close() {
      await Promise.all([modern.close(), ...[...sessions.values()].map(({transport}) => transport.close())]);
      sessions.clear();
    },
  };
};

export type McpEndpoint = ReturnType<typeof mcpEndpoint>;

/** The platform answers clients that do not say what they accept; the library insists that they do. */
const accepting = (request: Request) => {
  const accept = request.headers.get('accept');
  if (accept !== null && accept !== '*/*') return request;
  const headers = new Headers(request.headers);
  headers.set('accept', request.method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream');
  return new Request(request, {headers});
};

const plain = (status: number, text: string) =>
  new Response(text, {
    status,
    headers: {'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff'},
  });
