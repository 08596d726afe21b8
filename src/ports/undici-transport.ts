import {setImmediate} from 'node:timers/promises';
import {getCACertificates} from 'node:tls';
import type {Dispatcher} from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import {lookup} from './lookup.ts';
import {isLoopback} from './loopback.ts';
import type {Env} from './ports.ts';

const CONNECT_TIMEOUT = 5_000;

export type Transport = {
  readonly fetch: (url: URL, init: RequestInit, dispatcher: Dispatcher) => Promise<Response>;
  readonly dispatcherFor: (url: URL) => Dispatcher;
};

/**
 * undici's fetch with dispatchers of our own; the global one is left alone. Loopback never goes to a proxy, whatever
 * NO_PROXY says. Certificates of the system's store are trusted beside Node's own and NODE_EXTRA_CA_CERTS, as a
 * company's authority is often installed only there.
 */
export const createTransport = async (env: Env): Promise<Transport> => {
  // What a person pressed while the first half was loaded is answered before the second is.
  await setImmediate();
  const {fetch} = await import('./undici-fetch.ts');
  const connect = {lookup, timeout: CONNECT_TIMEOUT};
  const dispatchers = new Map<string, Dispatcher>();
  const once = (name: string, create: () => Dispatcher): Dispatcher => {
    const known = dispatchers.get(name) ?? create();
    dispatchers.set(name, known);
    return known;
  };

  // Reading the system's certificates takes tens of milliseconds, so it waits until an address needs it.
  const dispatcherFor = (url: URL): Dispatcher => {
    const secure = url.protocol === 'https:';
    const trusted = () => (secure ? {...connect, ca: trustedAuthorities()} : connect);
    if (isLoopback(url.hostname)) return once(`loopback ${url.protocol}`, () => new Agent({connect: trusted()}));
    return once(`remote ${url.protocol}`, () => createRemote(env, trusted()));
  };

  return {
    // undici's own types for fetch are the platform's in all but name.
    fetch: (url, init, dispatcher) => fetch(url, {...(init as object), dispatcher}) as unknown as Promise<Response>,
    dispatcherFor,
  };
};

const createRemote = (env: Env, connect: object): Dispatcher => {
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY;
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY;
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

const trustedAuthorities = (): string[] => {
  const own = getCACertificates('default');
  try {
    return [...new Set([...own, ...getCACertificates('system')])];
  } catch {
    return own;
  }
};
