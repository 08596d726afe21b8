import {spawn} from 'node:child_process';
import {once} from 'node:events';

type Options = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which it is killed. */
  readonly timeout: number;
};

export type Ended = {
  /** Null if the program was killed or could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a program to its end, without a terminal and with an empty standard input. Never throws. */
export const runProgram = async (
  command: string,
  args: readonly string[],
  {cwd, env, timeout}: Options,
): Promise<Ended> => {
  const child = spawn(command, args, {cwd, env, timeout, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'pipe']});
  const said = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  try {
    const [code] = await once(child, 'close');
    return {code, ...said};
  } catch (error) {
    return {code: null, stdout: '', stderr: String(error)};
  }
};
