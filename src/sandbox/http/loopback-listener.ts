import {once} from 'node:events';
import {createServer} from 'node:http';
import {guarded, type Handler} from './handler.ts';
import {sendText} from './reply.ts';

export type LoopbackListener = {
  /** The port that was given, or the free one that was found for 0. */
  readonly port: number;
  /** Answers every further request with this handler. Until then the answer is 503. */
  serve(handler: Handler): void;
  /** Ends open connections, also half-sent requests and event streams, and resolves when the port is free. */
  close(): Promise<void>;
};

/** Idle connections are kept for longer than any client keeps them, so that no request meets a closing one. In ms. */
const keepAliveTimeout = 65_000;

/**
 * Takes a port of 127.0.0.1, and of no other interface.
 *
 * @throws Node's system error, with `code` and `port`: `EADDRINUSE` when another program has the port.
 */
export const listenOnLoopback = async (port: number): Promise<LoopbackListener> => {
  let handler: Handler = (_, response) => sendText(response, 503, 'Starting\n');
  const server = createServer({keepAliveTimeout}, (request, response) => void guarded(handler)(request, response));
  server.listen({port, host: '127.0.0.1', exclusive: true});
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    serve(next) {
      handler = next;
    },
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
