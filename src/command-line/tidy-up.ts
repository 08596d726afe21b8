import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {entriesLockOf} from '../domain/paths.ts';
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

/** How the names end of what a killed process leaves: locks, temp files, the config under its second name. */
const ending = /\.(?:lock|tmp|former)$/;

/**
 * Whether anything in the directories of these files looks as if a killed process had left it. Quick, and wrong at times
 * in saying so: who removes something looks again.
 */
const seemsLeftBeside = (paths: readonly string[]): boolean =>
  [...new Set(paths.map(dirname))].some(directory => {
    try {
      return readdirSync(directory).some(name => ending.test(name));
    } catch {
      return false;
    }
  });

/** The files of assistants that a config names; none where it cannot be read, which others say. */
const entryPathsIn = (config: string): readonly string[] => {
  try {
    const {contexts}: {contexts: readonly {entries?: readonly {path: string}[]; cli?: {path: string}}[]} = JSON.parse(
      readFileSync(config, 'utf8'),
    );
    const named = contexts.flatMap(({entries = [], cli}) => [...entries, ...(cli ? [cli] : [])]);
    return named.flatMap(({path}) => (typeof path === 'string' ? path : []));
  } catch {
    return [];
  }
};
