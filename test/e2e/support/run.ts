import {spawn} from 'node:child_process';
import {text} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import {createSurroundings, launcher, type Surroundings} from '../../support/terminal-environment.ts';

type Options = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly surroundings?: Surroundings;
};

export type Result = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** TMPDIR of the program. */
  readonly temporary: string;
};

/** Directories for one test, removed when it ends. */
export const surroundingsForTest = (): Surroundings => {
  const surroundings = createSurroundings();
  onTestFinished(() => surroundings.remove());
  return surroundings;
};

/** Runs the built program to its end without a terminal: pipes on all sides. */
export const runSetup = async (args: readonly string[], options: Options = {}): Promise<Result> => {
  const {env, temporary} = options.surroundings ?? surroundingsForTest();
  const child = spawn(process.execPath, [launcher, ...args], {env: {...env, ...options.env}, cwd: temporary});
  // A program that ends without reading its input is no failure of the test.
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const code = new Promise<number | null>(resolve => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return {code: await code, stdout, stderr, temporary};
};

export type Line = {readonly type: string; readonly [key: string]: unknown};

/** Standard output of a `--json` run, line by line. Throws when a line is not JSON. */
export const jsonLines = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

/** The last line of a `--json` run: its result or its failure. */
export const lastLine = (stdout: string): Line => {
  const line = jsonLines(stdout).at(-1);
  if (!line) throw new Error('The program printed nothing.');
  return line;
};
