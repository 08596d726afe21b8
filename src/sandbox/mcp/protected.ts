import type {IncomingMessage, ServerResponse} from 'node:http';
import type {JWTPayload} from 'jose';
import {sendJson} from '../http/reply.ts';
import {bearerOf, type TokenVerifier} from '../identity/tokens/token-verifier.ts';

type Protected = (request: IncomingMessage, response: ServerResponse, claims: JWTPayload) => void | Promise<void>;

/**
 * Lets only requests with a good token through, and tells the handler the token's claims (RFC 6750). The token goes no
 * further. The challenge tells clients how to get a token; MCP needs it, the REST API does not have it.
 */
export const protectedBy =
  (verify: TokenVerifier, challenge?: string) =>
  (handler: Protected) =>
  async (request: IncomingMessage, response: ServerResponse) => {
    const token = bearerOf(request.headers.authorization);
    const verdict = token === undefined ? undefined : await verify(token);
    if (verdict?.kind === 'valid') return handler(request, response, verdict.claims);
    const headers = challenge === undefined ? {} : {'WWW-Authenticate': challenge};
    sendJson(response, 401, refusals[verdict?.kind ?? 'missing'], headers);
  };

const refusals = {
  missing: {error: 'MISSING_TOKEN', message: 'missing or invalid authentication token'},
  'invalid-token': {error: 'INVALID_TOKEN', message: 'invalid or expired token'},
  'invalid-claims': {error: 'INVALID_CLAIMS', message: 'token claims validation failed'},
};
