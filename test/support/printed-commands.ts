import {execFile} from 'node:child_process';

type Ended = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** What a shell needs to run a line where a person stands. */
type Place = {readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>};

/** Runs a line as a person would type it, in `sh`. */
export const typed = (line: string, {cwd, env}: Place): Promise<Ended> =>
  new Promise(resolve => {
    const child = execFile('/bin/sh', ['-c', line], {cwd, env, timeout: 120_000}, (error, stdout, stderr) => {
      resolve({code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr});
    });
    child.stdin?.end();
  });

/**
 * The commands of this program in what it printed: those that begin as `own` does, each up to its first flag or to what is
 * no word of a command.
 *
 * @param own how the program says it is started
 */
export const commandsIn = (text: string, own: string): readonly string[] => {
  const words = text
    .split(own)
    .slice(1)
    .map(rest => /^(?: (?:[a-z]+(?![\w/:.=-]*[A-Z/:=])))*/.exec(rest)?.[0] ?? '');
  return [...new Set(words)].map(rest => `${own}${rest}`);
};
