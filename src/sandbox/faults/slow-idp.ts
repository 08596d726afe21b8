import type {ServerResponse} from 'node:http';
import type {Handler} from '../http/handler.ts';
import {pathOf} from '../http/router.ts';
import type {Effect} from './effect.ts';

/** In milliseconds: as long as an impatient person waits, and longer than most deadlines. */
export const slowness = 30_000;

/** Answers discovery (RFC 8414 3) and health at once, so that the provider is found, and everything else late. */
export const slowly =
  (handler: Handler): Handler =>
  async (request, response) => {
    const path = pathOf(request);
    const atOnce = prompt.some(prefix => path.startsWith(prefix));
    if (atOnce || (await waited(response))) return handler(request, response);
  };

const prompt = ['/.well-known/', '/health/'];

/** Whether the connection lasted until the time to answer. Its end, by either side, ends the wait too. */
const waited = (response: ServerResponse) =>
  new Promise<boolean>(resolve => {
    const gone = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', gone);
      resolve(true);
    }, slowness);
    response.once('close', gone);
  });

export const slowIdp: Effect = {before: {'identity-provider': slowly}};
