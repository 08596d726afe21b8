import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Surroundings} from './surroundings.ts';

/** Milliseconds from the start of a process to its end, which is to be with this exit code. */
export const measureProcess = async (
  args: readonly string[],
  {env, directory}: Surroundings,
  expected = 0,
): Promise<number> => {
  const started = performance.now();
  const child = spawn(process.execPath, [...args], {cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit']});
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  const elapsed = performance.now() - started;
  if (code !== expected) throw new Error(`${args.join(' ')} ended with ${code}.`);
  return elapsed;
};
