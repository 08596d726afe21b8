import {posix} from 'node:path';
import type {Handler} from './handler.ts';
import {sendNothing} from './reply.ts';

/** Sends whoever asks for a path with an empty or a dot segment to the one without (Go's `http.ServeMux`). */
export const cleaningPaths =
  (handler: Handler): Handler =>
  (request, response) => {
    const [path = '/', ...query] = (request.url ?? '/').split(/(?=\?)/);
    // The trailing slash stays, as it makes another path.
    const cleaned = posix.normalize(path);
    if (cleaned === path) return handler(request, response);
    sendNothing(response, 301, {Location: `${cleaned}${query.join('')}`});
  };
