import {execFile, spawnSync} from 'node:child_process';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {buildIn, copyProgram} from '../../support/built-program.ts';
import {contextAt} from '../../support/context.ts';
import {openTerminal} from '../../support/terminal/terminal.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';

const issuer = 'http://idp.acme.localhost:8080';
const good = () => ({obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000});

/** Copies the built program without the file that writes the config. Loading that file fails. */
const withoutWriter = async (directory: string): Promise<string> => {
  const program = join(directory, 'program');
  copyProgram(program);
  await rm(join(buildIn(program), 'config-writer.js'));
  return join(directory, 'program/bin/setup.js');
};

describe('what writes the config', () => {
  test('is loaded when something is saved, and for nothing that only reads it', async () => {
    const {options, store} = signedIn(issuer, good());
    const {env, temporary} = options.surroundings;
    const program = await withoutWriter(temporary);
    const run = (...args: readonly string[]) =>
      new Promise<unknown>(resolve => {
        const child = execFile(process.execPath, [program, ...args], {env}, (error, stdout) =>
          resolve([error?.code ?? 0, stdout.slice(0, 40)]),
        );
        child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      });

    expect(await run('token')).toEqual([0, 'access-0\n']);
    expect(await run('token', '--json')).toEqual([0, expect.stringContaining('"accessToken":"access-0"')]);
    expect(await run('token', '--header')).toEqual([0, 'Authorization: Bearer access-0\n']);
    expect(await run('context', 'list')).toEqual([0, expect.stringContaining('NAME')]);
    expect(await run('mcp', 'serve', 'control-plane')).toEqual([0, expect.stringContaining('"id":1')]);
    const terminal = openTerminal(process.execPath, [program], {env: {SETUP_HOME: store.directory}});
    onTestFinished(() => terminal.close());
    await terminal.waitFor('? keys');

    expect(await run('context', 'use', 'acme')).toEqual([70, '']);
  });
});

test('processes that save at the same time lose nothing of each other', async () => {
  const {options, store} = signedIn(issuer);
  const names = Array.from({length: 8}, (_, index) => `context-${index}`);
  const contexts = names.map(name => ({...contextAt(issuer), name, clientId: name}));
  store.putContexts([contextAt(issuer), ...contexts], 'acme');
  const runs = await Promise.all(names.map(name => runSetup(['context', 'remove', name], options)));
  expect(runs.map(({code}) => code)).toEqual(names.map(() => 0));
  expect(store.contexts().map(({name}) => name)).toEqual(['acme']);
});

/** A mount namespace can have a small disk. A container may not be allowed to create one. */
const mayMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const onSmallDisk = `set -e
directory="$XDG_CONFIG_HOME/platform-setup"
mount -t tmpfs -o size=12k tmpfs "$XDG_CONFIG_HOME"
mkdir "$directory"
cp "$FORMER" "$directory/config.json"
"$0" "$@" || echo "ended with $?"
cmp "$FORMER" "$directory/config.json" && echo "as before"
ls -A "$directory"`;

describe.skipIf(!mayMount)('a disk with one free page (needs root, and the right to mount)', () => {
  test('is said to be full, and the file stays as it was', async () => {
    const {env, temporary} = surroundingsForTest();
    // Two pages of 4 KiB, of the three on the disk.
    const baseDomain = 'x'.repeat(2_500);
    const contexts = ['acme', 'other'].map(name => ({...contextAt(issuer), name, baseDomain}));
    const [former, disk] = [join(temporary, 'former.json'), join(temporary, 'disk')];
    await writeFile(former, JSON.stringify({version: 1, currentContext: 'acme', contexts}));
    await mkdir(disk);
    const {SETUP_HOME: _, ...rest} = env;
    const places = {XDG_CONFIG_HOME: disk, XDG_STATE_HOME: join(temporary, 'state'), FORMER: former};
    const {stdout, stderr} = spawnSync(
      'unshare',
      ['--mount', '/bin/sh', '-c', onSmallDisk, process.execPath, launcher, 'context', 'use', 'other'],
      {encoding: 'utf8', env: {...rest, ...places, PATH: process.env.PATH}},
    );
    expect(stderr).toContain(
      `${disk}/platform-setup/config.json was not written: the disk is full. The old file is intact.`,
    );
    expect(stdout).toBe('ended with 6\nas before\nconfig.json\n');
  });
});
