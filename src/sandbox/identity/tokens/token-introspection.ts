import {formOf, readBody} from '../../http/body.ts';
import type {Handler} from '../../http/handler.ts';
import {sendJson} from '../../http/reply.ts';
import type {AuthenticateClient} from './client-authentication.ts';
import {sendOAuthFailure} from './oauth-failure.ts';
import {bearerOf, type TokenVerifier} from './token-verifier.ts';

/**
 * `POST /oauth2/introspect` (RFC 7662) for access tokens.
 *
 * @param authenticate finds out who asks; undefined where that is nobody's business
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
