import {isIP, type Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {SetupError} from '../../../errors/errors.ts';
import type {Env, Patience} from '../../ports.ts';
import {isOfNetwork} from '../network-errors.ts';
import {type NetworkProxy, proxyFor} from '../proxies/proxies.ts';
import {brokenProxy, pageForTunnel, unreachableProxy} from '../proxies/proxy-errors.ts';
import {isGivenAddresses} from '../proxies/proxy-names.ts';
import type {Route} from '../route.ts';
import type {Secure} from '../tls/secure.ts';
import {dial} from './dial.ts';
import {lookUpOne} from './lookup.ts';
import {type Target, targetOf} from './target.ts';
import {within} from './within.ts';

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
      throw signal.aborted || !isOfNetwork(error) ? error : unreachableProxy(through, error);
    });

  const reach: Connector['reach'] = async (url, {patience, signal, forwarded = false}) => {
    const through = proxy(url);
    if (!through) return dial(targetOf(url), patience, signal);
    const secured = through.scheme === 'https' ? loadTls() : undefined;
    const target = await nameableFor(through, targetOf(url), patience, signal);
    const connection = await dialProxy(through, patience, signal);
    try {
      const ready = secured ? await secured(connection, through.host, {time: patience.tls, signal}) : connection;
      return forwarded ? ready : await tunnel(ready, connection, {target, through, patience, signal});
    } catch (error) {
      const isTold = signal.aborted || error instanceof SetupError || !isOfNetwork(error);
      throw isTold ? error : brokenProxy(through, error);
    }
  };

  const tunnel = async (
    ready: Duplex,
    dialled: Socket,
    {target, through, patience, signal}: Omit<ConnectOptions, 'forwarded'> & {target: Target; through: NetworkProxy},
  ): Promise<Duplex> => {
    if (isForwarding(through)) {
      const {openTunnel} = await import('./http-tunnel.ts');
      return openTunnel(ready, target, through, patience.tunnel, signal);
    }
    const {openSocksTunnel} = await import('./socks-tunnel.ts');
    return openSocksTunnel(dialled, target, through, patience.tunnel, signal);
  };

  /** TLS takes longer to be loaded than the rest of the start: that is done while the connection is made. */
  const loadTls = (): Secure => {
    const [settings, system] = [route.settings(), route.system()];
    const loading = import('../tls/secure.ts').then(({secureBy}) => secureBy(settings, env, system));
    // Whoever has a connection for it hears of it.
    loading.catch(() => {});
    return async (connection, host, limits) => {
      const secure = await loading.catch(error => {
        connection.destroy();
        throw error;
      });
      return secure(connection, host, limits);
    };
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
      const through = proxy(url);
      if (url.protocol === 'http:') return reach(url, {...options, forwarded: isForwarding(through)});
      const secured = loadTls();
      const {patience, signal} = options;
      const connection = await reach(url, options);
      return secured(connection, targetOf(url).host, {time: patience.tls, signal}).catch(error => {
        throw (through && !signal.aborted && pageForTunnel(through, url, error)) || error;
      });
    },
  };
};

/** Whether plain requests are handed to a proxy as they are. */
export const isForwarding = (proxy: NetworkProxy | undefined): boolean =>
  proxy !== undefined && !proxy.scheme.startsWith('socks');

/** What a proxy is told of where to go: a name, or an address that is looked up here. */
const nameableFor = async (
  {scheme}: NetworkProxy,
  target: Target,
  patience: Patience,
  signal: AbortSignal,
): Promise<Target> => {
  if (!isGivenAddresses(`${scheme}:`) || isIP(target.host) !== 0) return target;
  const look = () => lookUpOne(target.host, scheme === 'socks4' ? 4 : 0);
  return {...target, host: await within({time: patience.name, part: 'name', signal}, look)};
};
