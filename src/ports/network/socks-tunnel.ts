import type {Socket} from 'node:net';
import {SocksClient, SocksClientError} from 'socks';
import {SetupError} from '../../errors.ts';
import {ConnectionTimeout} from './patience.ts';
import {type NetworkProxy, showProxy} from './proxies.ts';

/**
 * Has a SOCKS proxy open a tunnel over a connection to it (RFC 1928, RFC 1929).
 *
 * @param target a name for proxies that look names up themselves, else an address
 * @param time how long the proxy may take, in milliseconds
 * @throws SetupError `network-proxy-sign-in`, `network-proxy-denied`, `network-proxy`; `ConnectionTimeout`
 */
export const openSocksTunnel = async (
  connection: Socket,
  target: {readonly host: string; readonly port: number},
  proxy: NetworkProxy,
  time: number,
): Promise<Socket> => {
  const {scheme, host, port, username, password} = proxy;
  try {
    const {socket} = await SocksClient.createConnection({
      command: 'connect',
      destination: target,
      existing_socket: connection,
      timeout: time,
      proxy: {
        ...{host, port, type: scheme.startsWith('socks4') ? 4 : 5},
        ...(username === undefined ? {} : {userId: username, password: password ?? ''}),
      },
    });
    return socket;
  } catch (error) {
    connection.destroy();
    throw explain(error, proxy, `${target.host}:${target.port}`);
  }
};

const explain = (error: unknown, proxy: NetworkProxy, target: string): unknown => {
  if (!(error instanceof SocksClientError)) return error;
  const name = `The proxy ${showProxy(proxy)}`;
  const options = {cause: error};
  const {message} = error;
  if (/timed out/i.test(message)) return new ConnectionTimeout('tunnel');
  if (/authentication|no accepted/i.test(message)) {
    const reason = proxy.username === undefined ? 'wants a username and a password' : 'does not take this password';
    return new SetupError('network-proxy-sign-in', `${name} ${reason}.`, options);
  }
  const [, reply] = /rejected connection - \(?(\w+)/.exec(message) ?? [];
  if (reply === 'NotAllowed') {
    return new SetupError('network-proxy-denied', `${name} does not let anybody through to ${target}.`, options);
  }
  if (reply !== undefined) {
    return new SetupError('network-proxy', `${name} could not reach ${target} (${reply}).`, options);
  }
  return new SetupError('network-proxy', `${name} does not speak SOCKS.`, options);
};
