import {createServer, type IncomingMessage} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {connect} from 'node:net';
import type {Duplex} from 'node:stream';
import type {Handler} from '../../../support/server.ts';
import {type Listening, listening} from './listening.ts';
import {pem} from './tls-server.ts';

type Given = {
  /** The port of loopback to which every tunnel leads. */
  readonly target?: number;
  /** The answer to CONNECT instead of a tunnel, as raw text. */
  readonly answer?: string | ((client: Duplex) => void);
  /** Answers plain requests. */
  readonly handler?: Handler;
  /** The file of the proxy's certificate, if clients connect to it with TLS. */
  readonly certificate?: string;
};

export type HttpProxy = Listening & {
  /** The requests, as `CONNECT host:port` or `GET address`. */
  readonly asked: string[];
  /** The credentials of each request. */
  readonly proofs: (string | undefined)[];
};

/** Starts an HTTP proxy of the tests. Names need not exist: all lead to the same place. */
export const serveProxy = async ({target = 0, answer, handler, certificate}: Given): Promise<HttpProxy> => {
  const asked: string[] = [];
  const proofs: (string | undefined)[] = [];
  const note = ({method, url, headers}: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    proofs.push(headers['proxy-authorization']);
  };
  const handle: Handler = (request, response) => {
    note(request);
    if (handler) handler(request, response);
    else response.writeHead(500).end('No tunnel was asked for.');
  };
  const server = certificate
    ? createSecureServer({key: pem('server.key'), cert: pem(certificate)}, handle).on('tlsClientError', () => {})
    : createServer(handle);
  server.on('connect', (request, client: Duplex, head) => {
    note(request);
    client.on('error', () => {});
    // A socket that does not read does not notice that it is closed.
    if (typeof answer === 'string') return void client.resume().end(answer);
    if (answer) return answer(client);
    const upstream = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  return {...(await listening(server)), asked, proofs};
};
