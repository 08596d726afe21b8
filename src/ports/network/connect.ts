import type {LookupAddress} from 'node:dns';
import {lookup} from 'node:dns/promises';
import {once} from 'node:events';
import {connect, isIP, type Socket} from 'node:net';
import {networkInterfaces} from 'node:os';
import type {Duplex} from 'node:stream';
import {SetupError} from '../../errors/errors.ts';
import type {Env, Timeouts} from '../ports.ts';
import {held, isOfNetwork, withTimeout} from './network-errors.ts';
import {isGivenAddresses, type NetworkProxy, proxyFor} from './proxies.ts';
import {brokenProxy, pageForTunnel, unreachableProxy} from './proxy-refusals.ts';
import {type ConnectionTarget, isLocalhostName, type Route, targetOf} from './route.ts';
import type {Secure} from './tls.ts';

/** How long the parts of a connection may take if the target is known or was named by the person, in milliseconds. */
export const defaultTimeouts: Timeouts = {name: 15_000, connect: 10_000, tunnel: 30_000, tls: 10_000};

type Limits = {readonly timeouts: Timeouts; readonly signal: AbortSignal};

/**
 * Creates the functions that open connections by a route. They reject with a SetupError if a proxy or a setting is at
 * fault, otherwise with Node's errors or a `ConnectionTimeout`.
 */
export const createConnector = (route: Route, env: Env) => {
  const proxy = (url: URL) => proxyFor(url, route.settings, route.passwords, env);

  const dialProxy = (through: NetworkProxy, {timeouts, signal}: Limits) =>
    dial(through, timeouts, signal).catch(error => {
      throw signal.aborted || !isOfNetwork(error) ? error : unreachableProxy(through, error);
    });

  /**
   * Opens a connection up to the point where TLS would begin. `isForwarded` is true if a proxy gets the request itself
   * (RFC 9112 3.2.2).
   */
  const reach = async (url: URL, limits: Limits, isForwarded = false): Promise<Duplex> => {
    const {timeouts, signal} = limits;
    const through = proxy(url);
    if (!through) return dial(targetOf(url), timeouts, signal);
    const secured = through.scheme === 'https' ? loadTls() : undefined;
    const target = targetOf(url);
    // This proxy accepts addresses only, so the name is looked up here.
    const isLookedUp = isGivenAddresses(`${through.scheme}:`) && isIP(target.host) === 0;
    const look = () => resolveName(target.host, through.scheme === 'socks4' ? 4 : 0);
    const host = isLookedUp ? await withTimeout({time: timeouts.name, part: 'name', signal}, look) : target.host;
    const connection = await dialProxy(through, limits);
    try {
      const ready = secured ? await secured(connection, through.host, {time: timeouts.tls, signal}) : connection;
      if (isForwarded) return ready;
      const {openTunnel} = await import('./tunnels.ts');
      return await openTunnel(ready, {target: {...target, host}, proxy: through, time: timeouts.tunnel, signal});
    } catch (error) {
      const isTold = signal.aborted || error instanceof SetupError || !isOfNetwork(error);
      throw isTold ? error : brokenProxy(through, error);
    }
  };

  /** Loads TLS while the connection is made, because loading takes longer than the rest of the start. */
  const loadTls = (): Secure => {
    const system = route.system.certificates();
    const loading = import('./tls.ts').then(({secureBy}) => secureBy(route.settings, env, system));
    // The function returned below reports the error once there is a connection.
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
    /** Opens a connection to the proxy of an address, and no further. */
    reachProxy: async (url: URL, limits: Limits): Promise<Duplex> => {
      const through = proxy(url);
      if (!through) throw new SetupError('bug', `There is no proxy between here and ${url.origin}.`);
      return dialProxy(through, limits);
    },
    /**
     * Opens a connection on which a request to this address can be sent: to its host, or to the proxy that forwards
     * plain http.
     */
    connect: async (url: URL, limits: Limits): Promise<Duplex> => {
      const through = proxy(url);
      if (url.protocol === 'http:') return reach(url, limits, isForwarding(through));
      const secured = loadTls();
      const {timeouts, signal} = limits;
      const connection = await reach(url, limits);
      return secured(connection, targetOf(url).host, {time: timeouts.tls, signal}).catch(error => {
        throw (through && !signal.aborted && pageForTunnel(through, url, error)) || error;
      });
    },
  };
};

/** Whether plain requests are given to a proxy as they are. */
export const isForwarding = (proxy: NetworkProxy | undefined): boolean =>
  proxy !== undefined && !proxy.scheme.startsWith('socks');

/** After this many milliseconds of silence the other end is probed, because firewalls forget silent connections. */
const PROBE_AFTER = 15_000;

/**
 * How long to try one of several addresses, in milliseconds: a lost packet is sent again after a second (RFC 6298 2).
 */
const ADDRESS_TIME = 1_200;

/**
 * Opens a TCP connection.
 *
 * @throws Node's own errors, `ConnectionTimeout`, or the reason of `signal`
 */
export const dial = async (
  {host, port}: ConnectionTarget,
  timeouts: Timeouts,
  signal: AbortSignal,
  resolve: typeof lookUp = lookUp,
): Promise<Socket> => {
  const found = isIP(host) ? [] : await withTimeout({time: timeouts.name, part: 'name', signal}, () => resolve(host));
  let socket: Socket | undefined;
  const begin = async () => {
    socket = connect({
      ...{host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: PROBE_AFTER},
      lookup: (_host, _options, done) => process.nextTick(done, null, found),
      // A name of this machine has two addresses, and each reports a closed port at once. The first is not given up
      // early: if its process is busy for a moment, the second would report “refused”.
      autoSelectFamilyAttemptTimeout: isLocalhostName(host) ? timeouts.connect : ADDRESS_TIME,
    });
    await once(held(socket), 'connect');
    return socket;
  };
  return withTimeout({time: timeouts.connect, part: 'connect', signal}, begin, () => socket?.destroy());
};

const loopback: readonly LookupAddress[] = [
  {address: '127.0.0.1', family: 4},
  {address: '::1', family: 6},
];

/**
 * Returns the addresses of a name. Many resolvers do not know `*.localhost`, which is loopback without a query (RFC
 * 6761 6.3).
 */
export const lookUp = async (hostname: string): Promise<readonly LookupAddress[]> =>
  isLocalhostName(hostname) ? loopback : lookUpOnce(hostname);

/** How long further callers share a pending query, in milliseconds. */
const JOINED_FOR = 2_000;

type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Lets callers share a pending query for a name: Node runs few queries at once, and a query may take seconds. A query
 * that is older than `JOINED_FOR` is not shared: it may have begun before a VPN was up, and hang.
 */
export const askOnce = (ask: LookUp, now = () => performance.now()): LookUp => {
  const asked = new Map<string, {readonly asking: ReturnType<LookUp>; readonly since: number}>();
  return hostname => {
    const known = asked.get(hostname);
    if (known && now() - known.since <= JOINED_FOR) return known.asking;
    const question = {asking: ask(hostname), since: now()};
    asked.set(hostname, question);
    const forget = () => {
      if (asked.get(hostname) === question) asked.delete(hostname);
    };
    question.asking.then(forget, forget);
    return question.asking;
  };
};

const lookUpOnce = askOnce(hostname => lookup(hostname, {all: true}));

/** Returns one address of a name, for a proxy that accepts no names. IPv4 comes first: many proxies have no IPv6. */
export const resolveName = async (hostname: string, family: 0 | 4): Promise<string> =>
  (await lookup(hostname, {family, order: 'ipv4first'})).address;

/** Returns this machine's addresses in the network; undefined if a sandbox hides them. */
const addressesOf = (interfaces: typeof networkInterfaces): readonly string[] | undefined => {
  try {
    const all = Object.values(interfaces()).flatMap(list => list ?? []);
    return all.filter(({internal}) => !internal).map(({address}) => address);
  } catch {
    return undefined;
  }
};

let last = '';

/** Returns this machine's addresses in the network as one text. If they cannot be read, they count as unchanged. */
export const ownAddresses = (interfaces = networkInterfaces): string => {
  last = addressesOf(interfaces)?.toSorted().join(' ') ?? last;
  return last;
};

/** Whether this machine still has an address. True for loopback addresses, and if the addresses cannot be read. */
export const hasAddress = (address: string, interfaces = networkInterfaces): boolean => {
  const bare = address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*/, '');
  if (bare.startsWith('127.') || bare === '::1') return true;
  return addressesOf(interfaces)?.includes(bare) ?? true;
};

export const localAddressOf = (connection: Duplex): string | undefined =>
  'localAddress' in connection && typeof connection.localAddress === 'string' ? connection.localAddress : undefined;

/** The time without a byte after which a call checks whether its server can still be reached, in milliseconds. */
export const IDLE_TIME = 15_000;

/** How many checks in a row have to fail: a server that restarts, or is busy for a moment, is back before that. */
const LOOKS = 2;

type Watched = {
  readonly url: URL;
  /** Whether the server answers a new connection; stops when `signal` aborts. */
  readonly ping: (signal: AbortSignal) => Promise<boolean>;
  /** Called once, if the answer cannot come any more. */
  readonly lost: (error: SetupError) => void;
  readonly has?: (address: string) => boolean;
};

/**
 * Ends a call whose answer can no longer come: this machine has lost the address from which it was sent, or its server
 * can no longer be reached. A server that can be reached may take any time.
 */
export const watchIdleConnection = ({url, ping, lost, has = hasAddress}: Watched) => {
  let timer: NodeJS.Timeout | undefined;
  let looking: AbortController | undefined;
  let from: string | undefined;
  let missed = 0;
  let isOver = false;

  /** Stops the wait and a running check. Callers use it while the body is not read: nothing is expected then. */
  const pause = () => {
    clearTimeout(timer);
    looking?.abort();
  };
  const wait = () => {
    pause();
    if (!isOver) timer = setTimeout(() => void look(), IDLE_TIME);
  };
  const stop = () => {
    isOver = true;
    pause();
  };
  const end = (what: string) => {
    stop();
    lost(new SetupError('network-lost', `${what}, so the answer can no longer arrive.`, {about: {server: url.origin}}));
  };
  const look = async () => {
    if (from !== undefined && !has(from)) {
      return end(`This machine has lost the address from which it called ${url.origin}`);
    }
    looking = new AbortController();
    const {signal} = looking;
    const reached = await ping(signal).catch(() => false);
    if (signal.aborted) return;
    missed = reached ? 0 : missed + 1;
    if (missed >= LOOKS) end(`${url.origin} can no longer be reached`);
    else wait();
  };
  /** Restarts the wait: data has arrived, or is expected again. */
  const heard = () => {
    missed = 0;
    wait();
  };
  /** Begins the watch when the request has a connection. `source` is the connection's local address, if known. */
  const begin = (source: string | undefined) => {
    from = source;
    heard();
  };
  return {begin, heard, pause, stop};
};
