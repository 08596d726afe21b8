import {execFile} from 'node:child_process';

type Ended = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** The directory and the environment in which a shell runs a line. */
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
 * Returns the commands of this program in its output: those that begin as `own` does, up to the first flag or the
 * first word that is not part of a command.
 *
 * @param own the command that starts the program, as it prints it
 */
export const commandsIn = (text: string, own: string): readonly string[] => {
  const words = text
    .split(own)
    .slice(1)
    .map(rest => /^(?: (?:[a-z]+(?![\w/:.=-]*[A-Z/:=])))*/.exec(rest)?.[0] ?? '');
  return [...new Set(words)].map(rest => `${own}${rest}`);
};
