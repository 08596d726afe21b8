import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import type {Surroundings} from './surroundings.ts';

/** Returns the milliseconds from the start of a process to its end. Its exit code has to be the expected one. */
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

export type Peak = {
  /** From start to end. */
  readonly ms: number;
  /** The peak of resident memory. Undefined if the process did not report it. */
  readonly mebibytes: number | undefined;
};

const reporter = fileURLToPath(new URL('report-memory.cjs', import.meta.url));

/** Measures the same with the peak memory, which the process reports at its end. */
export const measurePeak = async (args: readonly string[], {env, directory}: Surroundings): Promise<Peak> => {
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', reporter, ...args], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  child.stdout?.resume();
  let said = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  const ms = performance.now() - started;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
  return {ms, mebibytes: said === '' ? undefined : Number(said) / 1024};
};
