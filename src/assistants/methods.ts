import type {Assistant, Method} from './assistant.ts';
import {isAtLeast} from './versions.ts';

/**
 * The ways in which an assistant can be connected, the best first: a helper where the version is known to run it, else
 * the bridge; a header, whose token ends, last.
 *
 * @param version undefined where it is not known; then no helper is relied on
 */
export const methodsOf = ({entry, helperSince}: Assistant, version: string | undefined): readonly Method[] => {
  const hasHelper = helperSince !== undefined && version !== undefined && isAtLeast(version, helperSince);
  return [...(hasHelper ? (['helper'] as const) : []), 'bridge', ...(entry.header ? (['header'] as const) : [])];
};
