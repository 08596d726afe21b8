import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A loopback server on a free port that answers as the test says, closed when the test is over. Returns its origin. */
export const serve = async (handler: Handler, host = '127.0.0.1'): Promise<string> => {
  const server = createServer(handler);
  await listen(server);
  onTestFinished(() => close(server));
  return `http://${host}:${portOf(server)}`;
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

/** An address of this machine at which nothing listens. */
export const closedOrigin = async (): Promise<string> => {
  const server = createServer();
  await listen(server);
  const origin = `http://127.0.0.1:${portOf(server)}`;
  await close(server);
  return origin;
};

const listen = (server: Server) => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const close = (server: Server) =>
  new Promise<void>(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
