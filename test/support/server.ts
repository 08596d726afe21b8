import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {type AddressInfo, Server as NetServer} from 'node:net';
import {onTestFinished} from 'vitest';
import {reservedPort} from './reserved-port.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A loopback server on a free port that answers as the test says, closed when the test is over. Returns its origin. */
export const serve = async (handler: Handler, host = '127.0.0.1'): Promise<string> => {
  const server = await openServer(handler);
  onTestFinished(server.close);
  return `http://${host}:${server.port}`;
};

/** The same, which its caller closes: for what several tests share. */
export const openServer = async (handler: Handler) => {
  const server = createServer(handler);
  await listen(server);
  return {port: portOf(server), close: () => close(server)};
};

/**
 * The same, and it restarts as a service does that is told to: it takes no new connections, answers what it was asked, and
 * then listens again at the same port.
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
      // HTTP's own way would close connections on which the next request is just coming.
      const closed = new Promise<void>(resolve => NetServer.prototype.close.call(server, () => resolve()));
      const rest = setTimeout(() => server.closeIdleConnections(), 200);
      await closed;
      clearTimeout(rest);
      isClosing = false;
      await listen(server, port);
    },
  };
};

/** A server that answers by path; anything else is 404. */
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

/** An address of this machine at which nothing listens, and nobody else does for as long as the test runs. */
export const closedOrigin = async (): Promise<string> => `http://127.0.0.1:${await reservedPort()}`;

const listen = (server: Server, port = 0) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const close = (server: Server) =>
  new Promise<void>(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
