import {type LookupAddress, type LookupOptions, lookup as systemLookup} from 'node:dns';
import {connect, isIP, type LookupFunction, type Socket} from 'node:net';
import {networkInterfaces} from 'node:os';
import type {Duplex} from 'node:stream';
import {SetupError} from '../../errors/errors.ts';
import type {Env, Patience} from '../ports.ts';
import {ConnectionTimeout, held, isOfNetwork, within} from './network-errors.ts';
import {isGivenAddresses, type NetworkProxy, proxyFor} from './proxies.ts';
import {brokenProxy, pageForTunnel, unreachableProxy} from './proxy-refusals.ts';
import {isLocalhostName, type Route, type Target, targetOf} from './route.ts';
import type {Secure} from './tls.ts';

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
      const {openTunnel} = await import('./tunnels.ts');
      return openTunnel(ready, target, through, patience.tunnel, signal);
    }
    const {openSocksTunnel} = await import('./tunnels.ts');
    return openSocksTunnel(dialled, target, through, patience.tunnel, signal);
  };

  /** TLS takes longer to be loaded than the rest of the start: that is done while the connection is made. */
  const loadTls = (): Secure => {
    const [settings, system] = [route.settings(), route.system()];
    const loading = import('./tls.ts').then(({secureBy}) => secureBy(settings, env, system));
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

/** After so many milliseconds of silence it is looked whether the other end is there: firewalls forget what is silent. */
export const PROBE_AFTER = 15_000;

/** How long one address of several is tried, in milliseconds: what gets lost is sent again after a second (RFC 6298 2). */
const ADDRESS_TIME = 1_200;

/**
 * Opens a TCP connection. Names of this machine go to loopback without a query.
 *
 * @throws Node's own errors, `ConnectionTimeout`, or what `signal` aborts with
 */
export const dial = (
  {host, port}: Target,
  patience: Patience,
  signal: AbortSignal,
  lookUp: LookupFunction = lookup,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({
      ...{host, port, lookup: lookUp, noDelay: true, keepAlive: true, keepAliveInitialDelay: PROBE_AFTER},
      // A name of this machine's has two addresses, and a closed port is told at once at each. So the first is not given
      // up for the other before its time: a process that is busy for a moment would hear "refused" of the second.
      autoSelectFamilyAttemptTimeout: isLocalhostName(host) ? patience.connect : ADDRESS_TIME,
    });
    const settle = (act: () => void) => {
      stopClock();
      signal.removeEventListener('abort', abort);
      socket.off('error', fail).off('connect', connected).off('lookup', found);
      act();
    };
    const fail = (error: unknown) =>
      settle(() => {
        held(socket).destroy();
        reject(error);
      });
    const abort = () => fail(signal.reason);
    const connected = () => settle(() => resolve(held(socket)));
    let stopClock = () => {};
    const allow = (part: 'name' | 'connect') => {
      stopClock();
      const timer = setTimeout(() => fail(new ConnectionTimeout(part)), patience[part]);
      stopClock = () => clearTimeout(timer);
    };
    const found = () => allow('connect');
    signal.addEventListener('abort', abort, {once: true});
    socket.on('error', fail).on('connect', connected).once('lookup', found);
    allow(isIP(host) === 0 ? 'name' : 'connect');
  });

const loopbackAddresses = [
  {address: '127.0.0.1', family: 4},
  {address: '::1', family: 6},
];

/**
 * Name resolution for connections. `*.localhost` goes to loopback without a query (RFC 6761 6.3): browsers and curl
 * do that themselves, but the system's resolver often does not.
 */
export const lookup: LookupFunction = (hostname, options, callback) => {
  if (!isLocalhostName(hostname)) {
    lookUpOnce(hostname, options).then(
      found => (options.all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
      error => callback(error, options.all ? [] : ''),
    );
    return;
  }
  if (options.all) process.nextTick(callback, null, loopbackAddresses);
  else process.nextTick(callback, null, '127.0.0.1', 4);
};

/** How long others join a question that is on its way, in milliseconds. */
const JOINED_FOR = 2_000;

type LookUp = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

/**
 * Asks for a name once, for everybody who wants to know at that time: Node asks few at once, and behind a name server
 * that is away each question takes seconds. An older question is left to itself: it may have been put before a VPN was
 * up, and hang.
 */
export const askOnce = (ask: LookUp, now = () => performance.now()): LookUp => {
  const asked = new Map<string, {readonly asking: Promise<LookupAddress[]>; readonly since: number}>();
  return (hostname, options) => {
    const {all: _, ...rest} = options;
    const key = JSON.stringify([hostname, rest]);
    const known = asked.get(key);
    if (known && now() - known.since <= JOINED_FOR) return known.asking;
    const asking = ask(hostname, rest);
    const question = {asking, since: now()};
    asked.set(key, question);
    const forget = () => {
      if (asked.get(key) === question) asked.delete(key);
    };
    asking.then(forget, forget);
    return asking;
  };
};

const lookUpOnce = askOnce(
  (hostname, options) =>
    new Promise((resolve, reject) => {
      systemLookup(hostname, {...options, all: true}, (error, found) => (error ? reject(error) : resolve(found)));
    }),
);

/**
 * One address of a name, for a proxy that is given no names. IPv4 comes first: many proxies have no way to IPv6.
 *
 * @param family 0 for either
 * @throws the resolver's error, as Node gives it
 */
export const lookUpOne = (hostname: string, family: 0 | 4): Promise<string> =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, {family, order: 'ipv4first'}, (error, address) =>
      error ? reject(error) : resolve(address),
    );
  });

/** Undefined where they cannot be had. */
const addresses = (interfaces: typeof networkInterfaces): readonly string[] | undefined => {
  try {
    return Object.values(interfaces())
      .flatMap(list => list ?? [])
      .filter(({internal}) => !internal)
      .map(({address}) => address);
  } catch {
    // Some sandboxes do not let a program see them.
    return undefined;
  }
};

let last = '';

/**
 * This machine's addresses in the network as one text, which is another one when they have changed. What cannot be had
 * has not changed.
 */
export const ownAddresses = (interfaces = networkInterfaces): string => {
  last = addresses(interfaces)?.toSorted().join(' ') ?? last;
  return last;
};

/** Whether this machine still has an address. Those of itself it never loses, nor any that cannot be looked for. */
export const hasAddress = (address: string, interfaces = networkInterfaces): boolean => {
  const bare = address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*/, '');
  if (bare.startsWith('127.') || bare === '::1') return true;
  return addresses(interfaces)?.includes(bare) ?? true;
};

/** The address of this machine that a connection comes from; undefined where it is not known. */
export const localAddressOf = (connection: Duplex): string | undefined =>
  'localAddress' in connection && typeof connection.localAddress === 'string' ? connection.localAddress : undefined;

/** How long a call may be without a byte before it is looked whether its server can still be reached, in milliseconds. */
export const SILENCE = 15_000;

/** A server that restarts, or is busy for a moment, is away no longer than this many looks in a row. */
const LOOKS = 2;

type Watched = {
  readonly url: URL;
  /** Whether the server answers somebody who comes anew; given up when `signal` says so. */
  readonly ping: (signal: AbortSignal) => Promise<boolean>;
  /** Told once, when the answer cannot come any more. */
  readonly lost: (error: SetupError) => void;
  /** Whether this machine still has an address. */
  readonly has?: (address: string) => boolean;
};

export type Silence = {
  /** The request has a connection, from this address of this machine where that is known. */
  begin(from: string | undefined): void;
  /** Something came, or is waited for again. */
  heard(): void;
  /** Nobody reads at the moment, so nothing is expected. */
  pause(): void;
  /** The call is over; whatever comes after says nothing. */
  stop(): void;
};

/**
 * Ends a call whose answer can no longer come: this machine has lost the address that it was sent from, or its server
 * cannot be reached any more by whoever comes anew. A server that works for long on an answer, and can be reached, is
 * waited for without a limit.
 */
export const watchSilence = ({url, ping, lost, has = hasAddress}: Watched): Silence => {
  let timer: NodeJS.Timeout | undefined;
  let looking: AbortController | undefined;
  let from: string | undefined;
  let missed = 0;
  let isOver = false;

  const rest = () => {
    clearTimeout(timer);
    looking?.abort();
    looking = undefined;
  };
  const wait = () => {
    rest();
    if (!isOver) timer = setTimeout(() => void look(), SILENCE);
  };
  const stop = () => {
    isOver = true;
    rest();
  };
  const end = (what: string) => {
    stop();
    lost(new SetupError('network-lost', `${what}, so its answer cannot come any more.`, {about: {server: url.origin}}));
  };
  const look = async () => {
    if (from !== undefined && !has(from)) {
      return end(`This machine has lost the address from which it called ${url.origin}`);
    }
    const mine = new AbortController();
    looking = mine;
    const reached = await ping(mine.signal).catch(() => false);
    if (mine.signal.aborted) return;
    missed = reached ? 0 : missed + 1;
    if (missed >= LOOKS) return end(`${url.origin} can no longer be reached`);
    wait();
  };
  const heard = () => {
    missed = 0;
    wait();
  };
  return {
    begin: source => {
      from = source;
      heard();
    },
    heard,
    pause: rest,
    stop,
  };
};
