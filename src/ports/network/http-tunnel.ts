import {type IncomingMessage, request} from 'node:http';
import type {Duplex} from 'node:stream';
import {SetupError} from '../../errors.ts';
import {ConnectionTimeout} from './patience.ts';
import {type NetworkProxy, showProxy} from './proxies.ts';

type Target = {readonly host: string; readonly port: number};

/** The header by which one proves oneself to a proxy (RFC 9110 11.7.2, RFC 7617). */
export const proxyAuthorization = ({username, password}: NetworkProxy): Readonly<Record<string, string>> =>
  username === undefined
    ? {}
    : {'proxy-authorization': `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`};

/**
 * Has a proxy open a tunnel over a connection to it (RFC 9110 9.3.6).
 *
 * @param time how long the proxy may take, in milliseconds
 * @throws SetupError `network-proxy-sign-in`, `network-proxy-denied`, `network-proxy`; `ConnectionTimeout`; Node's errors
 */
export const openTunnel = (
  connection: Duplex,
  target: Target,
  proxy: NetworkProxy,
  time: number,
  signal: AbortSignal,
): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
    const asking = request({
      ...{method: 'CONNECT', path: authority, createConnection: () => connection, signal},
      headers: {host: authority, 'user-agent': 'platform-setup', ...proxyAuthorization(proxy)},
    });
    const timer = setTimeout(() => asking.destroy(new ConnectionTimeout('tunnel')), time);
    const fail = (error: unknown) => {
      clearTimeout(timer);
      connection.on('error', () => {}).destroy();
      reject(error);
    };
    asking
      .on('error', fail)
      .on('connect', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
        const refusal = refusalIn(answer.statusCode ?? 0, proxy, authority);
        if (refusal) return fail(refusal);
        clearTimeout(timer);
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      })
      .end();
  });

/** What a proxy's answer means where it is no tunnel; undefined where it is one. */
export const refusalIn = (status: number, proxy: NetworkProxy, target: string): SetupError | undefined => {
  const name = `The proxy ${showProxy(proxy)}`;
  if (status >= 200 && status < 300) return undefined;
  if (status === 407) {
    const reason = proxy.username === undefined ? 'wants a username and a password' : 'does not take this password';
    return new SetupError('network-proxy-sign-in', `${name} ${reason} (407).`);
  }
  if (status === 502 || status === 503 || status === 504) {
    return new SetupError('network-proxy', `${name} could not reach ${target} (${status}).`, {
      remedy: `Check that ${target} is right and running. If it is inside your network, let it go past the proxy: NO_PROXY.`,
    });
  }
  if (status >= 400 && status < 500) {
    return new SetupError('network-proxy-denied', `${name} does not let anybody through to ${target} (${status}).`);
  }
  return new SetupError('network-proxy', `${name} opened no tunnel to ${target}: it answered ${status}.`);
};
