import type {Duplex} from 'node:stream';
import connect from 'undici/lib/api/api-connect.js';
import Client from 'undici/lib/dispatcher/client.js';
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
  const begin = async () => {
    checkOpen(connection);
    const client = new Client(`http://${authorityOf(proxy)}`, {
      connect: (_, made) => queueMicrotask(() => made(null, connection as never)),
      headersTimeout: 0,
    });
    const {statusCode, headers, socket} = await connect.call(client, {
      path: authority,
      headers: {host: authority, 'user-agent': 'platform-setup', ...proxyAuthorization(proxy)},
    });
    const refusal = refusalIn({status: statusCode, headers}, proxy, authority);
    if (refusal) throw refusal;
    return socket;
  };
  return within({time, part: 'tunnel', signal}, begin, () => held(connection).destroy());
};
