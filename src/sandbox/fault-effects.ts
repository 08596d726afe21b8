import {ServerResponse} from 'node:http';
import {TLSSocket} from 'node:tls';
import type {JWTPayload} from 'jose';
import type {Service} from '../platform/platform.ts';
import {bundled} from '../platform/platforms.ts';
import {expiredCertificate, selfSignedCertificate} from './fault-certificates.ts';
import {type FaultName, inOrder} from './faults.ts';
import {type Certificate, formOf, type Handler, pathOf, readBody, replayed, sendJson, sendText} from './http-server.ts';
import type {Application} from './identity/applications.ts';
import {bearerOf} from './identity/issued-tokens.ts';
import {html, sendPage} from './identity/pages.ts';

/** What stands in front of a handler and may answer in its place. */
export type Wrap = (handler: Handler) => Handler;

/** Authorization server metadata (RFC 8414 2). */
export type Metadata = Readonly<Record<string, unknown>>;

/** An access, ID or refresh token, or what a sign-in without a browser ends with. */
export type TokenKind = 'access' | 'id' | 'refresh' | 'assertion';

/** Where a fault gets hold of the sandbox. Most faults need one of these. */
export type Effect = {
  readonly before?: {readonly [S in Service]?: Wrap};
  /** Answers in the place of the MCP servers, once the token was found good. */
  readonly mcp?: Handler;
  /** The MCP servers take only tokens with this scope. */
  readonly demandedScope?: string;
  /** After how many requests the MCP servers forget a session. */
  readonly requestsOfSession?: number;
  /** The MCP servers close the connection where the answer to a tool call should come. */
  readonly toolCallsBreakOff?: true;
  readonly metadata?: (metadata: Metadata) => Metadata;
  readonly tokenClaims?: (claims: JWTPayload, kind: TokenKind) => JWTPayload;
  readonly accessTokenFormat?: 'opaque';
  /** The servers look at the audience of tokens, whatever else they do. */
  readonly audienceCounts?: true;
  /** What the control plane says of itself. */
  readonly version?: (version: Metadata) => Metadata;
  /** The lifetime of the CLI's access tokens in seconds. */
  readonly cliTokenLifetime?: number;
  /** The CLI's client as it is registered; undefined when it is not. */
  readonly cliClient?: (client: Application) => Application | undefined;
  /** How far the clock by which the servers judge tokens is from this machine's, in milliseconds. */
  readonly clockOffset?: number;
  /** What everything is served with over https. */
  readonly certificate?: Certificate;
  readonly observerListens?: false;
  readonly holdsCallbackPort?: true;
};

/** In milliseconds. More than the hour for which tokens are good: they have ended on this machine when they come. */
const clockOffset = -90 * 60_000;

/** Every answer is dated by the servers' clock (RFC 9110 6.6.1). */
const dated: Wrap = handler => (request, response) => {
  response.setHeader('Date', new Date(Date.now() + clockOffset).toUTCString());
  return handler(request, response);
};

const moved = (claims: JWTPayload): JWTPayload => {
  const times = ['iat', 'nbf', 'exp', 'auth_time'].flatMap(name => {
    const time = claims[name];
    return typeof time === 'number' ? [[name, time + clockOffset / 1000]] : [];
  });
  return {...claims, ...Object.fromEntries(times)};
};

export const clockAhead: Effect = {
  clockOffset,
  before: {'control-plane': dated, 'identity-provider': dated, observer: dated},
  tokenClaims: moved,
};

/** What a gateway says of a service none of whose instances is ready. */
const unavailable: Handler = (_, response) => sendText(response, 503, 'no healthy upstream');

export const controlPlane503: Effect = {before: {'control-plane': () => unavailable}};

/**
 * What the sandbox lets faults change, for some faults together: those that are in force when a hook is asked, which may
 * be others at the next request. Without a fault each leaves everything as it is.
 */
export type Hooks = {
  readonly before: (service: Service, handler: Handler) => Handler;
  readonly mcp: (handler: Handler) => Handler;
  readonly demandedScope: () => string | undefined;
  readonly requestsOfSession: () => number | undefined;
  readonly toolCallsBreakOff: () => boolean;
  readonly metadata: (metadata: Metadata) => Metadata;
  readonly tokenClaims: NonNullable<Effect['tokenClaims']>;
  readonly audienceCounts: () => boolean;
  readonly version: (version: Metadata) => Metadata;
  readonly accessTokenFormat: () => 'jwt' | 'opaque';
  readonly cliTokenLifetime: () => number | undefined;
  readonly cliClient: (client: Application) => Application | undefined;
  readonly clockOffset: () => number;
  readonly certificate: () => Certificate | undefined;
  readonly observerListens: () => boolean;
  readonly holdsCallbackPort: () => boolean;
};

/**
 * Puts effects together. The first is in front: it is met first, and decides what only one can decide.
 *
 * @param effects those in force at the moment of the call
 */
export const combineHooks = (effects: () => readonly Effect[]): Hooks => {
  const first = <Name extends keyof Effect>(name: Name) =>
    effects()
      .map(effect => effect[name])
      .find(value => value !== undefined);
  return {
    before: (service, handler) => (request, response) => {
      const inFront = effects().reduceRight((behind, {before}) => before?.[service]?.(behind) ?? behind, handler);
      return inFront(request, response);
    },
    mcp: handler => (request, response) => (first('mcp') ?? handler)(request, response),
    demandedScope: () => first('demandedScope'),
    requestsOfSession: () => first('requestsOfSession'),
    toolCallsBreakOff: () => first('toolCallsBreakOff') ?? false,
    metadata: metadata => effects().reduce((known, effect) => effect.metadata?.(known) ?? known, metadata),
    tokenClaims: (claims, kind) =>
      effects().reduce((known, effect) => effect.tokenClaims?.(known, kind) ?? known, claims),
    audienceCounts: () => first('audienceCounts') ?? false,
    version: version => effects().reduce((known, effect) => effect.version?.(known) ?? known, version),
    accessTokenFormat: () => first('accessTokenFormat') ?? 'jwt',
    cliTokenLifetime: () => first('cliTokenLifetime'),
    cliClient: client =>
      effects().reduce<Application | undefined>(
        (known, {cliClient}) => (known && cliClient ? cliClient(known) : known),
        client,
      ),
    clockOffset: () => first('clockOffset') ?? 0,
    certificate: () => first('certificate'),
    observerListens: () => first('observerListens') ?? true,
    holdsCallbackPort: () => first('holdsCallbackPort') ?? false,
  };
};

/** Answers one path, and leaves the others to the handler behind. */
export const atPath =
  (path: string, instead: Wrap): Wrap =>
  handler => {
    const answer: Handler = instead(handler);
    return (request, response) => (pathOf(request) === path ? answer : handler)(request, response);
  };

/** What a rate limit says (RFC 6585 4), in whole seconds (RFC 9110 10.2.3): longer than a command waits by itself. */
const busyProvider: Handler = (_, response) =>
  sendJson(
    response,
    429,
    {error: 'temporarily_unavailable', error_description: 'Too many requests'},
    {'Retry-After': '20', 'Cache-Control': 'no-store', Pragma: 'no-cache'},
  );

export const idpBusy: Effect = {before: {'identity-provider': atPath(bundled.paths.token, () => busyProvider)}};

/**
 * Resets the connection (RFC 9293 3.5.2), which is also what refusing one does on the wire. All hosts of the gateway
 * share its port, so that a connection cannot be refused for one of them before the host is known.
 */
const cut: Handler = ({socket}) => {
  // Node resets no connection from within TLS.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
};

export const idpDown: Effect = {before: {'identity-provider': () => cut}};

/** What a company's proxy shows whom it does not know yet: a page of its own, as if it were the answer. */
const portal: Handler = (_, response) =>
  sendPage(response, 200, {
    title: 'Network sign-in',
    body: html`
<h1>Network sign-in</h1>
<form method="post" action="/network-sign-in">
<label for="user">User</label>
<input id="user" name="user" autocomplete="username">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password">
<button type="submit">Continue</button>
</form>`,
  });

export const idpHtml: Effect = {before: {'identity-provider': () => portal}};

/**
 * Does what it is asked for, and closes the connection where the answer should come: what was sent is spent then, a code,
 * or a refresh token where those rotate, and nobody has what it was spent for.
 */
const losing = atPath(bundled.paths.token, handler => async (request, response) => {
  // It is connected to nothing.
  await handler(request, new ServerResponse(request));
  response.destroy();
});

export const lostAnswer: Effect = {before: {'identity-provider': losing}};

/** Spoils every token on its way, so that the refusal is the server's own, challenge included. */
const refusing = atPath(bundled.paths.mcp, handler => (request, response) => {
  if (bearerOf(request.headers.authorization) !== undefined) request.headers.authorization = 'Bearer spoilt';
  return handler(request, response);
});

export const mcp401: Effect = {before: {'control-plane': refusing, observer: refusing}};

const forbidden = {error: 'FORBIDDEN', message: 'insufficient permissions to perform this action'};

/** RFC 6750 3.1. */
const challenge = {'WWW-Authenticate': 'Bearer error="insufficient_scope"'};

export const mcp403: Effect = {mcp: (_, response) => sendJson(response, 403, forbidden, challenge)};

/** What a gateway answers in front of a server that is overloaded, whoever asks (RFC 9110 15.6.4). In whole seconds. */
const busyServer = atPath(
  bundled.paths.mcp,
  () => (_, response) => sendText(response, 503, 'upstream overloaded', {'Retry-After': '3'}),
);

export const mcpBusy: Effect = {before: {'control-plane': busyServer, observer: busyServer}};

/** A web application answers every path that it does not know with its own first page. */
const application = atPath(
  bundled.paths.mcp,
  () => (_, response) =>
    sendPage(response, 200, {title: 'Developer console', body: html`<h1>Developer console</h1><p>Loading…</p>`}),
);

export const mcpHtml: Effect = {before: {'control-plane': application, observer: application}};

/** The redirect URI of some other program on the same machine. */
export const missingRedirect: Effect = {
  cliClient: client => ({...client, redirectUris: ['http://127.0.0.1:18910/other-callback']}),
};

/** A scope that is given to whoever asks for it, and that nobody knows of who does not (RFC 6750 3.1). */
export const missingScope: Effect = {demandedScope: 'platform:mcp'};

/** `plain` proves nothing to whoever saw the authorization request (RFC 7636 7.2). */
export const noPkce: Effect = {metadata: metadata => ({...metadata, code_challenge_methods_supported: ['plain']})};

export const noRefresh: Effect = {
  cliClient: client => ({...client, grantTypes: client.grantTypes.filter(grant => grant !== 'refresh_token')}),
};

export const oldControlPlane: Effect = {
  version: version => ({
    ...version,
    version: '0.12.3',
    gitRevision: '2f60c1ab',
    buildTime: '2025-11-18T09:12:00+0000',
  }),
};

/** Answers every use of a refresh token as if it had been revoked (RFC 6749 5.2), and leaves the rest to the provider. */
const refusingRefresh =
  (handler: Handler): Handler =>
  async (request, response) => {
    if (request.method !== 'POST' || pathOf(request) !== bundled.paths.token) return handler(request, response);
    const body = await readBody(request);
    if (formOf(request, body).get('grant_type') !== 'refresh_token') return handler(replayed(request, body), response);
    sendJson(response, 400, refused, {'Cache-Control': 'no-store', Pragma: 'no-cache'});
  };

const refused = {error: 'invalid_grant', error_description: 'Invalid refresh token'};

// Long enough to be stored as a good token, too short for the next command.
export const refreshRefused: Effect = {before: {'identity-provider': refusingRefresh}, cliTokenLifetime: 35};

/** In milliseconds: as long as an impatient person waits, and longer than most deadlines. */
export const slowness = 30_000;

/** Answers discovery (RFC 8414 3) and health at once, so that the provider is found, and everything else late. */
export const slowly =
  (handler: Handler): Handler =>
  async (request, response) => {
    const path = pathOf(request);
    const atOnce = prompt.some(prefix => path.startsWith(prefix));
    if (atOnce || (await waited(response))) return handler(request, response);
  };

const prompt = ['/.well-known/', '/health/'];

/** Whether the connection lasted until the time to answer. Its end, by either side, ends the wait too. */
const waited = (response: ServerResponse) =>
  new Promise<boolean>(resolve => {
    const gone = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', gone);
      resolve(true);
    }, slowness);
    response.once('close', gone);
  });

export const slowIdp: Effect = {before: {'identity-provider': slowly}};

/** Well signed and in time, for another platform (RFC 9068 4). */
export const wrongAudience: Effect = {
  audienceCounts: true,
  tokenClaims: (claims, kind) => (kind === 'access' ? {...claims, aud: 'https://api.other.example/mcp'} : claims),
};

/** A name that is good inside of the cluster only, as when the provider was never told its address from outside. */
export const wrongIssuer: Effect = {
  metadata: metadata => ({...metadata, issuer: 'http://identity-provider.internal:8090'}),
};

const effects: Readonly<Record<FaultName, Effect>> = {
  'idp-down': idpDown,
  'control-plane-503': controlPlane503,
  'observer-missing': {observerListens: false},
  'expired-certificate': {certificate: expiredCertificate},
  'self-signed': {certificate: selfSignedCertificate},
  'clock-ahead': clockAhead,
  'slow-idp': slowIdp,
  'idp-html': idpHtml,
  'idp-busy': idpBusy,
  'lost-answer': lostAnswer,
  'wrong-issuer': wrongIssuer,
  'no-pkce': noPkce,
  'unknown-client': {cliClient: () => undefined},
  'missing-redirect': missingRedirect,
  'no-refresh': noRefresh,
  'refresh-refused': refreshRefused,
  'opaque-tokens': {accessTokenFormat: 'opaque'},
  'wrong-audience': wrongAudience,
  'old-control-plane': oldControlPlane,
  'mcp-busy': mcpBusy,
  'mcp-forgets': {requestsOfSession: 4},
  'mcp-breaks-off': {toolCallsBreakOff: true},
  'mcp-html': mcpHtml,
  'mcp-401': mcp401,
  'mcp-403': mcp403,
  'missing-scope': missingScope,
  'port-taken': {holdsCallbackPort: true},
};

/** The faults of a running sandbox. What is in force is decided here, and asked for here by everything that they change. */
export type FaultsInForce = {
  readonly hooks: Hooks;
  /** Their names, in the order of the table. */
  names(): readonly FaultName[];
  set(names: readonly FaultName[]): void;
};

export const faultsInForce = (given: readonly FaultName[]): FaultsInForce => {
  let names = inOrder(given);
  return {
    hooks: combineHooks(() => names.map(name => effects[name])),
    names: () => names,
    set(next) {
      names = inOrder(next);
    },
  };
};
