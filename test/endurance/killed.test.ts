import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  type WatchEventType,
  watch,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {platformForTest} from '../e2e/support/platform.ts';
import {runSetup, startSetup, surroundingsForTest} from '../e2e/support/run.ts';
import {mcpClientSignIn} from '../e2e/support/sandbox.ts';

/** The number of rounds. In each round the process is killed at a later change. */
const ROUNDS = Number(process.env.ENDURANCE_TIMES ?? 20);

const claude = '{\n\t"numStartups": 3\n}\n';

/** Sets up a person who has connected two assistants, with this program's own files in the usual place. */
const setUp = async () => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const {home} = surroundings;
  writeFileSync(join(home, '.claude.json'), claude);
  mkdirSync(join(home, '.config', 'other'), {recursive: true});
  const before = treeOf(home);
  const options = {surroundings, env: {SETUP_HOME: undefined, NODE_COMPILE_CACHE: undefined}};
  const {args, stdin} = mcpClientSignIn(platform.ready);
  const flags = ['--yes', '--assistants', 'claude-code,cursor,gemini-cli', ...platform.flags, ...args];
  expect(await runSetup(flags, {...options, stdin})).toMatchObject({code: 0});
  const run = (...words: readonly string[]) => runSetup(words, options);
  const start = (...words: readonly string[]) => startSetup(words, options);
  return {home, before, run, start};
};

/** Returns everything below a directory except the cache, in which other programs keep compiled code. */
const treeOf = (directory: string): readonly string[] =>
  readdirSync(directory, {recursive: true, encoding: 'utf8'})
    .filter(name => !name.startsWith('.cache'))
    .toSorted();

const isLeftover = (name: string) => /\.(lock|former)$|\.tmp$|\.platform-setup-removed$/.test(name);

type Machine = Awaited<ReturnType<typeof setUp>>;

/** Starts a command, and kills it after so many changes in the home. Returns whether it was killed. */
const killedAfter = async ({home, start}: Machine, changes: number, words: readonly string[]): Promise<boolean> => {
  let seen = 0;
  const running = start(...words);
  const count = (_event: WatchEventType) => {
    seen += 1;
    if (seen === changes) running.kill('SIGKILL');
  };
  const watcher = watch(home, {recursive: true}, count);
  onTestFinished(() => watcher.close());
  const {code} = await running.ended;
  watcher.close();
  return code === null;
};

test(`an uninstall that is killed at any of ${ROUNDS} changes leaves nothing once it is run again`, async () => {
  let kills = 0;
  for (let changes = 1; changes <= ROUNDS; changes += 1) {
    const at = await setUp();
    const isKilled = await killedAfter(at, changes * 3, ['uninstall', '--yes']);
    if (isKilled) kills += 1;
    expect(await at.run('uninstall', '--yes')).toMatchObject({code: 0});
    expect({changes, isKilled, tree: treeOf(at.home)}).toEqual({changes, isKilled, tree: at.before});
    expect(readFileSync(join(at.home, '.claude.json'), 'utf8')).toBe(claude);
  }
  expect(kills).toBeGreaterThan(0);
});

test.each([
  ['mcp', 'connect', 'cursor', 'claude-code', '--yes', '--method', 'header'],
  ['mcp', 'disconnect', '--all'],
  ['undo', '--yes'],
])('setup %s %s that is killed leaves no lock, no temporary file and no empty file', async (...words) => {
  const at = await setUp();
  let kills = 0;
  for (let changes = 1; changes <= ROUNDS; changes += 1) {
    if (await killedAfter(at, changes * 2, words)) kills += 1;
    for (const name of treeOf(at.home).filter(one => one.endsWith('.lock'))) utimesSync(join(at.home, name), 1, 1);
    // `status` itself writes nothing.
    await at.run('status');
    expect({words, changes, left: treeOf(at.home).filter(isLeftover)}).toEqual({words, changes, left: []});
    for (const name of ['.cursor/mcp.json', '.claude.json', '.gemini/settings.json']) {
      const path = join(at.home, name);
      expect({words, changes, name, isEmpty: existsSync(path) && readFileSync(path).length === 0}).toMatchObject({
        isEmpty: false,
      });
    }
    await at.run('mcp', 'connect', 'cursor', 'claude-code', 'gemini-cli', '--yes');
  }
  expect(kills).toBeGreaterThan(0);
});
