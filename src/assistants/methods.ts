import type {Method} from '../domain/context.ts';
import type {Assistant} from './assistant.ts';
import {isAtLeast} from './versions.ts';

/**
 * The ways in which an assistant can be connected, the best first: a helper where the version is known to run it and to
 * find the servers, else the bridge, which finds them itself; a header, whose token ends; a sign-in of its own last, since
 * each process renews it by itself, and single-use refresh tokens end it then.
 *
 * @param version undefined where it is not known; then no helper is relied on
 * @param belowLocalhost whether a server has a name below `localhost`
 */
export const methodsOf = (
  {entry, helperSince, localhostSince, prefers}: Assistant,
  version: string | undefined,
  belowLocalhost: boolean,
): readonly Method[] => {
  const isSince = (since: string | undefined) =>
    since !== undefined && version !== undefined && isAtLeast(version, since);
  const hasHelper = isSince(helperSince) && (!belowLocalhost || isSince(localhostSince));
  const methods: readonly Method[] = [
    ...(hasHelper ? (['helper'] as const) : []),
    'bridge',
    ...(entry.header ? (['header'] as const) : []),
    ...(entry.oauth ? (['oauth'] as const) : []),
  ];
  return prefers ? [prefers, ...methods.filter(method => method !== prefers)] : methods;
};
