import type {Env} from '../ports.ts';
import {proxiesIn} from '../proxies.ts';
import {isLoopback} from './loopback.ts';
import {checkAddress, type NetworkPolicy} from './network-policy.ts';
import type {OpenStream, Streams} from './streams.ts';

/**
 * The one way out of this program. A direct connection is Node's own HTTP client, which is there in a few milliseconds
 * and a few MiB; undici, which takes four times both to load, comes in where a proxy is in between. Both are loaded at
 * the first call, so that they cost the first frame nothing.
 */
export const createStreams = (env: Env, policy: NetworkPolicy): Streams => {
  const {httpProxy, httpsProxy} = proxiesIn(env);
  let direct: Promise<OpenStream> | OpenStream | undefined;
  let proxied: Promise<OpenStream> | undefined;

  const prepare = () => {
    direct ??= import('./direct-stream.ts').then(module => module.createDirect());
    return direct;
  };
  return {
    prepare: () => {
      // Whoever opens a stream hears of it.
      Promise.resolve(prepare()).catch(() => {});
    },
    open: async (request, signal) => {
      const {url} = request;
      checkAddress(url, policy);
      if ((httpProxy || httpsProxy) && !isLoopback(url.hostname)) {
        proxied ??= import('./proxied-stream.ts').then(module => module.createProxied(env));
        return (await proxied)(request, signal);
      }
      const known = prepare();
      direct = known instanceof Promise ? await known : known;
      return direct(request, signal);
    },
  };
};
