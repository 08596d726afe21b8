import type {ClientAuth, Configuration, CustomFetch} from 'openid-client';
import {duration} from '../duration.ts';
import {findSetupError, SetupError} from '../errors.ts';
import {showUrl} from '../ports/curl.ts';
import type {Ports} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import {isSuccess, readJson} from './answers.ts';
import type {Tell} from './reporting.ts';

/** How a client proves itself at the token endpoint (RFC 6749 2.3.1); a public client only names itself. */
export type ClientAuthentication =
  | {readonly method: 'none'}
  | {readonly method: 'client_secret_post'; readonly secret: string}
  | {
      readonly method: 'client_secret_basic';
      readonly secret: string;
      /** `literal` for a server that compares the header as it was sent; encoded as a form unless said otherwise. */
      readonly encoding?: 'literal';
    };

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  /**
   * Whose clock ID tokens are judged by; this machine's, unless said otherwise. The server's is for a request that uses
   * up what it is made with, and must not fail after that because a clock is wrong.
   */
  readonly clock?: 'server';
};

export type OAuthClient = {
  readonly library: typeof import('openid-client');
  readonly configuration: Configuration;
  /** What the configuration's requests go through. */
  readonly fetch: CustomFetch;
  /** Runs a request of the library's and translates what it throws. */
  readonly attempt: <Output>(request: (configuration: Configuration) => Promise<Output>) => Promise<Output>;
  /**
   * Fetches the keys of ID tokens now, which else happens when one has come: for a request that uses up what it is made
   * with, and must not fail after that for want of them.
   */
  readonly fetchKeys: () => Promise<void>;
};

/**
 * An OAuth client of an identity provider whose metadata is its own (RFC 8414 3.3), through openid-client, loaded here
 * because nothing before needs it. ID tokens have their signature checked, on any channel. Metadata is looked for as
 * OpenID Connect has it, then as RFC 8414.
 *
 * @throws SetupError `platform-*`, `network-*`, `auth-endpoint-foreign`
 */
export const oauthClient = async (
  input: Input,
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
): Promise<OAuthClient> => {
  const {issuer, clientId, authentication} = input;
  const library = await import('openid-client');
  const send = ports.http.fetch({signal, report: tell});
  let skew: number | undefined;
  const fetch: CustomFetch = async (url, options) => {
    const response = await send(url, options as RequestInit);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) skew = ports.clock.now() - date;
    return response;
  };
  const attempt = async <Output>(request: () => Promise<Output>): Promise<Output> => {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      throw findSetupError(error) ?? translate(error, {...input, skew}, library);
    }
  };
  // Our own fetch decides where plain http may go; the library only knows all or nothing.
  const settings = [library.allowInsecureRequests, library.enableNonRepudiationChecks];
  const discover = (algorithm: 'oidc' | 'oauth2') =>
    library.discovery(new URL(issuer), clientId, undefined, authenticate(authentication, library), {
      algorithm,
      [library.customFetch]: fetch,
      execute: settings,
    });

  const discovered = await attempt(() =>
    discover('oidc').catch(async error => {
      if (statusOf(error) !== 404) throw error;
      return discover('oauth2');
    }),
  );
  const ahead = Math.round((skew ?? 0) / 1000);
  /** The same by the server's clock, which the library takes only when a configuration is made. */
  const byServerClock = () => {
    const skewed = {[library.clockSkew]: -ahead};
    const own = new library.Configuration(
      discovered.serverMetadata(),
      clientId,
      skewed,
      authenticate(authentication, library),
    );
    own[library.customFetch] = fetch;
    for (const set of settings) set(own);
    return own;
  };
  const configuration = input.clock === 'server' && ahead !== 0 ? byServerClock() : discovered;
  // The library takes `https://idp` and `https://idp/` for the same; the tokens that name one are not for the other.
  if (configuration.serverMetadata().issuer !== issuer) throw otherName(issuer);
  refuseForeignEndpoints(configuration, issuer);
  const fetchKeys = async () => {
    const {jwks_uri: address} = configuration.serverMetadata();
    if (address === undefined) return;
    const url = new URL(address);
    const reply = await ports.http.send({method: 'GET', url}, {signal, report: tell});
    const {keys} = isSuccess(reply) ? readJson(reply, url) : {};
    if (!Array.isArray(keys)) {
      throw new SetupError('platform-error', `${showUrl(url)} gives no keys for ID tokens (${reply.status}).`);
    }
    library.setJwksCache(configuration, {jwks: {keys}, uat: Math.floor(ports.clock.now() / 1000)});
  };
  return {library, configuration, fetch, attempt: request => attempt(() => request(configuration)), fetchKeys};
};

type Library = typeof import('openid-client');

const authenticate = (authentication: ClientAuthentication, {None, ClientSecretPost}: Library): ClientAuth => {
  if (authentication.method === 'none') return None();
  const {secret} = authentication;
  return authentication.method === 'client_secret_post' ? ClientSecretPost(secret) : basic(authentication);
};

/**
 * HTTP Basic with a client ID and secret that are encoded as a form (RFC 6749 2.3.1). Only what has to be is encoded,
 * which the form encoding allows: a server that does not decode then still finds `mcp_client` to be `mcp_client`. The
 * library's own encodes `-`, `_`, `.` and `~` too.
 */
const basic =
  ({secret, encoding}: Extract<ClientAuthentication, {method: 'client_secret_basic'}>): ClientAuth =>
  (_server, {client_id: id}, _body, headers) => {
    const pair = [id, secret].map(encoding === 'literal' ? String : encodeURIComponent).join(':');
    headers.set('Authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

/**
 * The same credentials in the form that a server wants which compares them as they were sent (Thunder before 0.25);
 * undefined where that makes no difference, or could be taken for another pair.
 */
export const literalBasic = (
  clientId: string,
  authentication: ClientAuthentication,
): ClientAuthentication | undefined => {
  if (authentication.method !== 'client_secret_basic' || authentication.encoding === 'literal') return undefined;
  const isPlain = [clientId, authentication.secret].every(text => encodeURIComponent(text) === text);
  return isPlain || clientId.includes(':') ? undefined : {...authentication, encoding: 'literal'};
};

/** The endpoints that get a credential or bring keys. */
const endpoints = ['token_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri'] as const;

/** Metadata may not send a credential to a host that the person never named (RFC 9700 4.4). */
const refuseForeignEndpoints = (configuration: Configuration, issuer: string) => {
  const metadata = configuration.serverMetadata();
  for (const name of endpoints) {
    const url = metadata[name];
    if (typeof url !== 'string' || new URL(url).hostname === new URL(issuer).hostname) continue;
    throw new SetupError('auth-endpoint-foreign', `${issuer} names a ${name} at another host, ${new URL(url).origin}.`);
  }
};

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && error.cause instanceof Response ? error.cause.status : undefined;

const translate = (error: unknown, input: Input & {skew: number | undefined}, library: Library): SetupError => {
  const {issuer, clientId} = input;
  const options = {cause: error};
  if (error instanceof library.WWWAuthenticateChallengeError) {
    return isForClients(error.cause, input)
      ? clientRefused(issuer, clientId, '', options)
      : new SetupError('platform-error', `Something before ${issuer} asks for a sign-in of its own (401).`, options);
  }
  if (error instanceof library.AuthorizationResponseError) return authorizationRefused(error, issuer, options);
  if (error instanceof library.ResponseBodyError) return errorAnswer(error, input, options);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const status = statusOf(error);
  // A busy server's page is no JSON either, and says nothing of who answers there.
  if (code === 'OAUTH_RESPONSE_IS_NOT_JSON' && (status === undefined || (status < 500 && status !== 429))) {
    const message = `${issuer} is not an identity provider: it answers something else than JSON.`;
    return new SetupError('platform-not-json', message, options);
  }
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    const message = `${issuer} answered as no identity provider does${status ? ` (${status})` : ''}.`;
    return new SetupError('platform-error', message, options);
  }
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return otherName(issuer, options);
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    const message = `${issuer} signed a token for another time than this machine’s clock shows${difference(input.skew)}.`;
    return new SetupError('auth-clock', message, options);
  }
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    return new SetupError('auth-id-token-refused', `${issuer} sent an ID token that is not for this sign-in.`, options);
  }
  if (typeof code === 'string' && code.startsWith('OAUTH_')) {
    const message = `${issuer} answered what the protocol does not allow (${code}).`;
    return new SetupError('platform-invalid-answer', message, options);
  }
  return new SetupError('bug', `The sign-in at ${issuer} failed in a way that is not known.`, options);
};

/** A client that sent a secret is told by Basic or Bearer that it is wrong; all else is a proxy’s word (RFC 6749 5.2). */
const isForClients = (challenges: readonly {readonly scheme: string}[], {authentication}: Input): boolean =>
  authentication.method !== 'none' && challenges.some(({scheme}) => /^(basic|bearer)$/i.test(scheme));

type Answer = {readonly error: string; readonly error_description?: string | undefined; readonly status?: number};

const said = ({error, error_description}: Answer) => cleanText([error, error_description].filter(Boolean).join(': '));

const errorAnswer = (answer: Answer, input: Input, options: {cause: unknown}): SetupError => {
  const {issuer, clientId, authentication} = input;
  const {error} = answer;
  const reason = said(answer);
  if (error === 'invalid_grant') {
    return new SetupError('auth-grant-refused', `${issuer} refused it (${reason}).`, options);
  }
  if (authentication.method === 'none' && (error === 'invalid_client' || error === 'unauthorized_client')) {
    const message = `${issuer} takes no sign-in of ${clientId} without a secret (${reason}).`;
    return new SetupError('auth-client-confidential', message, options);
  }
  if (error === 'invalid_client') return clientRefused(issuer, clientId, reason, options);
  if (error === 'unauthorized_client') {
    const message = `${issuer} does not let ${clientId} sign in this way (${reason}).`;
    return new SetupError('auth-method-refused', message, options);
  }
  const code = (answer.status ?? 400) >= 500 ? 'platform-error' : 'platform-rejected';
  return new SetupError(code, `${issuer} gave no token to ${clientId} (${reason}).`, options);
};

const authorizationRefused = (answer: Answer, issuer: string, options: {cause: unknown}): SetupError =>
  answer.error === 'access_denied'
    ? new SetupError('auth-declined', `The sign-in at ${issuer} was declined.`, options)
    : new SetupError('auth-authorization-failed', `${issuer} ended the sign-in (${said(answer)}).`, options);

/** How far this machine's clock is from the server's (the Date header), where that is worth saying. */
const difference = (skew: number | undefined): string => {
  if (skew === undefined || Math.abs(skew) < 5_000) return '';
  return `, which is ${duration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the server’s`;
};

const otherName = (issuer: string, options: {cause?: unknown} = {}) =>
  new SetupError('platform-invalid-answer', `${issuer} calls itself by another address.`, {
    ...options,
    remedy: 'Pass the identity provider’s own address with --auth-url.',
  });

const clientRefused = (issuer: string, clientId: string, reason: string, options: {cause: unknown}) => {
  const words = reason === '' ? '' : ` (${reason})`;
  return new SetupError(
    'auth-client-refused',
    `${issuer} refused the client ID or the secret of ${clientId}${words}.`,
    options,
  );
};
