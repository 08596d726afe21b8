import {truncateSync} from 'node:fs';
import {readdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import Conf from 'conf';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createFiles} from '../../src/ports/files/files.ts';
import {createJournal} from '../../src/ports/files/journal.ts';
import {configFormat} from '../../src/store/config-schema.ts';
import {createConfigStore} from '../../src/store/config-store.ts';
import {type ConfigWriter, createConfigWriter} from '../../src/store/config-writer.ts';
import {mcpClientContext as context} from '../support/context.ts';
import {temporaryDirectory} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';

/** Sets up a home whose config is written by this writer. */
const homeWith = async (writer: ConfigWriter = createConfigWriter(configFormat)) => {
  const home = await temporaryDirectory();
  const path = join(home, 'config.json');
  const journal = createJournal(join(home, 'journal'), () => 0);
  const config = createConfigStore(createFiles(journal), path, async () => writer);
  return {home, path, config, journal, text: () => readFile(path, 'utf8')};
};

/** A writer below whose directories only `room` bytes of a file can be written, without an error. */
const withRoom = (room: (directory: string) => number, directories: string[] = []) =>
  createConfigWriter(configFormat, options => {
    const {path} = new Conf(options);
    const directory = dirname(path);
    directories.push(directory);
    if (room(directory) < Number.POSITIVE_INFINITY) truncateSync(path, room(directory));
  });

describe('a config that is written', () => {
  onUnix('is readable by its owner only, and leaves no other file', async () => {
    const directories: string[] = [];
    const {home, path, config, text} = await homeWith(withRoom(() => Number.POSITIVE_INFINITY, directories));
    await config.saveContext(context);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await text())).toEqual({version: 1, currentContext: 'acme', contexts: [context]});
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
    expect(directories).toHaveLength(1);
    for (const directory of directories) await expect(stat(directory)).rejects.toMatchObject({code: 'ENOENT'});
  });

  test('is refused if it violates the schema, and the old file stays', async () => {
    const {config, journal, text} = await homeWith();
    await config.saveContext(context);
    const before = await text();
    await expect(config.saveContext({...context, name: 'other', issuer: 'idp'})).rejects.toMatchObject({
      code: 'local-config-invalid',
      message: expect.stringContaining('contexts/1/issuer'),
    });
    expect(await text()).toBe(before);
    expect(await journal.list()).toHaveLength(1);
  });

  onUnix('is written through a link, whose file is replaced', async () => {
    const {home, path, config} = await homeWith();
    const real = join(home, 'dotfiles.json');
    await writeFile(real, JSON.stringify({version: 1, contexts: []}));
    await symlink(real, path);
    await config.saveContext(context);
    expect(JSON.parse(await readFile(real, 'utf8')).currentContext).toBe('acme');
  });
});

describe('a temporary directory', () => {
  test('that has no room is replaced by one beside the file', async () => {
    const directories: string[] = [];
    const {home, config, text} = await homeWith(
      withRoom(directory => (dirname(directory) === tmpdir() ? 200 : Number.POSITIVE_INFINITY), directories),
    );
    await config.saveContext(context);
    expect(JSON.parse(await text()).currentContext).toBe('acme');
    expect(directories.map(dirname)).toEqual([tmpdir(), home]);
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
  });

  test('that is missing is replaced by one beside the file', async () => {
    const {home, config, text} = await homeWith();
    vi.stubEnv(process.platform === 'win32' ? 'TEMP' : 'TMPDIR', join(home, 'missing'));
    onTestFinished(() => void vi.unstubAllEnvs());
    await config.saveContext(context);
    expect(JSON.parse(await text()).currentContext).toBe('acme');
  });

  test('without room anywhere makes the write fail, and the old file stays', async () => {
    const {home, path, config, journal, text} = await homeWith();
    await config.saveContext(context);
    const [before, entries] = [await text(), await journal.list()];
    const full = createConfigStore(createFiles(journal), path, async () => withRoom(() => 200));
    await expect(full.saveContext({...context, name: 'other'})).rejects.toMatchObject({
      code: 'local-write-failed',
      message: `${path} was not written: no temporary file could be made in ${tmpdir()}, nor beside it (the disk is full).`,
    });
    expect(await text()).toBe(before);
    expect(await journal.list()).toEqual(entries);
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
  });
});
