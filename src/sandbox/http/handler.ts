import type {IncomingMessage, ServerResponse} from 'node:http';
import {BodyTooLargeError} from './body.ts';
import {sendJson} from './reply.ts';

/** Answers one HTTP request, completely. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Makes a handler safe to hand to a server: whatever it throws becomes an answer, never an unhandled rejection. */
export const guarded =
  (handler: Handler): Handler =>
  async (request, response) => {
    try {
      await handler(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof BodyTooLargeError) {
        // The rest of the body is not read, so the connection cannot carry another request.
        sendJson(response, 413, {error: 'payload_too_large', message: error.message}, {Connection: 'close'});
      } else sendJson(response, 500, {error: 'internal_error', message: 'The sandbox failed to answer this request'});
    }
  };
