import {bundled} from '../../platform/bundled.ts';
import {bearerOf} from '../identity/tokens/token-verifier.ts';
import {atPath} from './at-path.ts';
import type {Effect} from './effect.ts';

/** Spoils every token on its way, so that the refusal is the server's own, challenge included. */
const refusing = atPath(bundled.paths.mcp, handler => (request, response) => {
  if (bearerOf(request.headers.authorization) !== undefined) request.headers.authorization = 'Bearer spoilt';
  return handler(request, response);
});

export const mcp401: Effect = {before: {'control-plane': refusing, observer: refusing}};
