import type {IncomingMessage, ServerResponse} from 'node:http';
import {sendJson} from '../http/reply.ts';
import {bearerOf, type TokenVerifier} from '../identity/token-verifier.ts';

type Protected = (request: IncomingMessage, response: ServerResponse, subject: string) => void | Promise<void>;

/**
 * Lets only requests with a good token through, and tells the handler the token's subject (RFC 6750). The token goes no
 * further. `resourceMetadata` is where clients find out how to get a token (RFC 9728 5.1); MCP needs it, the REST API
 * does not have it.
 */
export const protectedBy =
  (verify: TokenVerifier, resourceMetadata?: string) =>
  (handler: Protected) =>
  async (request: IncomingMessage, response: ServerResponse) => {
    const token = bearerOf(request.headers.authorization);
    const verdict = token === undefined ? undefined : await verify(token);
    if (verdict?.kind === 'valid') return handler(request, response, verdict.claims.sub ?? '');
    const challenge = resourceMetadata && {'WWW-Authenticate': `Bearer resource_metadata="${resourceMetadata}"`};
    sendJson(response, 401, refusals[verdict?.kind ?? 'missing'], challenge || {});
  };

const refusals = {
  missing: {error: 'MISSING_TOKEN', message: 'missing or invalid authentication token'},
  'invalid-token': {error: 'INVALID_TOKEN', message: 'invalid or expired token'},
  'invalid-claims': {error: 'INVALID_CLAIMS', message: 'token claims validation failed'},
};
