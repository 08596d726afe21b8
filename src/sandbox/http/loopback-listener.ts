import {once} from 'node:events';
import {createServer} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {guarded, type Handler} from './handler.ts';
import {sendText} from './reply.ts';

/** What a server proves its name with (RFC 5280), and the key of it; both PEM. */
export type Certificate = {readonly certificate: string; readonly key: string};

export type LoopbackListener = {
  /** The port that was given, or the free one that was found for 0. */
  readonly port: number;
  /** Answers every further request with this handler. Until then the answer is 503. */
  serve(handler: Handler): void;
  /** Shows this certificate on every further connection; those that are open stay as they are. */
  present(certificate: Certificate): void;
  /** Ends open connections, also half-sent requests and event streams, and resolves when the port is free. */
  close(): Promise<void>;
};

/** Idle connections are kept for longer than any client keeps them, so that no request meets a closing one. In ms. */
const keepAliveTimeout = 65_000;

/**
 * Takes a port of 127.0.0.1, and of no other interface. Speaks https where there is a certificate, else http.
 *
 * @throws Node's system error, with `code` and `port`: `EADDRINUSE` when another program has the port.
 */
export const listenOnLoopback = async (port: number, secure?: Certificate): Promise<LoopbackListener> => {
  let handler: Handler = (_, response) => sendText(response, 503, 'Starting\n');
  const answer: Handler = (request, response) => void guarded(handler)(request, response);
  const server = secure
    ? createSecureServer({keepAliveTimeout, ...contextOf(secure)}, answer)
    : createServer({keepAliveTimeout}, answer);
  server.listen({port, host: '127.0.0.1', exclusive: true});
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    serve(next) {
      handler = next;
    },
    present(certificate) {
      if ('setSecureContext' in server) server.setSecureContext(contextOf(certificate));
    },
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};

const contextOf = ({certificate, key}: Certificate) => ({cert: certificate, key});
