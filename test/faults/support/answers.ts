import {type IncomingMessage, type OutgoingHttpHeaders, ServerResponse} from 'node:http';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import type {Handler} from '../../../src/sandbox/http-server.ts';

/** Sends one whole answer. */
export const answers =
  (status: number, body: string | Buffer = '', headers: OutgoingHttpHeaders = {}): Wrap =>
  () =>
  (request, response) => {
    // The request is read to its end. Otherwise closing the connection would reset it.
    request.resume();
    response.writeHead(status, headers).end(body);
  };

export const json = (value: unknown, status = 200, headers: OutgoingHttpHeaders = {}): Wrap =>
  answers(status, typeof value === 'string' ? value : JSON.stringify(value), {
    'Content-Type': 'application/json',
    ...headers,
  });

export const page = (status: number, headers: OutgoingHttpHeaders = {}, title = `Portal ${status}`): Wrap =>
  answers(status, `<!doctype html><html><head><title>${title}</title></head><body>Hello</body></html>`, {
    'Content-Type': 'text/html; charset=utf-8',
    ...headers,
  });

/** Redirects to an address that depends on the requested one. */
export const redirects =
  (status: number, to: (request: IncomingMessage) => string | undefined): Wrap =>
  () =>
  (request, response) => {
    request.resume();
    const location = to(request);
    response.writeHead(status, location === undefined ? {} : {Location: location}).end();
  };

export const ownAddress = ({headers, url}: IncomingMessage): string => `http://${headers.host}${url}`;

/** Sends bytes instead of an HTTP answer, and closes the connection. */
export const bytes =
  (what: string | Buffer): Wrap =>
  () =>
  (request, response) => {
    request.resume();
    response.socket?.end(what);
  };

/** Ends the connection: at once, after the headers, or in the middle of the body. */
export const breaksOff =
  (when: 'at-once' | 'after-headers' | 'mid-body'): Wrap =>
  () =>
  (request, response) => {
    request.resume();
    const {socket} = response;
    if (when === 'at-once') return void socket?.resetAndDestroy();
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n';
    socket?.write(when === 'mid-body' ? `${head}{"a":` : head, () => socket.destroy());
  };

/** Takes the request and sends nothing, or only the beginning of an answer. */
export const silent =
  (begin?: {readonly status: number; readonly type: string; readonly body: string}): Wrap =>
  () =>
  (request, response) => {
    request.resume();
    if (begin) response.writeHead(begin.status, {'Content-Type': begin.type}).write(begin.body);
  };

/** Sends a body of 262 MB, as fast as the client reads it. */
export const floods =
  (type: string, begin = ''): Wrap =>
  () =>
  (request, response) => {
    request.resume();
    const chunk = Buffer.alloc(256 * 1024, ' ');
    let left = 1_000;
    const length = begin.length + left * chunk.length;
    response.writeHead(200, {'Content-Type': type, 'Content-Length': length}).write(begin);
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(chunk)) return;
      }
      response.end();
    };
    response.on('drain', more).on('error', () => {});
    more();
  };

type Captured = {status: number; headers: OutgoingHttpHeaders; body: string};

/** Changes the answer of the handler behind it. */
export const changed =
  (change: (answer: Captured, request: IncomingMessage) => Captured): Wrap =>
  handler =>
  async (request, response) => {
    // A stream that stays open cannot be changed as a whole.
    if (request.method === 'GET' && request.headers.accept?.includes('event-stream')) return handler(request, response);
    const {status, headers, body} = change(await capture(handler, request), request);
    const {'content-length': _, 'transfer-encoding': __, ...kept} = headers;
    response.writeHead(status, kept).end(body);
  };

/** Changes the JSON of an answer. An answer that is not a success stays as it is. */
export const changedJson = (change: (value: Record<string, unknown>) => unknown): Wrap =>
  changed(answer =>
    answer.status >= 300 ? answer : {...answer, body: JSON.stringify(change(JSON.parse(answer.body)))},
  );

/** Replaces these members. Undefined removes one. */
export const members = (others: Readonly<Record<string, unknown>>): Wrap =>
  changedJson(value => ({...value, ...others}));

const capture = async (handler: Handler, request: IncomingMessage): Promise<Captured> => {
  const response = new ServerResponse(request);
  const chunks: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  const take = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const told = (rest: readonly unknown[]) => rest.find(one => typeof one === 'function') as (() => void) | undefined;
  response.writeHead = ((status: number, ...rest: readonly unknown[]) => {
    response.statusCode = status;
    const headers = rest.find(one => typeof one === 'object' && one !== null) ?? {};
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string);
    return response;
  }) as ServerResponse['writeHead'];
  response.flushHeaders = () => {};
  response.write = ((chunk: unknown, ...rest: readonly unknown[]) => {
    take(chunk);
    told(rest)?.();
    return true;
  }) as ServerResponse['write'];
  response.end = ((...rest: readonly unknown[]) => {
    take(rest[0]);
    told(rest)?.();
    ended.resolve();
    return response;
  }) as ServerResponse['end'];
  await handler(request, response);
  await ended.promise;
  return {
    status: response.statusCode,
    headers: response.getHeaders(),
    body: Buffer.concat(chunks).toString('utf8'),
  };
};
