import {spawnSync} from 'node:child_process';
import {mkdir, readdir, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {removeLeftovers} from '../../../../src/ports/files/remove-leftovers.ts';
import {temporaryDirectory} from '../../../support/place.ts';

/** The ID of a process that has ended. */
const ended = spawnSync(process.execPath, ['--version']).pid;

/** Creates a directory with a file, and these files beside it. `locks` has the age of each lock in seconds. */
const place = async (names: readonly string[], locks: Readonly<Record<string, number>> = {}) => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'mcp.json');
  for (const name of ['mcp.json', ...names]) await writeFile(join(directory, name), 'token');
  for (const [name, age] of Object.entries(locks)) {
    const lock = join(directory, name);
    await mkdir(lock, {recursive: true});
    // By the clock of the file system itself.
    const now = (await stat(lock)).mtimeMs / 1000;
    await utimes(lock, now - age, now - age);
  }
  const left = async () => (await readdir(directory)).toSorted();
  return {directory, path, left};
};

test('the temp files of processes that have ended go, and nothing else', async () => {
  const alive = `.mcp.json.${process.pid}-0a1b2c3d.tmp`;
  const others = ['.mcp.json.mine.tmp', '.other.json.4711-0a1b2c3d.tmp', 'mcp.json.bak'];
  const {path, left} = await place([`.mcp.json.${ended}-0a1b2c3d.tmp`, alive, ...others]);
  await removeLeftovers([path], undefined);
  expect(await left()).toEqual(['mcp.json', alive, ...others].toSorted());
});

test('a lock that was left behind goes, beside the file or elsewhere', async () => {
  const {directory, path, left} = await place([], {'mcp.json.lock': 60});
  const locks = join(directory, 'locks');
  await removeLeftovers([path], locks);
  expect(await left()).toEqual(['mcp.json']);
});

test('beside a file whose lock is held nothing is touched', async () => {
  const dead = `.mcp.json.${ended}-0a1b2c3d.tmp`;
  const {path, left} = await place([dead], {'mcp.json.lock': 0});
  await removeLeftovers([path], undefined);
  expect(await left()).toEqual([dead, 'mcp.json', 'mcp.json.lock']);
});

test('a lock whose time lies ahead may be held', async () => {
  const {path, left} = await place([], {'mcp.json.lock': -3600});
  await removeLeftovers([path], undefined);
  expect(await left()).toEqual(['mcp.json', 'mcp.json.lock']);
});

test('where there is nothing, nothing is made', async () => {
  const directory = await temporaryDirectory();
  await removeLeftovers([join(directory, 'gone', 'config.json')], join(directory, 'locks'));
  expect(await readdir(directory)).toEqual([]);
});
