import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Surroundings} from './surroundings.ts';

/** Milliseconds from the start of a process to its end. */
export const measureProcess = async (args: readonly string[], {env, directory}: Surroundings): Promise<number> => {
  const started = performance.now();
  const child = spawn(process.execPath, [...args], {cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit']});
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  const elapsed = performance.now() - started;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
  return elapsed;
};
