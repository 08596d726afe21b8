import {text as textIn} from 'node:stream/consumers';
import {type Handler, json, serve, text} from '../../../support/server.ts';

export type Routes = (issuer: string) => Readonly<Record<string, Handler>>;

/**
 * Starts an identity provider that has and announces everything that the platform needs, except for `metadata` and
 * for the answers of `routes`. Keys of `routes` are paths without a query.
 *
 * @returns its issuer
 */
export const identityProvider = async (
  metadata: object | ((issuer: string) => object) = {},
  more: Routes = () => ({}),
): Promise<string> => {
  const issuer: string = await serve((request, response) => {
    const routes: Readonly<Record<string, Handler>> = {
      '/.well-known/openid-configuration': json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        code_challenge_methods_supported: ['S256'],
        ...(typeof metadata === 'function' ? metadata(issuer) : metadata),
      }),
      '/authorize': authorize,
      '/token': token,
      ...more(issuer),
    };
    const [path = ''] = (request.url ?? '').split('?');
    (routes[path] ?? text('404 page not found', 404))(request, response);
  });
  return issuer;
};

/** True if the request is of a client that is not registered. */
const isOfNobody = (parameters: string) => /client_id=setup-check-/.test(parameters);

const authorize: Handler = (request, response) => {
  const isRefused = isOfNobody(request.url ?? '');
  text(isRefused ? '<html>No such client' : '<html>Sign in', isRefused ? 400 : 200, 'text/html')(request, response);
};

const token: Handler = async (request, response) => {
  const isRefused = isOfNobody(await textIn(request));
  const refusal = {error: 'invalid_grant', error_description: 'Code not valid'};
  (isRefused ? json({error: 'invalid_client'}, 401) : json(refusal, 400))(request, response);
};
