import type {NetworkSettings, ProxyPasswords} from '../../src/domain/context.ts';
import {createStreams} from '../../src/ports/network/http.ts';
import {createSystemStore, type Route} from '../../src/ports/network/route.ts';
import type {Env, Streams} from '../../src/ports/ports.ts';

/** Returns the route for these settings. */
export const routeBy = (
  settings: NetworkSettings = {},
  passwords: ProxyPasswords = {},
  system = createSystemStore(),
): Route => ({settings, passwords, system});

/** Returns the network for these settings. Plain http is allowed to the hosts of `allowHttp`. */
export const streamsBy = (settings: NetworkSettings = {}, allowHttp: readonly string[] = [], env: Env = {}): Streams =>
  createStreams(env, {allowHttp}, routeBy(settings));
