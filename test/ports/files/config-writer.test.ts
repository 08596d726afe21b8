import {truncateSync} from 'node:fs';
import {link, readdir, readFile, rename, stat, symlink, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import Conf from 'conf';
import {describe, expect, test} from 'vitest';
import type {ConfigWriter} from '../../../src/ports/files/config-writer.ts';
import {createConfigWriter} from '../../../src/ports/files/config-writer.ts';
import {createFiles} from '../../../src/ports/files/files.ts';
import {createJournal} from '../../../src/ports/files/journal.ts';
import {configFormat} from '../../../src/state/stores/config-schema.ts';
import {createConfigStore} from '../../../src/state/stores/config-store.ts';
import {mcpClientContext as context} from '../../support/context.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

const format = {...configFormat, migrations: {}};

/** Sets up a home whose config is written by this writer. */
const homeWith = async (writer: ConfigWriter = createConfigWriter(configFormat)) => {
  const home = await temporaryDirectory();
  const path = join(home, 'config.json');
  const journal = createJournal(join(home, 'journal'), () => 0);
  const config = createConfigStore(createFiles(journal), path, async () => writer);
  return {home, path, config, journal, text: () => readFile(path, 'utf8')};
};

/** A disk with one free page: it drops what does not fit, without an error. */
const onFullDisk = (room: number) =>
  createConfigWriter(configFormat, options => {
    const conf = new Conf(options);
    return {
      get store() {
        return conf.store;
      },
      set store(value) {
        conf.store = value;
        truncateSync(conf.path, room);
      },
    };
  });

describe('a config that is written', () => {
  onUnix('is for its owner only, says its format, and has no other file beside it', async () => {
    const {home, path, config, text} = await homeWith();
    await config.saveContext(context);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await text())).toEqual({
      version: 1,
      currentContext: 'acme',
      contexts: [context],
      __internal__: {migrations: {version: configFormat.version}},
    });
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
  });

  test('is refused where the schema does not allow it, and the former one stays', async () => {
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

describe('a write that a full disk cut short', () => {
  test('is a failure, and the former file is back, to the byte, with nothing beside it', async () => {
    const {home, path, config, journal, text} = await homeWith();
    await config.saveContext(context);
    const [before, entries] = [await text(), await journal.list()];
    const full = createConfigStore(createFiles(journal), path, async () => onFullDisk(200));
    await expect(full.saveContext({...context, name: 'other'})).rejects.toMatchObject({
      code: 'local-write-failed',
      message: `${path} was not written: only 200 bytes of it could be read back, as on a disk that is full. What was there is intact.`,
    });
    expect(await text()).toBe(before);
    expect(await journal.list()).toEqual(entries);
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
  });

  test('leaves no file where there was none', async () => {
    const {home, config} = await homeWith(onFullDisk(10));
    await expect(config.saveContext(context)).rejects.toMatchObject({code: 'local-write-failed'});
    expect(await readdir(home)).toEqual(['journal']);
  });
});

describe('after a process that was killed in the middle of a write', () => {
  test('the former file is taken, where the new one is not whole', async () => {
    const {home, path, config} = await homeWith();
    await config.saveContext(context);
    await link(path, `${path}.former`);
    await writeFile(`${path}.new`, '{"version": 1, "contexts": [');
    await rename(`${path}.new`, path);
    await config.saveContext({...context, name: 'other'});
    expect((await config.read()).contexts.map(({name}) => name)).toEqual(['acme', 'other']);
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
  });

  test('the new file is taken, where it is whole', async () => {
    const {home, path, config} = await homeWith();
    await config.saveContext(context);
    await writeFile(`${path}.former`, JSON.stringify({version: 1, contexts: []}));
    await config.saveContext({...context, name: 'other'});
    expect((await config.read()).contexts).toHaveLength(2);
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
  });

  test('its temporary file goes, and a file that is broken by hand stays', async () => {
    const {home, path, config} = await homeWith();
    await config.saveContext(context);
    await truncate(path, 20);
    await writeFile(`${path}.tmp-1234567890abcdef`, '{');
    await writeFile(`${path}.former`, '{');
    await expect(config.saveContext(context)).rejects.toMatchObject({code: 'local-config-invalid'});
    expect((await stat(path)).size).toBe(20);
    expect((await readdir(home)).toSorted()).toEqual(['config.json', 'journal']);
  });
});

describe('a file of an earlier format', () => {
  test('takes each step that it has not behind it, once', async () => {
    const steps: string[] = [];
    const step = (name: string) => (config: Readonly<Record<string, unknown>>) => {
      steps.push(name);
      return {...config, currentContext: name};
    };
    const {path, text} = await homeWith();
    const write = async (version: string) => {
      const migrations = {'1.0.0': step('first'), '2.0.0': step('second')};
      await createConfigWriter({...format, version, migrations}).write(path, {version: 1, contexts: []});
    };
    await writeFile(path, JSON.stringify({version: 1, contexts: []}));
    await write('1.0.0');
    await write('2.0.0');
    await write('2.0.0');
    expect(steps).toEqual(['first', 'second']);
    expect(JSON.parse(await text()).__internal__.migrations.version).toBe('2.0.0');
  });
});
