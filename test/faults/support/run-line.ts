import {PassThrough} from 'node:stream';
import {runLine} from '../../../src/cli.ts';
import type {Terminal} from '../../../src/command-line/command.ts';
import {createOutput} from '../../../src/command-line/output/output.ts';
import type {Env} from '../../../src/ports/ports.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';

/** The output of a run, and its exit code. */
export type Said = {readonly exit: number; readonly stdout: string; readonly stderr: string};

export type Running = {
  readonly stdin: PassThrough;
  /**
   * Resolves with what `find` returns for the first matching line of standard output that follows. Undefined once the
   * run has ended without one.
   */
  line<Found>(find: (line: string) => Found | undefined): Promise<Found | undefined>;
  abort(reason: Error): void;
  readonly ended: Promise<Said>;
};

/**
 * Starts one command line in this process, without a terminal. Everything between its arguments and its exit code is
 * real.
 */
export const startLine = (argv: readonly string[], env: Env): Running => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const said = {stdout: '', stderr: ''};
  let isOver = false;
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  for (const [name, stream] of [['stdout', stdout] as const, ['stderr', stderr] as const]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      changed();
    });
  }
  const terminal: Terminal = {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: createOutput(stdout),
    stderr: createOutput(stderr),
    raw: stdout as unknown as NodeJS.WriteStream,
    interactive: false,
  };
  const controller = new AbortController();
  const run = async (): Promise<Said> => {
    const exit = await runLine({argv, env, terminal, program: launcher, signal: controller.signal});
    await Promise.all([stdout, stderr].map(ended));
    isOver = true;
    changed();
    return {exit, ...said};
  };
  let read = 0;
  return {
    stdin,
    line: find =>
      new Promise(resolve => {
        const look = () => {
          for (;;) {
            const end = said.stdout.indexOf('\n', read);
            if (end === -1) break;
            const found = find(said.stdout.slice(read, end));
            read = end + 1;
            if (found === undefined) continue;
            watchers.delete(look);
            return resolve(found);
          }
          if (isOver) resolve(undefined);
        };
        watchers.add(look);
        look();
      }),
    abort: reason => controller.abort(reason),
    ended: run(),
  };
};

const ended = (stream: PassThrough) =>
  new Promise<void>(resolve => {
    stream.once('end', resolve).end();
  });
