import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {watch} from 'node:fs';
import {mkdir, readdir, rm, rmdir, stat, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {OwnFiles} from '../../src/ports/storage.ts';
import {createOwnFiles} from '../../src/store/own-files.ts';
import {temporaryDirectory} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';
import {isOnWine} from '../support/systems/on-wine.ts';

const put = async (path: string, text = '') => {
  await mkdir(dirname(path), {recursive: true});
  await writeFile(path, text);
};

/** Removes the files as an uninstall does. Returns what is left. */
const removeAll = async (own: OwnFiles) => {
  await own.remove();
  return own.removeDirectories();
};

/** Sets up a home in which this program keeps its files in the XDG directories. */
const homeFor = async () => {
  const home = join(await temporaryDirectory(), 'home');
  await mkdir(home);
  const [config, state] = [join(home, '.config', 'platform-setup'), join(home, '.local', 'state', 'platform-setup')];
  const programs = join(home, '.local', 'share', 'platform-setup');
  const compiled = join(home, '.cache', 'platform-setup', 'compile');
  const own = createOwnFiles({
    files: [join(config, 'config.json'), join(config, 'credentials.json'), join(state, 'versions.json')],
    directories: [join(state, 'journal'), compiled],
    programs,
    home,
  });
  return {home, config, state, programs, compiled, own, left: () => readdir(home, {recursive: true})};
};

test('everything of this program’s goes, with the directories that were made for it', async () => {
  const {config, state, programs, compiled, own, left} = await homeFor();
  const files = [
    ...['config.json', 'config.json.bad-2026', '.config.json.4711-0a1b.tmp'],
    ...['credentials.json', 'renewing-0a1b2c-0', 'renewing-0a1b2c-1.0a1b2c3d'],
  ];
  for (const name of files) await put(join(config, name));
  await mkdir(join(config, 'credentials.json.lock'));
  await put(join(state, 'versions.json'));
  await put(join(state, 'journal', 'one.json'));
  await put(join(compiled, 'v24', 'code'));
  await put(join(programs, '1.2.3', 'copy.json'), '{}');
  await put(join(programs, '1.2.3', 'bin', 'setup.js'));
  await put(join(programs, '1.2.4.4711.new', 'bin', 'setup.js'));
  expect(await own.list()).toHaveLength(files.length + 6);
  expect(await removeAll(own)).toEqual([]);
  expect(await left()).toEqual([]);
  expect(await own.list()).toEqual([]);
});

onUnix('a removal that is killed leaves no copy that the next one would take for somebody else’s', async () => {
  for (const changes of [1, 2, 5, 20, 60]) {
    const {home, programs, own, left} = await homeFor();
    for (let count = 0; count < 150; count += 1)
      await put(join(programs, '1.2.3', 'dist', `${count % 9}`, `${count}.js`));
    // Neither the first nor the last file to be removed.
    await put(join(programs, '1.2.3', 'copy.json'), '{}');
    const module = new URL('../../src/store/own-files.ts', import.meta.url);
    const places = JSON.stringify({files: [], directories: [], programs, home});
    const script = `const {createOwnFiles} = await import('${module}'); await createOwnFiles(${places}).remove();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {stdio: 'ignore'});
    let seen = 0;
    const watcher = watch(home, {recursive: true}, () => {
      seen += 1;
      if (seen === changes) child.kill('SIGKILL');
    });
    await once(child, 'close');
    watcher.close();
    expect(await removeAll(own)).toEqual([]);
    expect([changes, await left()]).toEqual([changes, []]);
  }
});

test('what is somebody else’s stays, and is named', async () => {
  const {home, config, programs, own, left} = await homeFor();
  const theirs = [
    join(config, 'config.json.mine'),
    join(config, 'notes.txt'),
    join(programs, 'of-another-program', 'file'),
    join(home, '.config', 'other', 'file'),
  ];
  for (const path of [...theirs, join(config, 'config.json'), join(programs, '1.2.3', 'copy.json')]) await put(path);
  expect(await removeAll(own)).toEqual([
    join(config, 'config.json.mine'),
    join(config, 'notes.txt'),
    join(programs, 'of-another-program'),
  ]);
  const names = (await left()).map(name => join(home, name));
  for (const path of theirs) expect(names).toContain(path);
  expect(names).not.toContain(join(config, 'config.json'));
  expect(names).not.toContain(join(programs, '1.2.3'));
});

test('a link is removed, and not what it leads to', async () => {
  const {home, state, own, left} = await homeFor();
  await put(join(home, 'kept', 'file'));
  await mkdir(state, {recursive: true});
  await symlink(join(home, 'kept'), join(state, 'journal'));
  expect(await removeAll(own)).toEqual([]);
  expect(await left()).toEqual(['kept', join('kept', 'file')]);
});

test('nothing there is nothing to remove', async () => {
  const {own, left, home} = await homeFor();
  expect(await removeAll(own)).toEqual([]);
  expect(await left()).toEqual([]);
  expect(await readdir(dirname(home))).toEqual(['home']);
});

// Wine reports the last change in a directory as its birth.
test.skipIf(isOnWine)('a directory that was there before stays, when it is empty too', async () => {
  const directory = await temporaryDirectory();
  const [home, kept] = [join(directory, 'home'), join(directory, 'kept')];
  for (const one of [home, kept]) await mkdir(one);
  const own = createOwnFiles({
    files: [join(kept, 'config.json')],
    directories: [join(kept, 'journal')],
    programs: join(kept, 'programs'),
    home,
    oneStart: 0,
  });
  // The file system counts in steps of some milliseconds, and Windows gives a new file the birth time of an earlier
  // one with its name.
  const birthOf = async (path: string) => (await stat(path)).birthtimeMs;
  const before = await birthOf(kept);
  for (let step = 0; ; step += 1) {
    const path = join(directory, `${step}`);
    await put(path);
    if ((await birthOf(path)) > before) break;
  }
  await put(join(kept, 'config.json'));
  expect(await removeAll(own)).toEqual([]);
  expect(await readdir(kept)).toEqual([]);
});

describe('an uninstall that was killed', () => {
  /** Sets up a SETUP_HOME that was created for this program: only its birth time shows that. */
  const setupHome = async () => {
    const home = await temporaryDirectory();
    const kept = join(home, 'made', 'setup');
    const files = [join(kept, 'config.json'), join(kept, 'credentials.json')];
    const own = createOwnFiles({files, directories: [], programs: join(kept, 'programs'), home});
    for (const path of files) await put(path);
    return {home, kept, own};
  };

  test('after the files leaves the next one what it needs to remove their directories', async () => {
    const {home, own} = await setupHome();
    await own.remove();
    expect(await own.list()).not.toEqual([]);
    await removeAll(own);
    expect(await readdir(home)).toEqual([]);
    expect(await own.list()).toEqual([]);
  });

  test.each([1, 2])('after %s of the directories does so too', async count => {
    const {home, kept, own} = await setupHome();
    await own.remove();
    for (const path of [kept, dirname(kept)].slice(0, count)) await rmdir(path);
    expect(await own.list()).not.toEqual([]);
    await removeAll(own);
    expect(await readdir(home)).toEqual([]);
  });

  test('keeps a directory into which somebody has put something since, and no mark beside it', async () => {
    const {home, kept, own} = await setupHome();
    await own.remove();
    await put(join(kept, 'mine'));
    expect(await own.removeDirectories()).toEqual([join(kept, 'mine')]);
    expect((await readdir(home, {recursive: true})).toSorted()).toEqual(
      ['made', join('made', 'setup'), join('made', 'setup', 'mine')].toSorted(),
    );
  });
});

test('the home stays, also where it is named as the place of our files', async () => {
  const home = join(await temporaryDirectory(), 'home');
  const files = [join(home, 'config.json')];
  const own = createOwnFiles({files, directories: [], programs: join(home, 'programs'), home});
  await put(join(home, 'config.json'));
  expect(await removeAll(own)).toEqual([]);
  expect(await readdir(dirname(home))).toEqual(['home']);
});

test('the lock of whoever removes the rest is left to be given back', async () => {
  const {config, own, left} = await homeFor();
  const lock = join(config, 'config.json.entries.lock');
  await put(join(config, 'config.json'));
  await mkdir(lock);
  await own.remove();
  expect(await readdir(config)).toEqual(['config.json.entries.lock']);
  await rm(lock, {recursive: true});
  expect(await own.removeDirectories()).toEqual([]);
  expect(await left()).toEqual([]);
});
