import type {Method} from '../domain/context.ts';
import type {Assistant} from './assistant.ts';
import {isAtLeast} from './versions.ts';

/**
 * Returns the methods with which an assistant can be connected, the best first. The helper comes first, if the version
 * is known to run it and to resolve the servers' names; then the bridge, which resolves them itself; then a header,
 * whose token expires. A sign-in of the assistant's own comes last: each of its processes renews by itself, and if
 * refresh tokens are single-use, that ends the sign-in. The method that an assistant is meant for (`prefers`) comes
 * before all of these.
 *
 * @param version undefined if unknown; no helper is used then
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
