import {type IncomingMessage, request} from 'node:http';
import type {Duplex} from 'node:stream';
import type {NetworkProxy} from '../proxies/proxies.ts';
import {proxyAuthorization, refusalIn} from '../proxies/proxy-refusals.ts';
import {checkOpen, held} from './error-listener.ts';
import {authorityOf, type Target} from './target.ts';
import {within} from './within.ts';

/**
 * Has a proxy open a tunnel over a connection to it (RFC 9110 9.3.6).
 *
 * @param time how long the proxy may take, in milliseconds
 * @throws SetupError of the `network-proxy` family; `ConnectionTimeout`; Node's errors; what `signal` aborts with
 */
export const openTunnel = (
  connection: Duplex,
  target: Target,
  proxy: NetworkProxy,
  time: number,
  signal: AbortSignal,
): Promise<Duplex> => {
  const authority = authorityOf(target);
  const begin = () =>
    new Promise<Duplex>((resolve, reject) => {
      checkOpen(connection);
      request({
        ...{method: 'CONNECT', path: authority, createConnection: () => connection},
        headers: {host: authority, 'user-agent': 'platform-setup', ...proxyAuthorization(proxy)},
      })
        .on('error', reject)
        .on('connect', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
          const refusal = refusalIn(answer, proxy, authority);
          if (refusal) return reject(refusal);
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
        })
        .end();
    });
  return within({time, part: 'tunnel', signal}, begin, () => held(connection).destroy());
};
