import type {IncomingMessage} from 'node:http';
import {formOf, readBody, replayed} from '../http/body.ts';
import type {Handler} from '../http/handler.ts';
import type {Application, Applications} from './applications.ts';
import {authenticateClient} from './client-authentication.ts';
import {answeredGrants, deviceCodeGrant} from './grant-types.ts';
import {OAuthFailure, sendOAuthFailure} from './oauth-failure.ts';

/**
 * `POST /oauth2/token`, platform access 4.1. Decides by itself everything that the protocol library is lenient about
 * or words differently, and leaves the grants to it.
 *
 * Refresh tokens rotate: of several uses of one at the same time exactly one is answered. The others are reuse, and
 * revoke the whole family, so that what the one got cannot be refreshed either (RFC 9700 4.14.2).
 */
export const tokenEndpoint =
  (applications: Applications, issue: Handler): Handler =>
  async (request, response) => {
    const body = await readBody(request);
    // RFC 6749 5.1: nothing that carries tokens is ever stored on the way.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Pragma', 'no-cache');
    try {
      const form = formOf(request, body);
      const grantType = checkedGrantType(form);
      const application = authenticateClient(request.headers.authorization, form, applications);
      checkGrant(application, grantType);
      if (grantType === 'refresh_token' && !form.get('refresh_token')) {
        throw new OAuthFailure(400, 'invalid_request', 'Refresh token is required');
      }
    } catch (error) {
      return sendOAuthFailure(response, error);
    }
    return issue(acceptingJson(replayed(request, body)), response);
  };

/** `POST /oauth2/revoke` (RFC 7009), under the same client authentication. */
export const revocationEndpoint = (applications: Applications, revoke: Handler): Handler =>
  forClients(applications, () => {}, revoke);

/** `POST /oauth2/device_authorization` (RFC 8628 3.1), likewise: a public client sends its ID, and nothing else. */
export const deviceAuthorizationEndpoint = (applications: Applications, begin: Handler): Handler =>
  forClients(applications, application => checkGrant(application, deviceCodeGrant), begin);

const forClients =
  (applications: Applications, check: (application: Application) => void, handle: Handler): Handler =>
  async (request, response) => {
    const body = await readBody(request);
    try {
      check(authenticateClient(request.headers.authorization, formOf(request, body), applications));
    } catch (error) {
      return sendOAuthFailure(response, error);
    }
    return handle(acceptingJson(replayed(request, body)), response);
  };

const checkGrant = (application: Application, grantType: string) => {
  if (!application.grantTypes.includes(grantType)) {
    throw new OAuthFailure(401, 'unauthorized_client', 'The client is not authorized to use this grant type');
  }
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

/** The library answers browsers with a page; here the answer is JSON whatever the client accepts. */
const acceptingJson = (request: IncomingMessage) => {
  request.headers.accept = 'application/json';
  return request;
};
