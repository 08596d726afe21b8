import {sendJson} from '../http/reply.ts';
import type {Effect} from './effect.ts';

const forbidden = {error: 'FORBIDDEN', message: 'insufficient permissions to perform this action'};

/** RFC 6750 3.1. */
const challenge = {'WWW-Authenticate': 'Bearer error="insufficient_scope"'};

export const mcp403: Effect = {mcp: (_, response) => sendJson(response, 403, forbidden, challenge)};
