import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {type AddressInfo, Server as NetServer} from 'node:net';
import {onTestFinished} from 'vitest';
import {reservedPort} from './reserved-port.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Starts a loopback server on a free port that answers as the test says. Returns its origin. Closed when the test
 * ends.
 */
export const serve = async (handler: Handler, host = '127.0.0.1'): Promise<string> => {
  const server = await openServer(handler);
  onTestFinished(server.close);
  return `http://${host}:${server.port}`;
};

/** Starts the same, but the caller closes it: for a server that several tests share. */
export const openServer = async (handler: Handler) => {
  const server = createServer(handler);
  await listen(server);
  return {port: portOf(server), close: () => close(server)};
};

/**
 * Starts the same, with a function that restarts it like a service: it takes no new connections, answers the open
 * requests, and then listens again at the same port.
 */
export const serveRestarting = async (handler: Handler) => {
  let isClosing = false;
  const server = createServer((request, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
    handler(request, response);
  });
  await listen(server);
  onTestFinished(() => close(server));
  const port = portOf(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    restart: async () => {
      isClosing = true;
      // The HTTP server's own close would cut connections on which the next request is about to arrive.
      const closed = new Promise<void>(resolve => NetServer.prototype.close.call(server, () => resolve()));
      const rest = setTimeout(() => server.closeIdleConnections(), 200);
      await closed;
      clearTimeout(rest);
      isClosing = false;
      await listen(server, port);
    },
  };
};

/** Starts a server that answers by path, and 404 elsewhere. */
export const serveRoutes = (routes: Readonly<Record<string, Handler>>): Promise<string> =>
  serve((request, response) => {
    const path = new URL(request.url ?? '/', 'http://any').pathname;
    const handler = routes[path];
    if (handler) handler(request, response);
    else response.writeHead(404, {'Content-Type': 'text/plain'}).end('404 page not found');
  });

export const json =
  (body: unknown, status = 200): Handler =>
  (_request, response) => {
    response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(body));
  };

export const text =
  (body: string, status = 200, type = 'text/plain'): Handler =>
  (_request, response) => {
    response.writeHead(status, {'Content-Type': type}).end(body);
  };

/** Returns an address of this machine at which nothing listens during the test. */
export const closedOrigin = async (): Promise<string> => `http://127.0.0.1:${await reservedPort()}`;

const listen = (server: Server, port = 0) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const close = (server: Server) =>
  new Promise<void>(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
