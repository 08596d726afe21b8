import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

const directories = (process.env.PATH ?? '').split(':');

/** The first file of that name on PATH, or undefined. */
export const programOf = (name: string): string | undefined =>
  directories.map(directory => join(directory, name)).find(existsSync);

/** Of these programs the ones that are missing: a test that needs them is left out, and its name says why. */
export const missingOf = (...names: readonly string[]): readonly string[] => names.filter(name => !programOf(name));

/** Runs a program to its end. Throws with what it said when that is a failure. */
export const run = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string => {
  const {status, stdout, stderr, error} = spawnSync(name, args, {encoding: 'utf8', env, maxBuffer: 256 * 1024 * 1024});
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
};
