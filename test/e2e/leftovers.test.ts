import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, utimesSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Credentials} from '../../src/domain/credentials.ts';
import {contextAt} from '../support/context.ts';
import {runSetup} from './support/run.ts';
import {signedIn} from './support/sign-in/signed-in.ts';

/** The ID of a process that has ended. */
const ended = spawnSync(process.execPath, ['--version']).pid;

/** Sets up a person with entries in a file. Their program was killed during the write of each of its files. */
const killed = (kept: Partial<Credentials> = {}) => {
  const {store, options} = signedIn('http://idp.acme.localhost:1', kept);
  const {home} = options.surroundings;
  const path = join(home, '.cursor', 'mcp.json');
  const entry = {assistant: 'cursor', scope: 'user', project: home, method: 'bridge', path, names: ['acme']} as const;
  const context = contextAt('http://idp.acme.localhost:1');
  store.putContexts([{...context, entries: [{...entry, made: {kind: 'nothing'}}]}], context.name);
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, '{"mcpServers": {}}');
  const locks = [path, store.configPath, store.credentialsPath, `${store.configPath}.entries`].map(
    one => `${one}.lock`,
  );
  for (const lock of locks) {
    mkdirSync(lock);
    utimesSync(lock, 1, 1);
  }
  const temporary = `.credentials.json.${ended}-0a1b2c3d.tmp`;
  writeFileSync(join(dirname(store.credentialsPath), temporary), 'refresh-token-of-before', {mode: 0o600});
  writeFileSync(join(dirname(path), `.mcp.json.${ended}-0a1b2c3d.tmp`), 'token', {mode: 0o600});
  const left = () =>
    [dirname(path), dirname(store.configPath), dirname(store.credentialsPath)]
      .flatMap(directory => readdirSync(directory))
      .filter(name => /\.(lock|tmp)$/.test(name));
  return {options, left, run: (...args: readonly string[]) => runSetup(args, options)};
};

describe('what a killed run has left', () => {
  test.each([['status'], ['context', 'list'], ['mcp', 'list'], ['undo', '--list'], ['doctor', '--fix', '--json']])(
    'is removed by setup %s %s',
    async (...words) => {
      const {run, left} = killed();
      expect(left()).not.toEqual([]);
      expect(await run(...words)).not.toMatchObject({code: 70});
      expect(left()).toEqual([]);
    },
  );

  test('is removed also by a command that fails', async () => {
    const {run, left} = killed();
    expect(await run('context', 'use', 'nobody')).toMatchObject({code: 2});
    expect(left()).toEqual([]);
  });

  test('is left alone by what an assistant waits for', async () => {
    const {run, left} = killed({obtainedAt: 1, expiresAt: 4_000_000_000_000});
    const before = left();
    expect(await run('token')).toMatchObject({code: 0});
    await run('--version');
    expect(left()).toEqual(before);
  });
});
