import type {Handler} from '../http/handler.ts';
import {sendNothing} from '../http/reply.ts';
import {queryOf} from '../http/router.ts';
import type {IdentityRelease} from '../releases/identity-release.ts';
import type {Applications} from './applications/applications.ts';
import {withoutCookies} from './pages/cookies.ts';

/**
 * `GET /oauth2/authorize`. Shows an error page of its own, and redirects nowhere else, when the client or its redirect
 * URI is not known (RFC 6749 4.1.2.1). Redirect URIs are compared as strings: not even a loopback port may differ.
 */
export const authorizeEndpoint =
  (issuer: string, applications: Applications, release: IdentityRelease, authorize: Handler): Handler =>
  (request, response) => {
    const query = queryOf(request);
    const problem = problemOf(query, applications, release);
    if (problem) {
      return sendNothing(response, 302, {Location: `${issuer}/gate/error?${new URLSearchParams(problem)}`});
    }
    return withoutSession(authorize)(request, response);
  };

/** Signs nobody in from an earlier visit: each authorization asks for the credentials again. */
export const withoutSession =
  (handler: Handler): Handler =>
  (request, response) => {
    withoutCookies(request, ['_session', '_session.sig']);
    return handler(request, response);
  };

const problemOf = (query: URLSearchParams, applications: Applications, {unknownClient}: IdentityRelease) => {
  const clientId = query.get('client_id');
  if (!clientId) return {errorCode: 'invalid_request', errorMessage: 'Missing client_id parameter'};
  const application = applications.byClientId(clientId);
  if (!application) return {errorCode: unknownClient, errorMessage: 'Invalid client_id'};
  // It was checked when the request was pushed (RFC 9126 2.1).
  if (query.has('request_uri')) return undefined;
  if (!application.redirectUris.includes(query.get('redirect_uri') ?? '')) {
    return {errorCode: 'invalid_request', errorMessage: 'Invalid redirect URI'};
  }
  return undefined;
};
