import type {Env, OpenStream, Streams} from '../ports.ts';
import {systemClock} from '../system-clock.ts';
import {checkAddress, type NetworkPolicy} from './network-policy.ts';
import {createRoute} from './route.ts';

/**
 * The one way out of this program: undici, loaded at the first call, so that it costs the first frame nothing.
 */
export const createStreams = (
  env: Env,
  policy: NetworkPolicy,
  route = createRoute(),
  {now}: {now(): number} = systemClock,
): Streams => {
  let loading: Promise<OpenStream> | undefined;
  let open: OpenStream | undefined;

  const prepare = () => {
    loading ??= import('./undici-streams.ts').then(module => {
      open = module.createUndiciStreams(route, env, {now});
      return open;
    });
    return loading;
  };
  return {
    prepare: () => {
      // Whoever opens a stream hears of it.
      prepare().catch(() => {});
    },
    open: async (request, signal) => {
      checkAddress(request.url, policy);
      return (open ?? (await prepare()))(request, signal);
    },
  };
};
