import {formOf, readBody} from '../http/body.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson} from '../http/reply.ts';
import {bearerOf, type TokenVerifier} from './token-verifier.ts';

/** `POST /oauth2/introspect` (RFC 7662) for access tokens. Asks for no client authentication, as the platform does not. */
export const introspectEndpoint =
  (verify: TokenVerifier): Handler =>
  async (request, response) => {
    const verdict = await verify(formOf(request, await readBody(request)).get('token') ?? '');
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
