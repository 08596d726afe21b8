import type {IncomingMessage, ServerResponse} from 'node:http';
import type {JWTPayload} from 'jose';
import {bundled} from '../platform/platforms.ts';
import {type Handler, pathOf, sendJson, sendText} from './http-server.ts';
import {bearerOf, type TokenVerifier} from './identity/issued-tokens.ts';
import type {OfferedTool} from './resource-tools.ts';
import type {Access} from './roles.ts';

const {mcp, protectedResource} = bundled.paths;

/** The resource identifier of a service's MCP server: the audience of its tokens (RFC 8707 2). */
export const resourceOf = (serviceUrl: string) => `${serviceUrl}${mcp}`;

/** Where a service's protected resource metadata is. */
const metadataUrlOf = (serviceUrl: string) => `${serviceUrl}${protectedResource}`;

type Description = {
  readonly name: string;
  /** What the service believes its own address to be. */
  readonly url: string;
  readonly authorizationServer: string;
  readonly scopes: readonly string[];
  /** What a platform adds of its own. */
  readonly additions?: Readonly<Record<string, unknown>>;
};

/** Protected resource metadata (RFC 9728 2). */
export const resourceMetadata = ({name, url, authorizationServer, scopes, additions = {}}: Description) => ({
  resource_name: name,
  resource: resourceOf(url),
  authorization_servers: [authorizationServer],
  bearer_methods_supported: ['header'],
  scopes_supported: scopes,
  ...additions,
});

/** The challenge of an MCP server (RFC 9728 5.1), with the scopes to ask for where there are any (RFC 6750 3). */
export const challengeOf = (url: string, scopes: readonly string[]) =>
  [
    `Bearer resource_metadata="${metadataUrlOf(url)}"`,
    ...(scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
  ].join(', ');

type Protected = (request: IncomingMessage, response: ServerResponse, claims: JWTPayload) => void | Promise<void>;

/**
 * Lets only requests with a good token through, and tells the handler the token's claims (RFC 6750). The token goes no
 * further. The challenge tells clients how to get a token; MCP needs it, the REST API does not have it.
 */
export const protectedBy =
  (verify: TokenVerifier, challenge?: string) =>
  (handler: Protected) =>
  async (request: IncomingMessage, response: ServerResponse) => {
    const token = bearerOf(request.headers.authorization);
    const verdict = token === undefined ? undefined : await verify(token);
    if (verdict?.kind === 'valid') return handler(request, response, verdict.claims);
    const headers = challenge === undefined ? {} : {'WWW-Authenticate': challenge};
    sendJson(response, 401, refusals[verdict?.kind ?? 'missing'], headers);
  };

const refusals = {
  missing: {error: 'MISSING_TOKEN', message: 'missing or invalid authentication token'},
  'invalid-token': {error: 'INVALID_TOKEN', message: 'invalid or expired token'},
  'invalid-claims': {error: 'INVALID_CLAIMS', message: 'token claims validation failed'},
};

/** A call of a tool, as far as it matters who may make it. */
type Message = {readonly id?: unknown; readonly method?: unknown; readonly params?: {readonly name?: unknown}};

/** The answer to a call of a tool that there is not, in the words of the platform. Undefined for everything else. */
export const unknownCall = (received: unknown, tools: ReadonlyMap<string, OfferedTool>): object | undefined => {
  const message = received as Message | undefined | null;
  const name = message?.params?.name;
  if (message?.method !== 'tools/call' || typeof name !== 'string' || tools.has(name)) return undefined;
  const error = {code: -32_602, message: `unknown tool ${JSON.stringify(name)}`};
  return {jsonrpc: '2.0', id: message.id ?? null, error};
};

/**
 * The answer to a call of a tool that the caller may call nowhere: an error of the protocol (JSON-RPC 2.0 5.1), with
 * the code and the words of the platform. Undefined for everything else.
 */
export const forbiddenCall = (
  received: unknown,
  tools: ReadonlyMap<string, OfferedTool>,
  access: Access,
): object | undefined => {
  const message = received as Message | undefined | null;
  if (message?.method !== 'tools/call') return undefined;
  const name = String(message.params?.name);
  const action = tools.get(name)?.action;
  if (action === undefined || access.mayAnywhere(action)) return undefined;
  const text = `not authorized to call tool ${JSON.stringify(name)}: missing permission ${JSON.stringify(action)}`;
  return {jsonrpc: '2.0', id: message.id ?? null, error: {code: 0, message: text}};
};

type Shown = {
  /** Set where tools are hidden that the caller may call nowhere. */
  readonly access?: Access;
  /** The sets of tools that were asked for; none for all of them. */
  readonly wanted: readonly string[];
};

/**
 * Shows only tools that the caller may call somewhere, and of these the sets that were asked for. A set counts for the
 * list alone: who knows a tool of another one can call it. Tells no client that the list has changed, as nobody else does.
 */
export const showTools = (tools: ReadonlyMap<string, OfferedTool>, {access, wanted}: Shown, method: unknown) => {
  const isWanted = ({toolSets = []}: OfferedTool) =>
    wanted.length === 0 || method === 'tools/call' || toolSets.some(name => wanted.includes(name));
  const isPermitted = ({action}: OfferedTool) => action === undefined || access?.mayAnywhere(action) !== false;
  for (const offered of tools.values()) offered.tool.enabled = isWanted(offered) && isPermitted(offered);
};

/** An MCP server that does not look at the `Host`: the token decides. */
export const anyHost =
  (server: Handler) =>
  (request: IncomingMessage): Handler | undefined =>
    pathOf(request) === bundled.paths.mcp ? server : undefined;

/** How an MCP server refuses a `Host` that is not its own: against DNS rebinding (MCP 2025-11-25, transports). */
export const forbiddenHost = (request: IncomingMessage): Handler | undefined =>
  pathOf(request) === bundled.paths.mcp
    ? ({headers}, response) =>
        sendText(response, 403, `Forbidden: invalid Host header ${JSON.stringify(headers.host ?? '')}\n`)
    : undefined;
