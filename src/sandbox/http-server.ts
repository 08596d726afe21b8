import {once} from 'node:events';
import {createServer, IncomingMessage, type OutgoingHttpHeaders, type ServerResponse} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {posix} from 'node:path';
import {html} from './identity/pages.ts';

/**
 * The largest request body, in bytes. No request that the platform accepts comes near this limit, which keeps a runaway
 * client from filling the memory.
 */
const largestBody = 256 * 1024;

/** Thrown by `readBody` if the client sends more than the platform accepts. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/**
 * Reads the whole body of a request. Throws BodyTooLargeError above 256 KiB, and leaves the connection open for the
 * answer.
 */
export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({destroyOnReturn: false})) {
    length += chunk.length;
    if (length > largestBody) throw new BodyTooLargeError(`The body is larger than ${largestBody} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Returns the parsed JSON of a body; undefined if it is not JSON (JSON itself cannot express `undefined`). */
export const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Returns the fields of a form body; empty for any other content type (RFC 6749 appendix B). */
export const formOf = (request: IncomingMessage, body: Buffer): URLSearchParams => {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return new URLSearchParams(type === 'application/x-www-form-urlencoded' ? body.toString('utf8') : '');
};

/** Returns the same request with an unread body, for a library that has to read a body that was already consumed. */
export const replayed = (request: IncomingMessage, body: Buffer): IncomingMessage => {
  const copy = new IncomingMessage(request.socket);
  if (request.method) copy.method = request.method;
  if (request.url) copy.url = request.url;
  copy.httpVersion = request.httpVersion;
  copy.httpVersionMajor = request.httpVersionMajor;
  copy.httpVersionMinor = request.httpVersionMinor;
  copy.headers = {...request.headers, 'content-length': String(body.length)};
  // The chunks of the body have already been joined.
  delete copy.headers['transfer-encoding'];
  copy.complete = true;
  copy.push(body);
  copy.push(null);
  return copy;
};

/** Sends a JSON body with its length. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
) => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
};

/** Sends a plain text body with its length. */
export const sendText = (response: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders = {}) => {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
};

/** Sends a status that has no body. */
export const sendNothing = (response: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}) => {
  response.writeHead(status, headers);
  response.end();
};

/** Sends the platform's answer for a path that does not exist. */
export const sendNotFound = (response: ServerResponse) =>
  sendText(response, 404, '404 page not found\n', {'X-Content-Type-Options': 'nosniff'});

/**
 * Sends the platform's answer for a method that a path does not support. `allow` lists the supported ones (RFC 9110
 * 10.2.1).
 */
export const sendMethodNotAllowed = (response: ServerResponse, allow: string) =>
  sendText(response, 405, 'Method Not Allowed\n', {Allow: allow, 'X-Content-Type-Options': 'nosniff'});

/** Answers one HTTP request, completely. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Wraps a handler for use in a server: whatever it throws becomes an answer, never an unhandled rejection. */
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

/** Redirects a request whose path has an empty or dot segment to the clean path (like Go's `http.ServeMux`). */
export const cleaningPaths =
  (handler: Handler): Handler =>
  (request, response) => {
    const [path = '/', ...query] = (request.url ?? '/').split(/(?=\?)/);
    // A trailing slash stays, since the path without it is a different one.
    const cleaned = posix.normalize(path);
    if (cleaned === path) return handler(request, response);
    const to = `${cleaned}${query.join('')}`;
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendNothing(response, 301, {Location: to});
    const page = html`<a href="${to}">Moved Permanently</a>.\n\n`;
    sendText(response, 301, page.html, {Location: to, 'Content-Type': 'text/html; charset=utf-8'});
  };

export type Hosts = {
  /** The handler of each `Host` header: lower case, with port. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** The origins whose pages may call these hosts: the sandbox's own. */
  readonly origins: ReadonlySet<string>;
  /**
   * Returns the handler for a `Host` that no service has, or undefined for a 421. In most releases, the MCP servers
   * answer such requests before the gateway does.
   */
  readonly stranger?: (request: IncomingMessage) => Handler | undefined;
};

/**
 * Serves several hosts behind one port. Any other `Host` goes to `stranger`, or gets 421 (RFC 9110 15.5.20), which
 * prevents DNS rebinding. A request from a page of another origin gets 403 (MCP 2025-11-25, transports, security
 * warning).
 */
export const hostRouter =
  ({handlers, origins, stranger}: Hosts): Handler =>
  (request, response) => {
    // Of several `Host` headers, Node would silently use the first (RFC 9112 3.2).
    if ((request.headersDistinct.host?.length ?? 0) > 1) {
      return sendJson(response, 400, {error: 'invalid_host', message: 'There is more than one host name'});
    }
    const host = request.headers.host?.toLowerCase() ?? '';
    const handler = handlers.get(host) ?? stranger?.(request);
    if (!handler) {
      return sendJson(response, 421, {error: 'misdirected_request', message: 'No service here has this host name'});
    }
    const {origin} = request.headers;
    if (origin !== undefined && !origins.has(origin.toLowerCase())) {
      return sendJson(response, 403, {error: 'forbidden_origin', message: 'This origin may not call this service'});
    }
    // Handlers build addresses from these. So they get the one spelling that clients compare with, and the target in
    // origin form, although proxies may send the absolute form (RFC 9112 3.2).
    request.headers.host = host;
    request.url = request.url?.replace(/^https?:\/\/[^/?]*/i, '') || '/';
    return handler(request, response);
  };

type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
) => void | Promise<void>;

/** Paths with the methods that they support. `{name}` in a path stands for one segment; the handler gets it decoded. */
export type Routes = {readonly [path: string]: {readonly [method: string]: RouteHandler}};

/**
 * Passes a request to the handler of its path and method. A path matches exactly, including a trailing slash. HEAD uses
 * the handler of GET; Node omits the body. Any other method on a known path gets 405. Unknown paths go to `otherwise`.
 */
export const router = (routes: Routes, otherwise: Handler = (_, response) => sendNotFound(response)): Handler => {
  const table = Object.entries(routes).map(([path, methods]) => ({pattern: patternOf(path), methods}));
  return async (request, response) => {
    const path = pathOf(request);
    for (const {pattern, methods} of table) {
      const match = pattern.exec(path);
      if (!match) continue;
      const handler = methods[request.method ?? ''] ?? (request.method === 'HEAD' ? methods.GET : undefined);
      return handler
        ? handler(request, response, decoded(match.groups))
        : sendMethodNotAllowed(response, allow(methods));
    }
    return otherwise(request, response);
  };
};

/** Returns the path of a request as sent, without its query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split(/[?#]/, 1)[0] || '/';

/** Returns the query of the request target. */
export const queryOf = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));

const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

const decoded = (groups: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodedSegment(value)]));

const decodedSegment = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const allow = (methods: object) => {
  const names = Object.keys(methods);
  return (names.includes('GET') ? [...names, 'HEAD'] : names).sort().join(', ');
};

/** A server certificate (RFC 5280) and its key, both PEM. */
export type ServerCertificate = {readonly certificate: string; readonly key: string};

export type LoopbackListener = {
  /** The given port, or the free port that was found for 0. */
  readonly port: number;
  /** Answers every further request with this handler. Until then the answer is 503. */
  serve(handler: Handler): void;
  /** Uses this certificate for every further connection; open connections are not affected. */
  present(certificate: ServerCertificate): void;
  /** Closes open connections, including half-sent requests and event streams, and resolves when the port is free. */
  close(): Promise<void>;
};

/**
 * The server keeps idle connections longer than any client does, so that no request meets a closing connection. In ms.
 */
const keepAliveTimeout = 65_000;

/**
 * Listens on a port of 127.0.0.1, and on no other interface. Uses https if there is a certificate, otherwise http.
 *
 * @throws Node's system error, with `code` and `port`: `EADDRINUSE` if another program has the port.
 */
export const listenOnLoopback = async (port: number, secure?: ServerCertificate): Promise<LoopbackListener> => {
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

const contextOf = ({certificate, key}: ServerCertificate) => ({cert: certificate, key});
