import {once} from 'node:events';
import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {SetupError} from '../../errors/errors.ts';
import {orByHand} from '../../errors/shared-advice.ts';
import type {Processes} from '../ports.ts';
import type {ExclusiveFiles} from '../storage.ts';
import type {Callback, CallbackPage} from './callback.ts';
import {describeHolder, findPortHolder} from './port-holder.ts';

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, character => `&#${character.codePointAt(0)};`);

const style = `
:root { color-scheme: light dark; --good: light-dark(#1a7f37, #3fb950); --bad: light-dark(#b42318, #f85149) }
body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 0; display: grid; min-height: 100vh; place-items: center;
  background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #e6edf3) }
main { max-width: 34rem; padding: 1.5rem; border-left: .25rem solid var(--mood); margin: 1rem }
h1 { font-size: 1.375rem; margin: 0 0 .5rem; text-wrap: balance }
p { margin: 0 0 .75rem; overflow-wrap: anywhere }
p:last-child { margin: 0; font-weight: 600 }
`;

/** Renders the page as HTML. It loads nothing and runs nothing, and its texts are escaped. */
export const renderPage = ({title, text, next, mood}: CallbackPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}:root { --mood: var(--${mood}) }</style>
</head>
<body>
<main${mood === 'bad' ? ' role="alert"' : ''}>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p>${escapeHtml(next)}</p>
</main>
</body>
</html>
`;

/** The headers of every answer: no caching, no referrer, no framing, no script, nothing from other origins. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/**
 * How long a request may take to arrive, in milliseconds. A slower one is dropped, so that no client blocks the port by
 * sending slowly.
 */
const REQUEST_TIMEOUT = 10_000;

/** How long to wait for a connection to the program that listens, in milliseconds: it is on this machine. */
const LISTENER_TIMEOUT = 1_000;

/**
 * A browser opens a few connections; if there are more at once, another program opens them. The oldest is then closed,
 * so that held connections cannot keep out the browser, which sends its request at once.
 */
const MAX_CONNECTIONS = 64;

/**
 * How long a request for the port is valid, in milliseconds. A run that asks waits for less time, and may end without
 * withdrawing its request.
 */
const PORT_REQUEST_VALIDITY = 5_000;

/** Shared with other runs of this program: the directory and the files for requests of a port, and the clock. */
type Shared = {readonly directory: string; readonly exclusiveFiles: ExclusiveFiles; readonly now: () => number};

/** Creates the callback listener on Node's http server. For `localhost`, it listens on both loopback addresses. */
export const createCallback = (processes: Processes, {directory, exclusiveFiles, now}: Shared): Callback => ({
  ask: async ({port}) => {
    const path = portRequestPath(directory, port);
    const own = `${now()} ${processes.self().pid}`;
    await exclusiveFiles.remove(path);
    await exclusiveFiles.create(path, own).catch(() => false);
    return {
      takeBack: async () => {
        // Another run may have asked since, and may still be waiting.
        if ((await exclusiveFiles.read(path)) === own) await exclusiveFiles.remove(path);
      },
    };
  },
  isAsked: async ({port}) => {
    const [at = Number.NaN] = (await exclusiveFiles.read(portRequestPath(directory, port)))?.split(' ') ?? [];
    const since = now() - Number(at);
    return since >= 0 && since < PORT_REQUEST_VALIDITY;
  },
  listen: async (redirectUri, answer) => {
    // Node's http takes milliseconds to load, which a start without a sign-in should not pay.
    const {createServer} = await import('node:http');
    const {port, origin} = redirectUri;
    const listen = async (hostname: string): Promise<Server> => {
      const server = createServer({
        headersTimeout: REQUEST_TIMEOUT,
        requestTimeout: REQUEST_TIMEOUT,
        connectionsCheckingInterval: 1_000,
      });
      limitConnections(server);
      server.on('request', (request, response) => {
        respond(request, redirectUri, answer).then(
          page => send(response, page),
          () => send(response, broken),
        );
      });
      await bind(server, {hostname, port: Number(port), origin}, processes);
      return server;
    };
    const [first = '', ...others] = addressesOf(redirectUri);
    const servers = [await listen(first)];
    for (const other of others) {
      const server = await listen(other).catch(async error => {
        // If another program holds the port of this address, it could get the answer, so that is an error. It is no
        // error if this machine lacks the address.
        if (error instanceof SetupError && error.code === 'local-callback-failed') return undefined;
        await Promise.all(servers.map(close));
        throw error;
      });
      if (server) servers.push(server);
    }
    return {
      close: async () => {
        await Promise.all(servers.map(close));
      },
    };
  },
});

/** Returns the path of the file with which a run of this program asks the others for a port. */
const portRequestPath = (directory: string, port: string): string => join(directory, `callback-${Number(port)}`);

const limitConnections = (server: Server) => {
  const open = new Set<Socket>();
  server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > MAX_CONNECTIONS) oldest?.destroy();
  });
};

/** Returns the addresses to which a browser may resolve the host of a redirect URI, the usual one first. */
const addressesOf = ({hostname}: URL): readonly string[] => {
  if (hostname === 'localhost') return ['127.0.0.1', '::1'];
  return [hostname.replace(/^\[|\]$/g, '')];
};

const close = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve());
    // A browser keeps its connection open, and an incomplete request would hold the server for as long as its sender
    // likes.
    server.closeIdleConnections();
    setImmediate(() => server.closeAllConnections());
  });

const bind = (server: Server, at: At, processes: Processes) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', async (error: NodeJS.ErrnoException) => {
      reject(await bindFailure(error, at, processes));
    });
    server.listen({host: at.hostname, port: at.port, exclusive: true}, () => resolve());
  });

type At = {readonly hostname: string; readonly port: number; readonly origin: string};

const bindFailure = async (error: NodeJS.ErrnoException, {hostname, port, origin}: At, processes: Processes) => {
  if (error.code === 'EACCES' && process.platform === 'win32') return reserved(port, error);
  if (error.code !== 'EADDRINUSE') {
    return new SetupError('local-callback-failed', `This program cannot listen at ${origin} (${error.code}).`, {
      cause: error,
      about: {url: origin},
    });
  }
  const holder = await findPortHolder(port, processes);
  if (!holder && (await isRefused(hostname, port))) {
    const message = `Port ${port}, where the browser returns to, is briefly held by a closed connection.`;
    const remedy = orByHand('Try again in a minute');
    return new SetupError('local-port-taken', message, {cause: error, remedy, about: {isFreeSoon: true}});
  }
  const isOwn = !holder || holder.isThisProgram === true || holder.pid === process.pid;
  return new SetupError(
    'local-port-taken',
    `Port ${port}, where the browser returns to, is in use by ${describeHolder(holder)}.`,
    {
      cause: error,
      remedy: orByHand(
        holder?.isThisProgram
          ? 'Finish the sign-in that waits there or end that process, then try again'
          : 'Stop that program and try again',
      ),
      about: {
        ...(isOwn ? {isOwnPort: true} : {}),
        ...(holder?.isBridge ? {isLentPort: true} : {}),
      },
    },
  );
};

/**
 * Returns the error for a port that Windows gives to no program: Hyper-V, Docker and WSL reserve ranges, anew at each
 * start.
 */
export const reserved = (port: number, cause?: unknown) =>
  new SetupError('local-port-taken', `Port ${port}, where the browser returns to, is reserved by Windows.`, {
    cause,
    remedy: orByHand(
      [
        'Hyper-V, Docker and WSL reserve ranges of ports (netsh interface ipv4 show excludedportrange protocol=tcp lists them).',
        'Restart your computer so that Windows reserves other ports',
      ].join(' '),
    ),
  });

/**
 * Whether no program listens at a port that is in use. A system takes the ports of a range for outgoing connections,
 * and keeps each in use for a minute after its connection has ended. No program asked for such a port, and no program
 * can be ended to free it.
 */
const isRefused = async (hostname: string, port: number): Promise<boolean> => {
  const {connect} = await import('node:net');
  return new Promise(resolve => {
    const socket = connect({host: hostname, port, timeout: LISTENER_TIMEOUT});
    const end = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    // The system may choose the same port for this end of the connection, which is then connected to itself.
    socket.once('connect', () => end(socket.localPort === port));
    socket.once('timeout', () => end(false));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'));
  });
};

/**
 * Passes to `answer` only a navigation by GET to the exact path at the exact host. The path is compared as it was sent:
 * `//auth-callback` and `/AUTH-CALLBACK` are other paths. A page of another origin cannot reach `answer` by fetch
 * (Origin, Sec-Fetch-Mode), nor through a name that resolves to loopback (Host).
 */
const respond = async (
  {method = '', url = '', headers, rawHeaders}: IncomingMessage,
  redirectUri: URL,
  answer: (query: URLSearchParams) => Promise<CallbackPage>,
): Promise<CallbackPage> => {
  const [path, ...rest] = url.split('?');
  // Node takes the first of several Host headers, but such a request must be refused (RFC 9112 3.2).
  if (rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1)
    return refused(400);
  if (headers.host !== redirectUri.host) return refused(421);
  if (headers.origin !== undefined) return refused(403);
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined && mode !== 'navigate') return refused(403);
  if (path !== redirectUri.pathname) return refused(404);
  if (method !== 'GET') return refused(405);
  return answer(new URLSearchParams(rest.join('?')));
};

const send = (response: ServerResponse, page: CallbackPage) => {
  const allow = page.status === 405 ? {Allow: 'GET'} : {};
  response.writeHead(page.status, {...pageHeaders, ...allow, Connection: 'close'}).end(renderPage(page));
};

const refused = (status: number): CallbackPage => ({
  status,
  title: 'Nothing here',
  text: 'This address only receives the answer to the current sign-in.',
  next: 'Go back to the program that asked you to sign in.',
  mood: 'bad',
});

const broken: CallbackPage = {
  ...refused(500),
  title: 'Something went wrong',
  text: 'The sign-in could not be finished.',
};

/** Returns a port of this machine's loopback interface that is free at the moment, chosen by the system. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A server on TCP has a port.');
  return address.port;
};
