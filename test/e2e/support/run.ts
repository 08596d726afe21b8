import {spawn} from 'node:child_process';
import {once} from 'node:events';

import {onTestFinished} from 'vitest';
import {createSurroundings, launcher, type Surroundings} from '../../support/terminal/terminal-environment.ts';

type Options = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly surroundings?: Surroundings;
  /** A launcher instead of that of the checkout. */
  readonly program?: string;
};

export type Result = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** TMPDIR of the program. */
  readonly temporary: string;
};

/** Creates directories for one test, removed when it ends. */
export const surroundingsForTest = (): Surroundings => {
  const surroundings = createSurroundings();
  onTestFinished(() => surroundings.remove());
  return surroundings;
};

/** Runs the built program to its end without a terminal: pipes on all sides. */
export const runSetup = (args: readonly string[], options: Options = {}): Promise<Result> =>
  spawnSetup(args, options).ended;

export type RunningSetup = {
  /** Resolves with the first match in standard output, past or future. Rejects if the program ends without one. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Result>;
};

/** Starts the built program without a terminal. If it still runs at the end of the test, it is killed. */
export const startSetup = (args: readonly string[], options: Options = {}): RunningSetup => {
  const running = spawnSetup(args, options);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
};

const spawnSetup = (args: readonly string[], options: Options): RunningSetup => {
  const {env, temporary} = options.surroundings ?? surroundingsForTest();
  const child = spawn(process.execPath, [options.program ?? launcher, ...args], {
    env: {...env, ...options.env},
    cwd: temporary,
  });
  // A program that ends without reading its input does not fail the test.
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const said = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }
  const ended = once(child, 'close').then(([code]): Result => ({code, ...said, temporary}));
  const prints = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(said.stdout);
        if (found) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      void ended.then(({code}) =>
        reject(new Error(`${pattern} was not printed; it exited with code ${code}: ${said.stderr}`)),
      );
    });
  return {prints, kill: signal => void child.kill(signal), ended};
};

export type Line = {readonly type: string; readonly [key: string]: unknown};

/** Parses the standard output of a `--json` run line by line. Throws if a line is not JSON. */
export const jsonLines = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

/** Returns the last line of a `--json` run: its result or its failure. */
export const lastLine = (stdout: string): Line => {
  const line = jsonLines(stdout).at(-1);
  if (!line) throw new Error('The program printed nothing.');
  return line;
};
