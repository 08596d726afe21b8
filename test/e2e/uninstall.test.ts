import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {clientOf} from '../support/platform.ts';
import {openTerminal} from '../support/terminal/terminal.ts';
import {launcher} from '../support/terminal/terminal-environment.ts';
import {treeOf} from './support/files.ts';
import {platformForTest} from './support/platform.ts';
import {runSetup, surroundingsForTest} from './support/run.ts';
import {mcpClientSignIn} from './support/sandbox.ts';

const claude =
  '{\n\t"numStartups": 3,\n\t"mcpServers": {"other": {"type": "http", "url": "http://localhost:1/mcp"}}\n}';

/**
 * Sets up a home with two assistants, one without a file yet, in which this program keeps its own files in the usual
 * place.
 */
const homeForTest = () => {
  const surroundings = surroundingsForTest();
  const {home} = surroundings;
  writeFileSync(join(home, '.claude.json'), claude, {mode: 0o644});
  mkdirSync(join(home, '.cursor'));
  mkdirSync(join(home, 'project'));
  // The person's other files there make the directory theirs.
  mkdirSync(join(home, '.config', 'other'), {recursive: true});
  const env = {SETUP_HOME: undefined, NODE_COMPILE_CACHE: undefined};
  const run = (args: readonly string[], stdin = '') => runSetup(args, {surroundings, env, stdin});
  return {surroundings, home, run};
};

const setUp = async (more: readonly string[] = []) => {
  const platform = await platformForTest();
  const own = homeForTest();
  const before = treeOf(own.home);
  const {args, stdin} = mcpClientSignIn(platform.ready);
  const flags = ['--yes', '--assistants', 'claude-code,cursor', '--project', join(own.home, 'project'), ...more];
  const result = await own.run([...flags, ...platform.flags, ...args], stdin);
  expect(result).toMatchObject({code: 0, stderr: ''});
  expect(treeOf(own.home)).not.toEqual(before);
  return {...own, before, platform};
};

test('uninstall after setup leaves the home as it was, to the byte', async () => {
  const {run, home, before} = await setUp();
  const {code, stdout, stderr} = await run(['uninstall', '--yes']);
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(treeOf(home)).toEqual(before);
  const [said = '', done = ''] = stdout.split('You cannot undo this.\n');
  for (const path of ['~/.claude.json', '~/.cursor/mcp.json', '~/.config/platform-setup/credentials.json']) {
    expect(said).toContain(path);
  }
  expect(done).toContain('~/.claude.json: restored\n');
  expect(done).toContain('~/.cursor/mcp.json: removed');
  expect(done).not.toMatch(/eyJ/);
  expect(await run(['uninstall', '--yes'])).toMatchObject({code: 0, stdout: 'There is nothing to remove.\n'});
  expect(treeOf(home)).toEqual(before);
});

test('without its config it still lists the files that it puts back', async () => {
  const {run, home, before} = await setUp();
  const [config] = Object.keys(treeOf(home)).filter(path => path.endsWith('platform-setup/config.json'));
  rmSync(join(home, String(config)));
  const {code, stdout} = await run(['uninstall', '--yes']);
  expect(code).toBe(0);
  const [listed = '', done = ''] = stdout.split('You cannot undo this.\n');
  for (const path of ['~/.claude.json', '~/.cursor/mcp.json']) {
    expect(listed).toContain(`  ${path}, which an earlier run wrote\n`);
    expect(done).toContain(`${path}: re`);
  }
  expect(treeOf(home)).toEqual(before);
});

test('undo names the command that wrote, and a file that was gone already', async () => {
  const {run, home, before} = await setUp();
  const [config] = Object.keys(treeOf(home)).filter(path => path.endsWith('platform-setup/config.json'));
  rmSync(join(home, String(config)));
  expect((await run(['undo', '--list'])).stdout).toMatch(/^1 {2}\d{4}-\d\d-\d\d \d\d:\d\d by setup\n/);
  const {code, stdout} = await run(['undo', '--yes']);
  expect(code).toBe(0);
  expect(stdout).toContain('~/.claude.json: restored\n');
  expect(stdout).toContain('config.json: was removed already\n');
  expect(treeOf(home)['.claude.json']).toEqual(before['.claude.json']);
});

test('entries with a token in them, entries that were disconnected, and a second deployment go as well', async () => {
  const {run, home, before, platform} = await setUp(['--method', 'header']);
  expect(await run(['mcp', 'disconnect', 'cursor'])).toMatchObject({code: 0});
  const {clientId, secret} = clientOf(platform.ready, 'client_secret_post');
  const args = ['--sign-in', 'service-account', '--client-id', clientId, '--client-secret-stdin'];
  const second = ['--yes', '--context', 'second', '--assistants', 'claude-code', '--project', join(home, 'project')];
  expect(await run([...second, ...platform.flags, ...args], `${secret}\n`)).toMatchObject({code: 0});
  const {code, stdout} = await run(['uninstall', '--yes', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).signedOut.map(({context}: {context: string}) => context)).toEqual(['platform', 'second']);
  expect(treeOf(home)).toEqual(before);
});

test('files whose entries were disconnected are not listed, and nothing is said of them', async () => {
  const {run, home, before} = await setUp();
  expect(await run(['mcp', 'disconnect', '--all'])).toMatchObject({code: 0});
  const path = join(home, '.claude.json');
  const own = readFileSync(path, 'utf8').replace('"numStartups": 3', '"numStartups": 4');
  writeFileSync(path, own);
  const {code, stdout} = await run(['uninstall', '--yes']);
  expect(code).toBe(0);
  expect(stdout).not.toContain('.claude.json');
  expect(stdout).not.toContain('.cursor/mcp.json');
  expect(readFileSync(path, 'utf8')).toBe(own);
  expect(Object.keys(treeOf(home))).toEqual(Object.keys(before));
});

test('out of a file that was changed since only the entries are taken', async () => {
  const {run, home, before} = await setUp();
  const path = join(home, '.claude.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"numStartups": 3', '"numStartups": 4'));
  const {stdout} = await run(['uninstall', '--yes']);
  expect(stdout).toContain('~/.claude.json: its entries were removed; other changes since are kept\n');
  expect(readFileSync(path, 'utf8')).toBe(claude.replace('3', '4'));
  expect(Object.keys(treeOf(home))).toEqual(Object.keys(before));
});

test('what cannot be removed is said, and the next run continues there', async () => {
  const {run, home, before} = await setUp();
  const path = join(home, '.claude.json');
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.slice(0, -2));
  const failed = await run(['uninstall', '--yes']);
  expect(failed.code).toBe(6);
  expect(failed.stderr).toMatch(/^Not everything could be removed\. .*\.claude\.json/);
  expect(failed.stderr).toContain('npx setup uninstall again');
  expect(existsSync(join(home, '.config', 'platform-setup', 'config.json'))).toBe(true);
  expect(existsSync(join(home, '.cursor', 'mcp.json'))).toBe(false);
  writeFileSync(path, whole);
  expect(await run(['uninstall', '--yes'])).toMatchObject({code: 0, stderr: ''});
  expect(treeOf(home)).toEqual(before);
});

test('files of the person’s in its directories stay, and are named', async () => {
  const {run, home} = await setUp();
  const theirs = join(home, '.config', 'platform-setup', 'notes.txt');
  writeFileSync(theirs, 'mine');
  chmodSync(theirs, 0o600);
  const {code, stdout} = await run(['uninstall', '--yes']);
  expect(code).toBe(0);
  expect(stdout).toContain('~/.config/platform-setup/notes.txt: stays');
  expect(readFileSync(theirs, 'utf8')).toBe('mine');
});

/** Returns variables as arguments of `env`. */
const words = (env: Readonly<Record<string, string>>) =>
  Object.entries({...env, TERM: 'xterm-256color'}).map(([name, value]) => `${name}=${value}`);

test('nothing is removed before somebody agrees', async () => {
  const {run, home, surroundings} = await setUp();
  const after = treeOf(home);
  const asked = await run(['uninstall']);
  expect(asked.code).toBe(2);
  expect(asked.stdout).toContain('~/.claude.json');
  expect(asked.stderr).toContain('npx setup uninstall --yes');
  const {SETUP_HOME: _, NODE_COMPILE_CACHE: __, ...own} = surroundings.env;
  for (const [typed, code] of [
    ['n\r', 130],
    ['\r', 130],
    ['\u0003', 130],
    ['y\r', 0],
  ] as const) {
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).not.toBe(claude);
    const terminal = openTerminal('/usr/bin/env', ['-i', ...words(own), process.execPath, launcher, 'uninstall']);
    onTestFinished(() => terminal.close());
    await terminal.waitFor('Remove all of this? [y/N]');
    terminal.press(typed);
    expect(await terminal.exit).toBe(code);
  }
  expect(Object.keys(after).length).toBeGreaterThan(Object.keys(treeOf(home)).length);
  expect(readFileSync(join(home, '.claude.json'), 'utf8')).toBe(claude);
});
