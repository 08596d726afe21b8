import {setImmediate} from 'node:timers/promises';
import type {Dispatcher} from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import {trustedAuthorities} from './authorities.ts';
import {lookup} from './lookup.ts';
import {isLoopback} from './loopback.ts';
import type {Env} from './ports.ts';
import {proxiesIn} from './proxies.ts';

const CONNECT_TIMEOUT = 5_000;

export type Transport = {
  readonly fetch: (url: URL, init: RequestInit, dispatcher: Dispatcher) => Promise<Response>;
  readonly dispatcherFor: (url: URL) => Dispatcher;
};

/** undici's fetch with dispatchers of our own; the global one is left alone. */
export const createTransport = async (env: Env): Promise<Transport> => {
  const dispatcherFor = createDispatchers(env);
  // What a person pressed while the first half was loaded is answered before the second is.
  await setImmediate();
  const {fetch} = await import('./undici-fetch.ts');
  return {
    // undici's own types for fetch are the platform's in all but name.
    fetch: (url, init, dispatcher) => fetch(url, {...(init as object), dispatcher}) as unknown as Promise<Response>,
    dispatcherFor,
  };
};

/** One dispatcher for each kind of address. Loopback never goes to a proxy, whatever NO_PROXY says. */
export const createDispatchers = (env: Env): Transport['dispatcherFor'] => {
  const connect = {lookup, timeout: CONNECT_TIMEOUT};
  const dispatchers = new Map<string, Dispatcher>();
  const once = (name: string, create: () => Dispatcher): Dispatcher => {
    const known = dispatchers.get(name) ?? create();
    dispatchers.set(name, known);
    return known;
  };
  // Reading the system's certificates takes tens of milliseconds, so it waits until an address needs it.
  return url => {
    const secure = url.protocol === 'https:';
    const trusted = () => (secure ? {...connect, ca: trustedAuthorities()} : connect);
    if (isLoopback(url.hostname)) return once(`loopback ${url.protocol}`, () => new Agent({connect: trusted()}));
    return once(`remote ${url.protocol}`, () => createRemote(env, trusted()));
  };
};

const createRemote = (env: Env, connect: object): Dispatcher => {
  const {httpProxy, httpsProxy} = proxiesIn(env);
  if (!httpProxy && !httpsProxy) return new Agent({connect});
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? '';
  return new EnvHttpProxyAgent({
    connect,
    requestTls: connect,
    noProxy,
    ...(httpProxy ? {httpProxy} : {}),
    ...(httpsProxy ? {httpsProxy} : {}),
  });
};
