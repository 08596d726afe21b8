import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {formOf, type Handler, readBody, replayed, sendJson} from '../http-server.ts';
import type {ClientAuthenticationRules, ErrorAnswer, IdentityRelease} from '../releases/release.ts';
import {type Application, type Applications, type AuthMethod, answeredGrants, deviceCodeGrant} from './applications.ts';
import {bearerOf, OAuthFailure, type RefreshTokens, sendOAuthFailure, type TokenVerifier} from './issued-tokens.ts';

/**
 * The registered resource servers (RFC 8707 2), and the audiences that the MCP servers accept. `unchecked`: any
 * resource, any audience. `none`: no resource, any audience. `one`: the control plane's, for both servers. `each`: each
 * server its own.
 */
export type ResourceMode = 'unchecked' | 'none' | 'one' | 'each';

export type ResourceServers = {
  /** The resources that clients may name; undefined if any name is allowed. */
  readonly registered?: readonly string[];
  /** The audiences that each server accepts; undefined if it does not check the audience. */
  readonly accepted: {readonly controlPlane?: readonly string[]; readonly observer?: readonly string[]};
};

/**
 * Returns the resource servers of a mode.
 *
 * @param urls the resource identifiers of the two MCP servers
 */
export const resourceServers = (
  mode: ResourceMode,
  {controlPlane, observer}: {readonly controlPlane: string; readonly observer: string},
): ResourceServers => {
  const modes: {readonly [M in ResourceMode]: ResourceServers} = {
    unchecked: {accepted: {}},
    none: {registered: [], accepted: {}},
    one: {registered: [controlPlane], accepted: {controlPlane: [controlPlane], observer: [controlPlane]}},
    each: {
      registered: [controlPlane, observer],
      accepted: {controlPlane: [controlPlane], observer: [observer]},
    },
  };
  return modes[mode];
};

const unregistered = 'The resource parameter does not match any registered resource server';
const several = 'Only a single resource parameter is supported';

/** Returns why a request for these resources is refused as `invalid_target` (RFC 8707 2); undefined if it is not. */
export const targetProblem = (
  requested: readonly string[],
  {registered}: ResourceServers,
  {onlyOne}: IdentityRelease['resources'],
): string | undefined => {
  if (onlyOne && requested.length > 1) return several;
  return registered && !requested.every(one => registered.includes(one)) ? unregistered : undefined;
};

/** The refusal of a client that requests a scope for itself without naming a resource. */
export const noDefaultResource = 'No resource parameter supplied and no default resource server is configured';

/** Determines which client sends a request. Throws OAuthFailure. */
export type AuthenticateClient = (authorization: string | undefined, form: URLSearchParams) => Application;

/**
 * Determines which client sends a request, by the rules of a release. The client must use the one method that it is
 * registered with (RFC 6749 2.3; platform access 4.1 and 5).
 */
export const clientAuthentication =
  (applications: Applications, rules: ClientAuthenticationRules): AuthenticateClient =>
  (authorization, form) => {
    const basic = authorization === undefined ? undefined : basicCredentials(authorization, rules);
    const bodyId = form.get('client_id') || undefined;
    const bodySecret = form.get('client_secret') || undefined;
    if (basic && (bodySecret !== undefined || (bodyId !== undefined && bodyId !== basic.id))) {
      throw refused(rules.twoMethods);
    }
    const id = basic?.id ?? bodyId;
    if (id === undefined) throw refused(rules.noClient);

    const invalidCredentials = () => invalidClient(basic !== undefined && rules.challenged);
    const application = applications.byClientId(id);
    if (!application) throw invalidCredentials();

    const method: AuthMethod = basic ? 'client_secret_basic' : bodySecret === undefined ? 'none' : 'client_secret_post';
    if (method === 'none' && application.tokenEndpointAuthMethod !== 'none') throw refused(rules.noSecret);
    // The secret is checked first: a client that does not know it must not learn the registered method.
    const secret = basic?.secret ?? bodySecret;
    if (application.clientSecret !== undefined && !equal(secret ?? '', application.clientSecret)) {
      throw invalidCredentials();
    }
    if (method !== application.tokenEndpointAuthMethod) throw refused(rules.wrongMethod);
    return application;
  };

export const refused = ({status, error, description}: ErrorAnswer) => new OAuthFailure(status, error, description);

/**
 * Returns Basic credentials (RFC 7617 2). A release form-decodes the two halves (RFC 6749 2.3.1) or uses them as sent.
 */
const basicCredentials = (authorization: string, {basic}: ClientAuthenticationRules) => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) throw invalidClient(true);
  if (basic === 'as-sent') return {id, secret};
  try {
    return {id: formDecoded(id), secret: formDecoded(secret)};
  } catch {
    throw invalidClient(true);
  }
};

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

const invalidClient = (challenged: boolean) =>
  new OAuthFailure(
    401,
    'invalid_client',
    'Invalid client credentials',
    challenged ? {'WWW-Authenticate': 'Basic'} : {},
  );

const equal = (typed: string, known: string) => timingSafeEqual(digest(typed), digest(known));

const digest = (text: string) => createHash('sha256').update(text).digest();

type Options = {
  readonly authenticate: AuthenticateClient;
  readonly release: IdentityRelease;
  readonly refreshTokens: RefreshTokens;
};

/**
 * `POST /oauth2/token` (platform access 4.1). Handles everything that the protocol library is lenient about or words
 * differently, and leaves the grants to the library.
 *
 * If refresh tokens rotate, exactly one of several simultaneous uses of a token succeeds. The others count as reuse and
 * revoke the whole family, so the tokens of the successful one cannot be refreshed either (RFC 9700 4.14.2).
 */
export const tokenEndpoint =
  (options: Options, issue: Handler): Handler =>
  async (request, response) => {
    const body = await readBody(request);
    // RFC 6749 5.1: a response with tokens must not be stored on the way.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Pragma', 'no-cache');
    const form = formOf(request, body);
    const {authenticate, release, refreshTokens} = options;
    let application: Application;
    try {
      const grantType = checkedGrantType(form);
      application = authenticate(request.headers.authorization, form);
      checkGrant(application, grantType, release);
      checkScope(grantType, form, release);
      if (grantType === 'refresh_token' && !form.get('refresh_token')) {
        throw new OAuthFailure(400, 'invalid_request', 'Refresh token is required');
      }
    } catch (error) {
      return sendOAuthFailure(response, error);
    }
    return issue(forLibrary(replayed(request, opened(form, 'refresh_token', refreshTokens)), application), response);
  };

/** `POST /oauth2/revoke` (RFC 7009), with the same client authentication. */
export const revocationEndpoint = (options: Options, revoke: Handler): Handler => forClients(options, () => {}, revoke);

/** `POST /oauth2/par` (RFC 9126 2.1), with the same client authentication. */
export const pushedAuthorizationEndpoint = (options: Options, push: Handler): Handler =>
  forClients(options, () => {}, push);

/**
 * `POST /oauth2/device_authorization` (RFC 8628 3.1), with the same client authentication: a public client sends only
 * its ID.
 */
export const deviceAuthorizationEndpoint = (options: Options, begin: Handler): Handler =>
  forClients(options, application => checkGrant(application, deviceCodeGrant, options.release), begin);

const forClients =
  ({authenticate, refreshTokens}: Options, check: (application: Application) => void, handle: Handler): Handler =>
  async (request, response) => {
    const form = formOf(request, await readBody(request));
    let application: Application;
    try {
      application = authenticate(request.headers.authorization, form);
      check(application);
    } catch (error) {
      return sendOAuthFailure(response, error);
    }
    return handle(forLibrary(replayed(request, opened(form, 'token', refreshTokens)), application), response);
  };

/** Returns the form with the library's own refresh token in place of the client's. */
const opened = (form: URLSearchParams, name: 'refresh_token' | 'token', refreshTokens: RefreshTokens) => {
  const sent = form.get(name);
  if (sent) form.set(name, refreshTokens.open(sent) ?? `unknown-${sent}`);
  return Buffer.from(form.toString());
};

const checkGrant = (application: Application, grantType: string, {clientAuthentication}: IdentityRelease) => {
  if (!application.grantTypes.includes(grantType)) throw refused(clientAuthentication.grantNotAllowed);
};

const checkScope = (grantType: string, form: URLSearchParams, {resources}: IdentityRelease) => {
  if (!resources.neededForScope || grantType !== 'client_credentials') return;
  if (form.get('scope') && !form.get('resource')) throw new OAuthFailure(400, 'invalid_target', noDefaultResource);
};

const checkedGrantType = (form: URLSearchParams) => {
  for (const name of form.keys()) {
    // RFC 6749 3.2. Only `resource` may be repeated (RFC 8707 2).
    if (name !== 'resource' && form.getAll(name).length > 1) {
      throw new OAuthFailure(400, 'invalid_request', `Parameter ${name} is repeated`);
    }
  }
  const grantType = form.get('grant_type');
  if (!grantType) throw new OAuthFailure(400, 'invalid_request', 'Missing grant_type parameter');
  if (!answeredGrants.includes(grantType)) {
    throw new OAuthFailure(400, 'unsupported_grant_type', 'Invalid grant_type parameter');
  }
  return grantType;
};

/**
 * Prepares the request of an authenticated client for the library: with the credentials in the only form that it reads
 * (RFC 6749 2.3.1), and with `Accept: application/json`, since it answers browsers with a page.
 */
const forLibrary = (request: IncomingMessage, {clientId, clientSecret, tokenEndpointAuthMethod}: Application) => {
  request.headers.accept = 'application/json';
  if (tokenEndpointAuthMethod === 'client_secret_basic') {
    const credentials = [clientId, clientSecret ?? ''].map(encodeURIComponent).join(':');
    request.headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  return request;
};

/** Returns the `sub` of a client's own tokens, by which roles know it: its client ID, or the ID of its application. */
export const subjectOf = ({id, clientId}: Application, {tokens}: IdentityRelease): string =>
  tokens.clientSubject === 'application-id' ? id : clientId;

/**
 * `POST /oauth2/introspect` (RFC 7662) for access tokens.
 *
 * @param authenticate determines which client asks; undefined if the endpoint requires no authentication
 */
export const introspectEndpoint =
  (verify: TokenVerifier, authenticate: AuthenticateClient | undefined): Handler =>
  async (request, response) => {
    const form = formOf(request, await readBody(request));
    try {
      authenticate?.(request.headers.authorization, form);
    } catch (error) {
      return sendOAuthFailure(response, error);
    }
    const verdict = await verify(form.get('token') ?? '');
    if (verdict.kind !== 'valid') return sendJson(response, 200, {active: false});
    const {scope, client_id, exp, iat, nbf, sub, aud, iss, jti} = verdict.claims;
    sendJson(response, 200, {
      active: true,
      scope,
      client_id,
      token_type: 'Bearer',
      ...{exp, iat, nbf, sub, aud, iss, jti},
    });
  };

/** `/oauth2/userinfo` (OpenID Connect Core 5.3) for a person's access token. */
export const userinfoEndpoint =
  (verify: TokenVerifier): Handler =>
  async (request, response) => {
    const token = bearerOf(request.headers.authorization);
    if (!token) {
      const body = {error: 'invalid_request', error_description: 'missing Authorization header'};
      return sendJson(response, 401, body, {'WWW-Authenticate': 'Bearer'});
    }
    const verdict = await verify(token);
    const refuse = (description: string) =>
      sendJson(
        response,
        401,
        {error: 'invalid_token', error_description: description},
        {'WWW-Authenticate': 'Bearer error="invalid_token"'},
      );
    if (verdict.kind !== 'valid') return refuse('invalid or expired token');
    const {grant_type, family_name, given_name, sub, username} = verdict.claims;
    if (grant_type !== 'authorization_code') {
      return refuse('UserInfo endpoint is not applicable for client_credentials grant type');
    }
    sendJson(
      response,
      200,
      {family_name, given_name, sub, username},
      {'Cache-Control': 'no-store', Pragma: 'no-cache'},
    );
  };
