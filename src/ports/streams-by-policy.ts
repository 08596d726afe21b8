import {isLoopback} from './loopback.ts';
import {checkAddress, type NetworkPolicy} from './network-policy.ts';
import type {Env} from './ports.ts';
import {proxiesIn} from './proxies.ts';
import type {OpenStream, Streams} from './streams.ts';

/**
 * Streams by the same policy as every other call. A direct connection is Node's own HTTP client, which is there in a
 * few milliseconds and a few MiB; undici, which takes four times both to load, comes in where a proxy is in between.
 */
export const createStreams = (env: Env, policy: NetworkPolicy): Streams => {
  const {httpProxy, httpsProxy} = proxiesIn(env);
  let direct: Promise<OpenStream> | OpenStream = import('./direct-stream.ts').then(module => module.createDirect());
  // Whoever opens a stream hears of it.
  direct.catch(() => {});
  let proxied: Promise<OpenStream> | undefined;

  return {
    open: async (request, signal) => {
      const {url} = request;
      checkAddress(url, policy);
      if ((httpProxy || httpsProxy) && !isLoopback(url.hostname)) {
        proxied ??= import('./proxied-stream.ts').then(module => module.createProxied(env));
        return (await proxied)(request, signal);
      }
      if (direct instanceof Promise) direct = await direct;
      return direct(request, signal);
    },
  };
};
