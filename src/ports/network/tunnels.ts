import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import connect from 'undici/lib/api/api-connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import {SetupError} from '../../errors/errors.ts';
import {ConnectionTimeout, checkOpen, held, within} from './network-errors.ts';
import {type NetworkProxy, showProxy} from './proxies.ts';
import {proxyAuthorization, proxySignInRequired, refusalIn} from './proxy-refusals.ts';
import {authorityOf, type Target} from './route.ts';

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

/**
 * Has a SOCKS proxy open a tunnel over a connection to it (RFC 1928, RFC 1929).
 *
 * @param target a name for proxies that look names up themselves, else an address
 * @param time how long the proxy may take, in milliseconds
 * @throws SetupError of the `network-proxy` family; `ConnectionTimeout`; what `signal` aborts with
 */
export const openSocksTunnel = (
  connection: Socket,
  target: Target,
  proxy: NetworkProxy,
  time: number,
  signal: AbortSignal,
): Promise<Socket> => {
  const {scheme, host, port, username, password} = proxy;
  const begin = async () => {
    // Few proxies speak it, and the library is as large as all of the rest here.
    const {SocksClient, SocksClientError} = await import('socks');
    checkOpen(connection);
    const asked = SocksClient.createConnection({
      command: 'connect',
      destination: target,
      existing_socket: connection,
      // Ours is counted outside, and is the shorter one.
      timeout: time * 2,
      proxy: {
        ...{host, port, type: scheme.startsWith('socks4') ? 4 : 5},
        ...(username === undefined && password === undefined ? {} : {userId: username ?? '', password: password ?? ''}),
      },
    });
    const answer = await asked.catch(error => {
      throw error instanceof SocksClientError ? explain(error, proxy, authorityOf(target)) : error;
    });
    return answer.socket;
  };
  return within({time, part: 'tunnel', signal}, begin, () => held(connection).destroy());
};

const explain = ({message}: Error, proxy: NetworkProxy, target: string): Error => {
  const name = `The proxy ${showProxy(proxy)}`;
  // The library's error holds the password.
  const options = {cause: new Error(message)};
  if (/no accepted authentication|Authentication failed/.test(message)) {
    return proxySignInRequired(proxy, '', options.cause);
  }
  const [, reply] = /proxy rejected connection - \(?(\w+)/i.exec(message) ?? [];
  if (reply === 'NotAllowed') {
    return new SetupError('network-proxy-denied', `${name} does not let calls through to ${target}.`, options);
  }
  if (reply !== undefined && reply !== 'Granted') {
    const remedy = `Check that ${target} is right and running. If it is inside your network, add it to NO_PROXY.`;
    return new SetupError('network-proxy', `${name} ${replies[reply] ?? replies.Failure} ${target}.`, {
      ...options,
      remedy,
    });
  }
  if (/timed out/i.test(message)) return new ConnectionTimeout('tunnel');
  if (/closed|ECONN|EPIPE/.test(message))
    return new SetupError('network-proxy', `${name} closed the connection.`, options);
  return new SetupError('network-proxy', `${name} does not speak ${proxy.scheme}.`, options);
};

/** What a proxy answers where it opens nothing (RFC 1928 6), before the name of what it could not open. */
const replies: Readonly<Record<string, string>> = {
  Failure: 'could not reach',
  NetworkUnreachable: 'has no route to the network of',
  HostUnreachable: 'has no route to',
  ConnectionRefused: 'found nothing listening at',
  TTLExpired: 'has no route to',
  CommandNotSupported: 'does not open connections, including to',
  AddressNotSupported: 'does not support the type of address of',
};
