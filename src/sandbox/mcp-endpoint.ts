import {randomUUID} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import {toNodeHandler} from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type {JWTPayload} from 'jose';
import type {Hooks} from './fault-effects.ts';
import {type Handler, sendJson} from './http-server.ts';
import {forbiddenCall, showTools, unknownCall} from './protected-resource.ts';
import type {OfferedTool, RegisterTools} from './resource-tools.ts';
import type {Access} from './roles.ts';

export type McpEndpointOptions = {
  readonly serverInfo: {readonly name: string; readonly title: string; readonly version: string};
  readonly instructions: string;
  readonly registerTools: RegisterTools;
  readonly accessOf: (claims: JWTPayload) => Access;
  /** True to hide tools that the caller may not call anywhere, and to refuse such calls at the protocol level. */
  readonly hidesTools: boolean;
  /** True if a client can ask for some sets of its tools. */
  readonly hasToolSets: boolean;
  /** The answer to a request for a stream without a session. */
  readonly noSession: {readonly status: number; readonly text: string};
  /** The faults in force. */
  readonly faults?: Pick<Hooks, 'requestsOfSession' | 'toolCallsBreakOff'>;
};

/** Larger than any message for these tools, in bytes. */
const maxRequestBodySize = 1024 * 1024;

/** More sessions than a sandbox ever has open. Beyond that, the oldest is closed, and its client starts a new one. */
const maxSessions = 200;

type Session = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly desk: Desk;
  /** The number of requests so far, including the one that opened the session. */
  requests: number;
};

/** A server for one caller, who may return with another token. */
type Desk = {
  readonly server: McpServer;
  readonly owner: string;
  /**
   * Prepares the server for a message. Returns the error that answers the message instead of the server; undefined if
   * the server answers it.
   */
  receive(claims: JWTPayload, message: unknown): object | undefined;
};

/**
 * `/mcp` (platform access 4.2), for requests whose token has been checked: MCP over streamable HTTP in both eras. 2025
 * clients get a session after `initialize`, bound to the token's subject; 2026 clients need none.
 */
export const mcpEndpoint = (options: McpEndpointOptions) => {
  const {serverInfo, instructions, registerTools, accessOf, hidesTools, hasToolSets, noSession, faults} = options;
  const sessions = new Map<string, Session>();

  const openDesk = (query: URLSearchParams, {sub: owner = ''}: JWTPayload): Desk => {
    const server = new McpServer(serverInfo, {instructions, capabilities: {logging: {}, tools: {listChanged: true}}});
    const hides = hidesTools && query.get('filterByAuthz') !== 'false';
    const wanted = hasToolSets ? wantedSets(query) : [];
    let access = accessOf({});
    const tools: ReadonlyMap<string, OfferedTool> = registerTools(server, {access: () => access});
    return {
      server,
      owner,
      receive(claims, message) {
        access = accessOf(claims);
        showTools(tools, {...(hides && {access}), wanted}, methodOf(message));
        return unknownCall(message, tools) ?? (hides ? forbiddenCall(message, tools, access) : undefined);
      },
    };
  };

  /**
   * The desk of each request. The library passes the `AuthInfo` of a request to the function that creates its server.
   */
  const callers = new WeakMap<AuthInfo, {readonly desk: Desk}>();
  const modern = createMcpHandler(
    ({authInfo}) => (authInfo && callers.get(authInfo)?.desk.server) ?? openDesk(new URLSearchParams(), {}).server,
    {legacy: 'reject', maxRequestBodySize},
  );

  const withoutSession = (request: Request, claims: JWTPayload, message: unknown) => {
    const desk = openDesk(new URL(request.url).searchParams, claims);
    const refusal = desk.receive(claims, message);
    if (refusal) return Response.json(refusal);
    const authInfo: AuthInfo = {token: '', clientId: desk.owner, scopes: []};
    callers.set(authInfo, {desk});
    return modern.fetch(request, {authInfo});
  };

  const openSession = async (request: Request, claims: JWTPayload, message: unknown) => {
    const desk = openDesk(new URL(request.url).searchParams, claims);
    desk.receive(claims, message);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize,
      onsessioninitialized(id) {
        sessions.set(id, {transport, desk, requests: 1});
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
    await desk.server.connect(transport);
    return transport.handleRequest(request);
  };

  const legacy = async (request: Request, claims: JWTPayload, message: unknown) => {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      return request.method === 'GET' ? plain(noSession.status, noSession.text) : openSession(request, claims, message);
    }
    const session = sessions.get(id);
    if (session?.desk.owner !== (claims.sub ?? '')) return plain(404, 'session not found\n');
    session.requests += 1;
    if (session.requests > (faults?.requestsOfSession() ?? Number.POSITIVE_INFINITY)) {
      sessions.delete(id);
      void session.transport.close();
      return plain(404, 'session not found\n');
    }
    const refusal = session.desk.receive(claims, message);
    if (refusal) return event(refusal);
    const answer = await session.transport.handleRequest(request);
    // The library answers a DELETE with 200 and an empty body.
    return request.method === 'DELETE' && answer.status === 200 ? new Response(null, {status: 204}) : answer;
  };

  return {
    /** Serves one request on behalf of the subject of a token's claims. */
    serve(claims: JWTPayload): Handler {
      const answer = async (received: Request, response: ServerResponse) => {
        const request = accepting(received);
        const message = await messageIn(request);
        const answered = (await isLegacyRequest(request, undefined, {maxRequestBodySize}))
          ? await legacy(request, claims, message)
          : await withoutSession(request, claims, message);
        if (!faults?.toolCallsBreakOff() || methodOf(message) !== 'tools/call') return answered;
        // Once the answer is complete, the tool has run.
        await answered.text();
        response.destroy();
        return new Response();
      };
      return (request, response) =>
        toNodeHandler({fetch: received => answer(received, response)}, {maxRequestBodySize})(
          // In Node's types `method` and `url` are optional, because a response has neither; a request has both.
          Object.assign(request, {method: request.method ?? 'GET', url: request.url ?? '/'}),
          response,
        );
    },
    async close() {
      await Promise.all([modern.close(), ...[...sessions.values()].map(({transport}) => transport.close())]);
      sessions.clear();
    },
  };
};

export type McpEndpoint = ReturnType<typeof mcpEndpoint>;

/** Returns the sets of tools that an address asks for; empty for all of them. An unknown name is an empty set. */
const wantedSets = (query: URLSearchParams): readonly string[] =>
  (query.get('toolsets') ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');

/** The platform also answers clients that send no `Accept` header; the library requires one. */
const accepting = (request: Request) => {
  const accept = request.headers.get('accept');
  if (accept !== null && accept !== '*/*') return request;
  const headers = new Headers(request.headers);
  headers.set('accept', request.method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream');
  return new Request(request, {headers});
};

/** Returns the JSON of a request; undefined if it has none or is too long. The request can be read again. */
const messageIn = async (request: Request): Promise<unknown> => {
  if (request.method !== 'POST' || Number(request.headers.get('content-length')) > maxRequestBodySize) return undefined;
  return request
    .clone()
    .json()
    .catch(() => undefined);
};

const methodOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;

/** Returns one message as the only event of a stream, as the platform sends it. */
const event = (message: object) =>
  new Response(`event: message\ndata: ${JSON.stringify(message)}\n\n`, {
    headers: {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform'},
  });

const plain = (status: number, text: string) =>
  new Response(text, {
    status,
    headers: {'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff'},
  });

/** Wraps an MCP server so that the faults in force change it. */
export const hooked = (endpoint: McpEndpoint, hooks: Pick<Hooks, 'mcp' | 'demandedScope'>): McpEndpoint => ({
  ...endpoint,
  serve: claims => {
    const demanded = hooks.demandedScope();
    if (demanded === undefined || scopesOf(claims).includes(demanded)) return hooks.mcp(endpoint.serve(claims));
    return hooks.mcp((_, response) => sendJson(response, 403, forbidden, insufficient(demanded)));
  },
});

const scopesOf = ({scope}: JWTPayload): readonly string[] => (typeof scope === 'string' ? scope.split(' ') : []);

const forbidden = {error: 'FORBIDDEN', message: 'the token lacks a scope'};

/** RFC 6750 3.1. */
const insufficient = (scope: string) => ({'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`});
