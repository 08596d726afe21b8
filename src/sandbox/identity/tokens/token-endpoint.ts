import type {IncomingMessage} from 'node:http';
import {formOf, readBody, replayed} from '../../http/body.ts';
import type {Handler} from '../../http/handler.ts';
import type {IdentityRelease} from '../../releases/identity-release.ts';
import type {Application} from '../applications/applications.ts';
import {noDefaultResource} from '../resources/resource-servers.ts';
import {type AuthenticateClient, refused} from './client-authentication.ts';
import {answeredGrants, deviceCodeGrant} from './grant-types.ts';
import {OAuthFailure, sendOAuthFailure} from './oauth-failure.ts';
import type {RefreshTokens} from './refresh-tokens.ts';

type Options = {
  readonly authenticate: AuthenticateClient;
  readonly release: IdentityRelease;
  readonly refreshTokens: RefreshTokens;
};

/**
 * `POST /oauth2/token`, platform access 4.1. Decides by itself everything that the protocol library is lenient about
 * or words differently, and leaves the grants to it.
 *
 * Where refresh tokens rotate, exactly one of several uses of one at the same time is answered. The others are reuse,
 * and revoke the whole family, so that what the one got cannot be refreshed either (RFC 9700 4.14.2).
 */
export const tokenEndpoint =
  (options: Options, issue: Handler): Handler =>
  async (request, response) => {
    const body = await readBody(request);
    // RFC 6749 5.1: nothing that carries tokens is ever stored on the way.
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

/** `POST /oauth2/revoke` (RFC 7009), under the same client authentication. */
export const revocationEndpoint = (options: Options, revoke: Handler): Handler => forClients(options, () => {}, revoke);

/** `POST /oauth2/par` (RFC 9126 2.1), likewise. */
export const pushedAuthorizationEndpoint = (options: Options, push: Handler): Handler =>
  forClients(options, () => {}, push);

/** `POST /oauth2/device_authorization` (RFC 8628 3.1), likewise: a public client sends its ID, and nothing else. */
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

/** A form with the library's own refresh token in the place of the one that the client has. */
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
    // RFC 6749 3.2. `resource` is the one that may come more than once (RFC 8707 2).
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
 * The request of a client that was found out, as the library is to see it: with the client's credentials in the one
 * form that it reads (RFC 6749 2.3.1), and with JSON accepted, as it answers browsers with a page.
 */
const forLibrary = (request: IncomingMessage, {clientId, clientSecret, tokenEndpointAuthMethod}: Application) => {
  request.headers.accept = 'application/json';
  if (tokenEndpointAuthMethod === 'client_secret_basic') {
    const credentials = [clientId, clientSecret ?? ''].map(encodeURIComponent).join(':');
    request.headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  return request;
};
