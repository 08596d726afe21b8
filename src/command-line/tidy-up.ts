import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {entriesLockOf} from '../domain/paths.ts';
import {findOwnPaths} from '../store/own-paths.ts';
import type {Invocation} from './command.ts';

/**
 * Removes what earlier, killed runs have left. It runs after the command's work, so that it delays no output.
 * Files that cannot be read do not make it fail.
 *
 * @param everywhere whether to look also at files that only the journal knows
 */
export const tidyUp = async (invocation: Invocation, everywhere: boolean): Promise<void> => {
  const {config, credentials, resume, providers, versions} = findOwnPaths(invocation.env);
  const own = [config, entriesLockOf(config), credentials, resume, providers, versions];
  const {locks} = findOwnPaths(invocation.env);
  // Most runs find nothing, and then load nothing.
  if (!everywhere && !seemsLeftBeside([...own, join(locks, 'any'), ...entryPathsIn(config)])) return;
  const {removeLeftovers} = await import('../flows/leftovers.ts');
  const {portsOf} = await import('./ports-of.ts');
  await removeLeftovers(own, portsOf(invocation), everywhere);
};

/** The endings of files that a killed process leaves: locks and temp files. */
const ending = /\.(?:lock|tmp)$/;

/**
 * Whether a directory of these files seems to contain leftovers of a killed process. The check is quick and may be
 * wrong: the removal looks again.
 */
const seemsLeftBeside = (paths: readonly string[]): boolean =>
  [...new Set(paths.map(dirname))].some(directory => {
    try {
      return readdirSync(directory).some(name => ending.test(name));
    } catch {
      return false;
    }
  });

/** Returns the files of assistants that a config names; none if it cannot be read, which the command reports. */
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
