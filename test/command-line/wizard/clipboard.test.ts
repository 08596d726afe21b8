import {expect, test} from 'vitest';
import {tmuxClipboard} from '../../../src/command-line/wizard/clipboard.ts';
import type {ProcessResult} from '../../../src/ports/ports.ts';

const {signal} = new AbortController();
const exited = (code: number): ProcessResult => ({outcome: 'exited', code, stdout: '', stderr: ''});

/** Creates a tmux that ends in this way for each argument list, and records each start with its input. */
const tmux = (ends: (words: string) => ProcessResult) => {
  const started: unknown[] = [];
  const run = async (command: string, args: readonly string[], {input}: {input?: string}) => {
    started.push([command, ...args, input]);
    return ends(args.join(' '));
  };
  return {started, run};
};

test('inside tmux it is tmux that is told, and by no argument that others could see', async () => {
  const {started, run} = tmux(() => exited(0));
  expect(await tmuxClipboard({TMUX: '/tmp/tmux-1/default,1,0'}, {run}, signal)('https://address')).toBe(true);
  expect(started).toEqual([['tmux', 'load-buffer', '-w', '-', 'https://address']]);
});

test('one that knows no way to the clipboard has its buffer', async () => {
  const {started, run} = tmux(words => exited(words.includes('-w') ? 1 : 0));
  expect(await tmuxClipboard({TMUX: 'x'}, {run}, signal)('text')).toBe(true);
  expect(started).toHaveLength(2);
});

test.each([
  ['elsewhere', {}, exited(0)],
  ['where tmux is not installed', {TMUX: 'x'}, {outcome: 'missing'}],
  ['where it does not end', {TMUX: 'x'}, {outcome: 'timed-out'}],
  ['where it fails', {TMUX: 'x'}, exited(1)],
] as const)('%s nobody knows', async (_name, env, result) => {
  expect(
    await tmuxClipboard(
      env,
      tmux(() => result),
      signal,
    )('text'),
  ).toBe(false);
});
