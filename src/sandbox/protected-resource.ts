import type {IncomingMessage, ServerResponse} from 'node:http';
import type {JWTPayload} from 'jose';
import {bundled} from '../platform/platforms.ts';
import {type Handler, pathOf, sendJson, sendText} from './http-server.ts';
import {bearerOf, type TokenVerifier} from './identity/issued-tokens.ts';
import type {OfferedTool} from './resource-tools.ts';
import type {Access} from './roles.ts';

const {mcp, protectedResource} = bundled.paths;

/** Returns the resource identifier of a service's MCP server: the audience of its tokens (RFC 8707 2). */
export const resourceOf = (serviceUrl: string) => `${serviceUrl}${mcp}`;

/** Returns the address of a service's protected resource metadata. */
const metadataUrlOf = (serviceUrl: string) => `${serviceUrl}${protectedResource}`;

type Description = {
  readonly name: string;
  /** The address that the service believes to be its own. */
  readonly url: string;
  readonly authorizationServer: string;
  readonly scopes: readonly string[];
  /** The members that a platform adds. */
  readonly additions?: Readonly<Record<string, unknown>>;
};

/** Returns protected resource metadata (RFC 9728 2). */
export const resourceMetadata = ({name, url, authorizationServer, scopes, additions = {}}: Description) => ({
  resource_name: name,
  resource: resourceOf(url),
  authorization_servers: [authorizationServer],
  bearer_methods_supported: ['header'],
  scopes_supported: scopes,
  ...additions,
});

/** Returns the challenge of an MCP server (RFC 9728 5.1), with the scopes to request, if any (RFC 6750 3). */
export const challengeOf = (url: string, scopes: readonly string[]) =>
  [
    `Bearer resource_metadata="${metadataUrlOf(url)}"`,
    ...(scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
  ].join(', ');

type Protected = (request: IncomingMessage, response: ServerResponse, claims: JWTPayload) => void | Promise<void>;

/**
 * Wraps a handler so that only requests with a valid token reach it; it gets the token's claims, not the token (RFC
 * 6750). The challenge tells clients how to get a token. MCP requires one; the REST API has none.
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

/** A tool call: the members that decide whether it is allowed. */
type Message = {readonly id?: unknown; readonly method?: unknown; readonly params?: {readonly name?: unknown}};

/** Returns the answer to a call of an unknown tool, in the platform's words; undefined for everything else. */
export const unknownCall = (received: unknown, tools: ReadonlyMap<string, OfferedTool>): object | undefined => {
  const message = received as Message | undefined | null;
  const name = message?.params?.name;
  if (message?.method !== 'tools/call' || typeof name !== 'string' || tools.has(name)) return undefined;
  const error = {code: -32_602, message: `unknown tool ${JSON.stringify(name)}`};
  return {jsonrpc: '2.0', id: message.id ?? null, error};
};

/**
 * Returns the answer to a call of a tool that the caller may not call anywhere: a protocol error (JSON-RPC 2.0 5.1)
 * with the platform's code and words. Undefined for everything else.
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
  /** The caller's permissions, if only the tools are shown that the caller may call somewhere; absent to show all. */
  readonly access?: Access;
  /** The requested sets of tools; empty for all of them. */
  readonly wanted: readonly string[];
};

/**
 * Enables only tools that the caller may call somewhere, and of these only the requested sets. A set restricts only the
 * list: a client that knows a tool outside of it can call that tool. Sends no client a notification that the list has
 * changed.
 */
export const showTools = (tools: ReadonlyMap<string, OfferedTool>, {access, wanted}: Shown, method: unknown) => {
  const isWanted = ({toolSets = []}: OfferedTool) =>
    wanted.length === 0 || method === 'tools/call' || toolSets.some(name => wanted.includes(name));
  const isPermitted = ({action}: OfferedTool) => action === undefined || access?.mayAnywhere(action) !== false;
  for (const offered of tools.values()) offered.tool.enabled = isWanted(offered) && isPermitted(offered);
};

/** Returns an MCP server that ignores the `Host`: only the token decides. */
export const anyHost =
  (server: Handler) =>
  (request: IncomingMessage): Handler | undefined =>
    pathOf(request) === bundled.paths.mcp ? server : undefined;

/**
 * Returns the refusal of an MCP server for a `Host` that is not its own, against DNS rebinding (MCP 2025-11-25,
 * transports).
 */
export const forbiddenHost = (request: IncomingMessage): Handler | undefined =>
  pathOf(request) === bundled.paths.mcp
    ? ({headers}, response) =>
        sendText(response, 403, `Forbidden: invalid Host header ${JSON.stringify(headers.host ?? '')}\n`)
    : undefined;
