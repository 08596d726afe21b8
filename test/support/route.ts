import type {NetworkSettings, ProxyPasswords} from '../../src/domain/context.ts';
import {createStreams} from '../../src/ports/network/http.ts';
import {createSystemStore, type Route} from '../../src/ports/network/route.ts';
import type {Env, Streams} from '../../src/ports/ports.ts';

/** The way that settings name. */
export const routeBy = (
  settings: NetworkSettings = {},
  passwords: ProxyPasswords = {},
  system = createSystemStore(),
): Route => ({settings, passwords, system});

/** The network by that way. Plain http is allowed to these hosts. */
export const streamsBy = (settings: NetworkSettings = {}, allowHttp: readonly string[] = [], env: Env = {}): Streams =>
  createStreams(env, {allowHttp}, routeBy(settings));
