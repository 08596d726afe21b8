import {spawnSync} from 'node:child_process';
import {onPath} from '../../cluster/support/tools.ts';

/** Returns the programs that are missing. A test that needs them is skipped, and its title says why. */
export const missingOf = (...names: readonly string[]): readonly string[] =>
  names.filter(name => onPath(name) === undefined);

/** Runs a program to its end. Throws with its output if it fails. */
export const run = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string => {
  const {status, stdout, stderr, error} = spawnSync(name, args, {encoding: 'utf8', env, maxBuffer: 256 * 1024 * 1024});
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
};
