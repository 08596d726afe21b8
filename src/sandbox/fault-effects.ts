import {ServerResponse} from 'node:http';
import {TLSSocket} from 'node:tls';
import type {JWTPayload} from 'jose';
import type {Service} from '../platform/platform.ts';
import {bundled} from '../platform/platforms.ts';
import {expiredCertificate, selfSignedCertificate} from './fault-certificates.ts';
import {type FaultName, inOrder} from './faults.ts';
import {
  formOf,
  type Handler,
  pathOf,
  readBody,
  replayed,
  type ServerCertificate,
  sendJson,
  sendText,
} from './http-server.ts';
import type {Application} from './identity/applications.ts';
import {bearerOf} from './identity/issued-tokens.ts';
import {html, sendPage} from './identity/pages.ts';

/** Wraps a handler; the wrapper may answer instead of it. */
export type Wrap = (handler: Handler) => Handler;

/** Authorization server metadata (RFC 8414 2). */
export type Metadata = Readonly<Record<string, unknown>>;

/** An access, ID or refresh token, or the assertion that ends a sign-in without a browser. */
export type TokenKind = 'access' | 'id' | 'refresh' | 'assertion';

/** The changes that a fault makes to the sandbox. Most faults need only one of them. */
export type Effect = {
  readonly before?: {readonly [S in Service]?: Wrap};
  /** Answers instead of the MCP servers, after the token has been accepted. */
  readonly mcp?: Handler;
  /** The MCP servers accept only tokens with this scope. */
  readonly demandedScope?: string;
  /** The number of requests after which the MCP servers forget a session. */
  readonly requestsOfSession?: number;
  /** The MCP servers close the connection instead of answering a tool call. */
  readonly toolCallsBreakOff?: true;
  readonly metadata?: (metadata: Metadata) => Metadata;
  readonly tokenClaims?: (claims: JWTPayload, kind: TokenKind) => JWTPayload;
  readonly accessTokenFormat?: 'opaque';
  /** The servers check the audience of tokens, even if they otherwise would not. */
  readonly audienceCounts?: true;
  /** Changes what the control plane says about itself. */
  readonly version?: (version: Metadata) => Metadata;
  /** The lifetime of the CLI's access tokens in seconds. */
  readonly cliTokenLifetime?: number;
  /** Changes the registration of the CLI's client; returns undefined if the client is not registered. */
  readonly cliClient?: (client: Application) => Application | undefined;
  /** The difference between the clock with which the servers judge tokens and this machine's, in milliseconds. */
  readonly clockOffset?: number;
  /** The certificate with which everything is served over https. */
  readonly certificate?: ServerCertificate;
  readonly observerListens?: false;
  readonly holdsCallbackPort?: true;
};

/**
 * The offset of the servers' clock, in milliseconds. It exceeds the hour for which most tokens are valid, so by this
 * machine's clock they have expired when they arrive.
 */
const clockOffset = -90 * 60_000;

/** Dates every response by the servers' clock (RFC 9110 6.6.1). */
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

/** The answer of a gateway for a service without a ready instance. */
const unavailable: Handler = (_, response) => sendText(response, 503, 'no healthy upstream');

export const controlPlane503: Effect = {before: {'control-plane': () => unavailable}};

/**
 * The points at which faults change the sandbox. Each call uses the faults that are in force at that moment; the next
 * request may find others. Where only one effect is possible, the first fault that has one decides. Without a fault,
 * nothing changes.
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
  readonly certificate: () => ServerCertificate | undefined;
  readonly observerListens: () => boolean;
  readonly holdsCallbackPort: () => boolean;
};

/**
 * Combines effects. The first one is in front: a request meets it first, and it decides where only one effect can.
 *
 * @param effects returns those in force at the moment of the call
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

/** Wraps a handler so that one path is answered differently; all other paths go to the handler. */
export const atPath =
  (path: string, instead: Wrap): Wrap =>
  handler => {
    const answer: Handler = instead(handler);
    return (request, response) => (pathOf(request) === path ? answer : handler)(request, response);
  };

/**
 * The answer of a rate limit (RFC 6585 4). `Retry-After` is in whole seconds (RFC 9110 10.2.3), and longer than a
 * command waits by itself.
 */
const busyProvider: Handler = (_, response) =>
  sendJson(
    response,
    429,
    {error: 'temporarily_unavailable', error_description: 'Too many requests'},
    {'Retry-After': '20', 'Cache-Control': 'no-store', Pragma: 'no-cache'},
  );

export const idpBusy: Effect = {before: {'identity-provider': atPath(bundled.paths.token, () => busyProvider)}};

/**
 * Resets the connection (RFC 9293 3.5.2), which comes closest to refusing it. A real refusal is not possible: all hosts
 * of the gateway share one port, and the host is known only after the connection is accepted.
 */
const cut: Handler = ({socket}) => {
  // Node cannot reset a connection from within TLS.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
};

export const idpDown: Effect = {before: {'identity-provider': () => cut}};

/**
 * The page that a company's proxy shows to a user it does not know yet: its own sign-in page, instead of the answer.
 */
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
 * Handles the request, and then closes the connection instead of answering. This uses up the code that the client sent,
 * or its refresh token if those rotate, but the client does not get the new tokens.
 */
const losing = atPath(bundled.paths.token, handler => async (request, response) => {
  // This response is connected to nothing.
  await handler(request, new ServerResponse(request));
  response.destroy();
});

export const lostAnswer: Effect = {before: {'identity-provider': losing}};

/** Corrupts every token in the request, so that the server itself refuses it, with its usual challenge. */
const refusing = atPath(bundled.paths.mcp, handler => (request, response) => {
  if (bearerOf(request.headers.authorization) !== undefined) request.headers.authorization = 'Bearer spoilt';
  return handler(request, response);
});

export const mcp401: Effect = {before: {'control-plane': refusing, observer: refusing}};

const forbidden = {error: 'FORBIDDEN', message: 'insufficient permissions to perform this action'};

/** RFC 6750 3.1. */
const challenge = {'WWW-Authenticate': 'Bearer error="insufficient_scope"'};

export const mcp403: Effect = {mcp: (_, response) => sendJson(response, 403, forbidden, challenge)};

/**
 * The answer of a gateway in front of an overloaded server, for every client. `Retry-After` is in whole seconds (RFC
 * 9110 15.6.4).
 */
const busyServer = atPath(
  bundled.paths.mcp,
  () => (_, response) => sendText(response, 503, 'upstream overloaded', {'Retry-After': '3'}),
);

export const mcpBusy: Effect = {before: {'control-plane': busyServer, observer: busyServer}};

/** A web application answers every unknown path with its own start page. */
const application = atPath(
  bundled.paths.mcp,
  () => (_, response) =>
    sendPage(response, 200, {title: 'Developer console', body: html`<h1>Developer console</h1><p>Loading…</p>`}),
);

export const mcpHtml: Effect = {before: {'control-plane': application, observer: application}};

/** The redirect URI of another program on the same machine. */
export const missingRedirect: Effect = {
  cliClient: client => ({...client, redirectUris: ['http://127.0.0.1:18910/other-callback']}),
};

/** Every client that requests this scope gets it, but only the challenge of a refusal names it (RFC 6750 3.1). */
export const missingScope: Effect = {demandedScope: 'platform:mcp'};

/** `plain` does not protect against anyone who saw the authorization request (RFC 7636 7.2). */
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

/**
 * Answers every refresh request as if the refresh token had been revoked (RFC 6749 5.2), and passes other requests on.
 */
const refusingRefresh =
  (handler: Handler): Handler =>
  async (request, response) => {
    if (request.method !== 'POST' || pathOf(request) !== bundled.paths.token) return handler(request, response);
    const body = await readBody(request);
    if (formOf(request, body).get('grant_type') !== 'refresh_token') return handler(replayed(request, body), response);
    sendJson(response, 400, refused, {'Cache-Control': 'no-store', Pragma: 'no-cache'});
  };

const refused = {error: 'invalid_grant', error_description: 'Invalid refresh token'};

// Long enough for the token to be stored as valid, too short for the next command.
export const refreshRefused: Effect = {before: {'identity-provider': refusingRefresh}, cliTokenLifetime: 35};

/** In milliseconds: as long as an impatient person waits, and longer than most time limits. */
export const slowness = 30_000;

/**
 * Answers discovery (RFC 8414 3) and health at once, so that the identity provider is found, and everything else late.
 */
export const slowly =
  (handler: Handler): Handler =>
  async (request, response) => {
    const path = pathOf(request);
    const atOnce = prompt.some(prefix => path.startsWith(prefix));
    if (atOnce || (await waited(response))) return handler(request, response);
  };

const prompt = ['/.well-known/', '/health/'];

/** Resolves to true when it is time to answer, or to false as soon as either side closes the connection. */
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

/** Tokens with a valid signature and expiry, but for another platform (RFC 9068 4). */
export const wrongAudience: Effect = {
  audienceCounts: true,
  tokenClaims: (claims, kind) => (kind === 'access' ? {...claims, aud: 'https://api.other.example/mcp'} : claims),
};

/** A name that is valid only inside the cluster, as if the provider's external address had never been configured. */
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

/** The faults of a running sandbox. They are set here, and everything that they change asks `hooks`. */
export type FaultsInForce = {
  readonly hooks: Hooks;
  /** Returns the names of the faults in force, in the order of `faults`. */
  names(): readonly FaultName[];
  set(names: readonly FaultName[]): void;
};

export const faultsInForce = (faults: readonly FaultName[]): FaultsInForce => {
  let names = inOrder(faults);
  return {
    hooks: combineHooks(() => names.map(name => effects[name])),
    names: () => names,
    set(next) {
      names = inOrder(next);
    },
  };
};
