import {spawnSync} from 'node:child_process';
import {onPath} from '../../cluster/support/tools.ts';

/** Of these programs the ones that are missing: a test that needs them is left out, and its name says why. */
export const missingOf = (...names: readonly string[]): readonly string[] =>
  names.filter(name => onPath(name) === undefined);

/** Runs a program to its end. Throws with what it said when that is a failure. */
export const run = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string => {
  const {status, stdout, stderr, error} = spawnSync(name, args, {encoding: 'utf8', env, maxBuffer: 256 * 1024 * 1024});
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
};
