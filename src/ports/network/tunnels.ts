import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import type {Dispatcher} from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import {ConnectionTimeout, checkOpen, held, withTimeout} from './network-errors.ts';
import type {NetworkProxy} from './proxies.ts';
import {checkTarget, failureOf, proxyAuthorization, proxySignInRequired, refusalIn} from './proxy-refusals.ts';
import {authorityOf, type ConnectionTarget} from './route.ts';

type Tunnel = {
  /** A name for proxies that look names up themselves, otherwise an address. */
  readonly target: ConnectionTarget;
  readonly proxy: NetworkProxy;
  /** How long the proxy may take, in milliseconds. */
  readonly time: number;
  readonly signal: AbortSignal;
};

/**
 * Asks a proxy to open a tunnel over a connection to it: with CONNECT (RFC 9110 9.3.6), or with SOCKS (RFC 1928, RFC
 * 1929).
 *
 * @throws SetupError; `ConnectionTimeout`; Node's errors; the reason of `signal`
 */
export const openTunnel = (connection: Duplex, {target, proxy, time, signal}: Tunnel): Promise<Duplex> => {
  const ask = proxy.scheme.startsWith('socks') ? askSocks : askHttp;
  const drop = () => void held(connection).destroy();
  return withTimeout({time, part: 'tunnel', signal}, () => ask(connection, target, proxy, time), drop);
};

const askHttp = async (connection: Duplex, target: ConnectionTarget, proxy: NetworkProxy): Promise<Duplex> => {
  const authority = authorityOf(target);
  checkOpen(connection);
  const client = new Client(`http://${authorityOf(proxy)}`, {
    connect: (_, made) => queueMicrotask(() => made(null, connection as never)),
    headersTimeout: 0,
  });
  const headers = {host: authority, 'user-agent': 'platform-setup', ...proxyAuthorization(proxy)};
  return new Promise((resolve, reject) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      // Called with the connection whatever the status of the answer is.
      onRequestUpgrade: (_, status, answered, socket) => {
        const refusal = refusalIn({status, headers: answered}, proxy, authority);
        if (refusal) reject(refusal);
        else resolve(socket);
      },
      onResponseError: (_, error) => reject(error),
    };
    client.dispatch({method: 'CONNECT', path: authority, headers}, handler);
  });
};

const askSocks = async (
  connection: Duplex,
  target: ConnectionTarget,
  proxy: NetworkProxy,
  time: number,
): Promise<Duplex> => {
  const {scheme, host, port, username, password} = proxy;
  // Few proxies speak SOCKS, so the library is loaded only for those. In the bundle it has no named exports.
  const {SocksClient, SocksClientError} = (await import('socks')).default;
  checkOpen(connection);
  const asked = SocksClient.createConnection({
    command: 'connect',
    destination: target,
    existing_socket: connection as Socket,
    // `withTimeout` enforces the time limit. The library's own limit is longer, so that it never ends first.
    timeout: time * 2,
    proxy: {
      ...{host, port, type: scheme.startsWith('socks4') ? 4 : 5},
      ...(username === undefined && password === undefined ? {} : {userId: username ?? '', password: password ?? ''}),
    },
  });
  const {socket} = await asked.catch(error => {
    throw error instanceof SocksClientError ? explain(error, proxy, authorityOf(target)) : error;
  });
  return socket;
};

/** Converts an error of the library by its message. */
const explain = ({message}: Error, proxy: NetworkProxy, target: string): Error => {
  // The library's error contains the password.
  const cause = new Error(message);
  const say = (what: string) => failureOf(proxy, 'network-proxy', what, {cause});
  if (/no accepted authentication|Authentication failed/.test(message)) return proxySignInRequired(proxy, '', cause);
  const [, reply] = /proxy rejected connection - \(?(\w+)/i.exec(message) ?? [];
  if (reply === 'NotAllowed') {
    return failureOf(proxy, 'network-proxy-denied', `does not let calls through to ${target}`, {cause});
  }
  if (reply !== undefined && reply !== 'Granted') {
    const what = `${replies[reply] ?? replies.Failure} ${target}`;
    return failureOf(proxy, 'network-proxy', what, {cause, remedy: checkTarget(target)});
  }
  if (/timed out/i.test(message)) return new ConnectionTimeout('tunnel');
  const isClosed = /closed|ECONN|EPIPE/.test(message);
  return say(isClosed ? 'closed the connection' : `does not speak ${proxy.scheme}`);
};

/** A proxy's replies when it opens no connection (RFC 1928 6), in words before the name of the target. */
const replies: Readonly<Record<string, string>> = {
  Failure: 'could not reach',
  NetworkUnreachable: 'has no route to the network of',
  HostUnreachable: 'has no route to',
  ConnectionRefused: 'found nothing listening at',
  TTLExpired: 'has no route to',
  CommandNotSupported: 'does not open connections, so it cannot reach',
  AddressNotSupported: 'does not support the type of address of',
};
