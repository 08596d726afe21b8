import {stripVTControlCharacters} from 'node:util';
import {spawn} from '@lydell/node-pty';
import {residentMemory} from './resident-memory.ts';
import type {Surroundings} from './surroundings.ts';

export type Start = {
  /** Milliseconds from the start of the process to the first visible text. */
  readonly firstText: number;
  /** Milliseconds to the wanted text. */
  readonly wanted: number;
  /** Resident memory of the process at that moment, in MiB. Undefined if the system does not report it. */
  readonly memory: number | undefined;
};

/** After this many milliseconds a program counts as hung, not as slow. */
const HUNG = 30_000;

/** Starts a program in a pseudo-terminal, waits until a text is on it, and ends it with Ctrl-C. */
export const measureStart = async (
  args: readonly string[],
  wanted: string,
  {env, directory}: Surroundings,
): Promise<Start> => {
  const started = performance.now();
  const child = spawn(process.execPath, [...args], {cols: 100, rows: 30, cwd: directory, env: {...env}});
  const deadline = setTimeout(() => child.kill('SIGKILL'), HUNG);
  let output = '';
  let firstText: number | undefined;
  const start = await new Promise<Start>((resolve, reject) => {
    child.onData(chunk => {
      const now = performance.now() - started;
      output += chunk;
      const text = stripVTControlCharacters(output);
      if (firstText === undefined && text.trim() !== '') firstText = now;
      if (text.includes(wanted)) resolve({firstText: firstText ?? now, wanted: now, memory: residentMemory(child.pid)});
    });
    child.onExit(({exitCode}) => reject(new Error(`${args.join(' ')} ended with ${exitCode}, without ${wanted}.`)));
  });
  // It ends by itself rather than by a kill, because only then does Node write the compile cache.
  const ended = new Promise<void>(resolve => child.onExit(() => resolve()));
  child.write('\x03');
  await ended;
  clearTimeout(deadline);
  return start;
};
