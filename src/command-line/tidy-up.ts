import {join} from 'node:path';
import {entriesLockOf} from '../domain/paths/entries-lock.ts';
import {entryPathsIn, seemsLeftBeside} from '../ports/files/seems-left.ts';
import {findOwnPaths} from '../state/stores/own-paths.ts';
import type {Invocation} from './command.ts';

/**
 * Removes what runs before this one have left that were killed. It is done after the command's work, so that nobody waits
 * for it to see anything. Never fails.
 *
 * @param everywhere whether files are looked at as well that only the journal knows
 */
export const tidyUp = async (invocation: Invocation, everywhere: boolean): Promise<void> => {
  const {config, credentials, resume, providers, versions} = findOwnPaths(invocation.env);
  const own = [config, entriesLockOf(config), credentials, resume, providers, versions];
  const {locks} = findOwnPaths(invocation.env);
  // Most runs find nothing, and load nothing for that.
  if (!everywhere && !seemsLeftBeside([...own, join(locks, 'any'), ...entryPathsIn(config)])) return;
  const {removeLeftovers} = await import('../flows/remove-leftovers.ts');
  const {portsOf} = await import('./ports-of.ts');
  await removeLeftovers(own, portsOf(invocation), everywhere);
};
