import {ServerResponse} from 'node:http';
import {bundled} from '../../platform/bundled.ts';
import {atPath} from './at-path.ts';
import type {Effect} from './effect.ts';

/**
 * Does what it is asked for, and closes the connection where the answer should come: what was sent is spent then, a code,
 * or a refresh token where those rotate, and nobody has what it was spent for.
 */
const losing = atPath(bundled.paths.token, handler => async (request, response) => {
  // It is connected to nothing.
  await handler(request, new ServerResponse(request));
  response.destroy();
});

export const lostAnswer: Effect = {before: {'identity-provider': losing}};
