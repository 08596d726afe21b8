import {lookup as lookUp} from 'node:dns/promises';
import {isIP, type Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {SetupError} from '../../errors.ts';
import type {Env} from '../ports.ts';
import {dial} from './dial.ts';
import {codesOf, tlsError} from './network-errors.ts';
import type {Route} from './network-settings.ts';
import {ConnectionTimeout, type Patience} from './patience.ts';
import {type NetworkProxy, proxyFor, showProxy} from './proxies.ts';

export type ConnectOptions = {
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /**
   * Whether a plain request may be handed to an HTTP proxy, which then makes the call itself (RFC 9112 3.2.2). Without,
   * it is asked for a tunnel.
   */
  readonly forwarded?: boolean;
};

export type Connector = {
  /** The proxy between here and an address. */
  proxy(url: URL): NetworkProxy | undefined;
  /**
   * A connection to the host of an address, ready for its first byte: through the proxy where there is one, and with TLS
   * where the scheme has it.
   *
   * @throws SetupError of the `network-proxy` family where the proxy is at fault; else Node's errors or `ConnectionTimeout`
   */
  connect(url: URL, options: ConnectOptions): Promise<Duplex>;
  /** A connection to the proxy of an address, and no further. */
  reachProxy(url: URL, options: Omit<ConnectOptions, 'forwarded'>): Promise<Duplex>;
  /** The same up to where TLS would begin. */
  reach(url: URL, options: ConnectOptions): Promise<Duplex>;
};

/** Connections along the route that is in force when they are asked for. */
export const createConnector = (route: Route, env: Env): Connector => {
  const proxy = (url: URL) => proxyFor(url, route.settings(), route.passwords(), env);

  const dialProxy = (through: NetworkProxy, patience: Patience, signal: AbortSignal) =>
    dial(through, patience, signal).catch(error => {
      throw signal.aborted ? error : unreachable(through, error);
    });

  const reach: Connector['reach'] = async (url, {patience, signal, forwarded = false}) => {
    const target = targetOf(url);
    const through = proxy(url);
    if (!through) return dial(target, patience, signal);
    const connection = await dialProxy(through, patience, signal);
    try {
      return await tunnel(connection, {target, through, forwarded, patience, signal});
    } catch (error) {
      connection.on('error', () => {}).destroy();
      throw signal.aborted || error instanceof SetupError ? error : broken(through, error);
    }
  };

  const tunnel = async (
    connection: Socket,
    {target, through, forwarded, patience, signal}: Omit<ConnectOptions, 'forwarded'> & Hop,
  ): Promise<Duplex> => {
    if (through.scheme.startsWith('socks')) {
      const {openSocksTunnel} = await import('./socks-tunnel.ts');
      const looksUpItself = through.scheme === 'socks5h' || through.scheme === 'socks4a';
      const host = looksUpItself || isIP(target.host) !== 0 ? target.host : (await lookUp(target.host)).address;
      return openSocksTunnel(connection, {...target, host}, through, patience.tunnel);
    }
    const ready = through.scheme === 'https' ? await secured(connection, through.host, patience, signal) : connection;
    if (forwarded) return ready;
    const {openTunnel} = await import('./http-tunnel.ts');
    return openTunnel(ready, target, through, patience.tunnel, signal);
  };

  const secured = async (connection: Duplex, host: string, patience: Patience, signal: AbortSignal) => {
    // Loaded where it is needed: TLS takes longer than the rest of the start.
    const {secure} = await import('./secure.ts');
    return secure(connection, host, {
      settings: route.settings(),
      system: route.system(),
      env,
      time: patience.tls,
      signal,
    });
  };

  return {
    proxy,
    reach,
    reachProxy: async (url, {patience, signal}) => {
      const through = proxy(url);
      if (!through) throw new SetupError('bug', `There is no proxy between here and ${url.origin}.`);
      return dialProxy(through, patience, signal);
    },
    connect: async (url, options) => {
      if (url.protocol === 'http:') return reach(url, {...options, forwarded: isForwarding(proxy(url))});
      return secured(await reach(url, options), targetOf(url).host, options.patience, options.signal);
    },
  };
};

type Hop = {
  readonly target: {readonly host: string; readonly port: number};
  readonly through: NetworkProxy;
  readonly forwarded: boolean;
};

/** Whether plain requests are handed to a proxy as they are. */
export const isForwarding = (proxy: NetworkProxy | undefined): boolean =>
  proxy !== undefined && !proxy.scheme.startsWith('socks');

const targetOf = (url: URL) => ({
  host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
  port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
});

const unreachable = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const name = `The proxy ${showProxy(proxy)}`;
  const say = (what: string) => new SetupError('network-proxy', `${name} ${what}.`, {cause});
  const codes = [...codesOf(cause)];
  if (codes.some(code => code === 'ENOTFOUND' || code === 'EAI_AGAIN')) return say('has a name that is not known here');
  if (codes.includes('ECONNREFUSED')) return say('is not there: nothing listens');
  if (codes.includes('ETIMEDOUT')) return say('did not answer in time');
  return say(`cannot be reached (${codes[0] ?? 'unknown reason'})`);
};

const broken = (proxy: NetworkProxy, cause: unknown): SetupError => {
  const name = `The proxy ${showProxy(proxy)}`;
  const say = (what: string) => new SetupError('network-proxy', `${name} ${what}.`, {cause});
  if (cause instanceof ConnectionTimeout) return say('did not open a connection in time');
  const codes = [...codesOf(cause)];
  const tls = tlsError(codes, name, {cause});
  if (tls) return tls;
  const isOtherProtocol = codes.some(code => code.startsWith('HPE_') || code.startsWith('ERR_SSL_'));
  if (isOtherProtocol) return say(`does not speak ${proxy.scheme}`);
  return say(`closed the connection (${codes[0] ?? 'unknown reason'})`);
};
