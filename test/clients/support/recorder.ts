import {type IncomingMessage, request as send} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {serve} from '../../support/server.ts';

/** A request as the server got it, and the status of its answer. */
export type Seen = {
  /** The JSON-RPC method of a POST. Undefined for a GET, a DELETE or an answer. */
  readonly rpc: string | undefined;
  /** The client's name in the body: in every message in the era of 2026, in `initialize` before. */
  readonly client: string | undefined;
  readonly userAgent: string | undefined;
  readonly authorization: string | undefined;
  readonly status: number;
};

export type Recorder = {
  /** The recorder's origin. */
  readonly url: string;
  /** The requests to `/mcp` so far, in the order of their answers. */
  seen(): readonly Seen[];
  forget(): void;
  /** Makes the server refuse this token from now on, like an expired one. */
  end(token: string): void;
};

/**
 * Starts a proxy on 127.0.0.1 in front of a service of the sandbox, which checks the tokens. The proxy records what
 * passes.
 *
 * @param at the host of its origin. Not every system resolves names below `localhost`, so other tests cover the
 * sandbox's own names.
 */
export const recorderFor = async (service: string, at = '127.0.0.1'): Promise<Recorder> => {
  const {host, port} = new URL(service);
  const ended = new Set<string>();
  let seen: Seen[] = [];

  const url = await serve(async (request, response) => {
    const body = await buffer(request);
    const {authorization} = request.headers;
    const isOver = ended.has(authorization ?? '');
    const headers = {...request.headers, host, ...(isOver ? {authorization: 'Bearer ended'} : {})};
    const options = {host: '127.0.0.1', port, path: request.url, method: request.method, headers};
    const forwarded = send(options, answer => {
      if (request.url === '/mcp') seen.push(noteOf(request, body, answer.statusCode ?? 0));
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    // A client that hangs up ends the stream that it was reading.
    response.on('close', () => forwarded.destroy());
    forwarded.on('error', () => response.destroy()).end(body);
  }, at);

  return {
    url,
    seen: () => seen,
    forget: () => {
      seen = [];
    },
    end: token => void ended.add(`Bearer ${token}`),
  };
};

const noteOf = ({headers}: IncomingMessage, body: Buffer, status: number): Seen => {
  const message: Message = body.length > 0 ? JSON.parse(body.toString()) : {};
  const {clientInfo, _meta} = message.params ?? {};
  return {
    rpc: message.method,
    client: (clientInfo ?? _meta?.['io.modelcontextprotocol/clientInfo'])?.name,
    userAgent: headers['user-agent'],
    authorization: headers.authorization,
    status,
  };
};

type Named = {readonly name?: string};

type Message = {
  readonly method?: string;
  readonly params?: {
    readonly clientInfo?: Named;
    readonly _meta?: {readonly 'io.modelcontextprotocol/clientInfo'?: Named};
  };
};
