import {posix} from 'node:path';
import {html} from '../identity/pages/html.ts';
import type {Handler} from './handler.ts';
import {sendNothing, sendText} from './reply.ts';

/** Sends whoever asks for a path with an empty or a dot segment to the one without (Go's `http.ServeMux`). */
export const cleaningPaths =
  (handler: Handler): Handler =>
  (request, response) => {
    const [path = '/', ...query] = (request.url ?? '/').split(/(?=\?)/);
    // The trailing slash stays, as it makes another path.
    const cleaned = posix.normalize(path);
    if (cleaned === path) return handler(request, response);
    const to = `${cleaned}${query.join('')}`;
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendNothing(response, 301, {Location: to});
    const page = html`<a href="${to}">Moved Permanently</a>.\n\n`;
    sendText(response, 301, page.html, {Location: to, 'Content-Type': 'text/html; charset=utf-8'});
  };
