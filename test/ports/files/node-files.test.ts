import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readdir, readFile, rmdir, stat, symlink, truncate, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createFiles} from '../../../src/ports/files/files.ts';
import type {WritableJournal} from '../../../src/ports/files/journal.ts';
import {locksOf} from '../../../src/ports/files/lock.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

const recorded = () => {
  const entries: {path: string; before: string | undefined; after: string}[] = [];
  const journal: Pick<WritableJournal, 'record'> = {
    record: async ({path, before, after}) => {
      const entry = {path, before: before?.bytes.toString(), after: after?.toString() ?? ''};
      entries.push(entry);
      return async () => void entries.splice(entries.indexOf(entry), 1);
    },
  };
  return {entries, files: createFiles(journal)};
};

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const secret = {mode: 0o600, tighten: true, journal: false} as const;
const shared = {mode: 0o644, journal: true} as const;

describe('a write', () => {
  onUnix('makes directories that only the owner can enter for a secret', async () => {
    const path = join(await temporaryDirectory(), 'a', 'credentials.json');
    await recorded().files.write(path, '{}', secret);
    expect([await modeOf(path), await modeOf(join(path, '..'))]).toEqual([0o600, 0o700]);
  });

  onUnix('keeps the mode of a file that is there, unless it is for a secret', async () => {
    const path = join(await temporaryDirectory(), 'file');
    await writeFile(path, 'old');
    await chmod(path, 0o664);
    const {files} = recorded();
    await files.write(path, 'new', shared);
    expect(await modeOf(path)).toBe(0o664);
    await files.write(path, 'newer', {...shared, tighten: true, mode: 0o600});
    expect(await modeOf(path)).toBe(0o600);
  });

  test('gives the old bytes to the journal first', async () => {
    const path = join(await temporaryDirectory(), 'file');
    const {files, entries} = recorded();
    await files.write(path, 'one', shared);
    await files.write(path, 'two', shared);
    expect(entries).toEqual([
      {path, before: undefined, after: 'one'},
      {path, before: 'one', after: 'two'},
    ]);
  });

  test('of the same bytes touches nothing', async () => {
    const path = join(await temporaryDirectory(), 'file');
    const {files, entries} = recorded();
    await files.write(path, 'same', shared);
    const before = await stat(path);
    await files.write(path, 'same', shared);
    expect((await stat(path)).ino).toBe(before.ino);
    expect(entries).toHaveLength(1);
  });

  onUnix('goes through a link to the file behind it', async () => {
    const directory = await temporaryDirectory();
    const [target, link] = [join(directory, 'dotfiles.json'), join(directory, 'link.json')];
    await writeFile(target, 'old');
    await symlink(target, link);
    await recorded().files.write(link, 'new', shared);
    expect(await readFile(target, 'utf8')).toBe('new');
  });

  test('is refused when another program changed the file since it was looked at', async () => {
    const path = join(await temporaryDirectory(), 'file');
    await writeFile(path, 'theirs');
    const {files, entries} = recorded();
    for (const expected of [Buffer.from('ours'), null]) {
      await expect(files.write(path, 'new', {...shared, expected})).rejects.toMatchObject({
        code: 'local-file-changed',
        about: {path},
      });
    }
    expect([await readFile(path, 'utf8'), entries]).toEqual(['theirs', []]);
  });

  test('that cannot be made leaves the old file, no leftovers, and says why', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'file');
    await writeFile(path, 'old');
    const journal: Pick<WritableJournal, 'record'> = {
      record: () => Promise.reject(Object.assign(new Error('full'), {code: 'ENOSPC'})),
    };
    await expect(createFiles(journal).write(path, 'new', shared)).rejects.toMatchObject({
      code: 'local-write-failed',
      message: expect.stringContaining('the disk is full'),
      about: {path},
    });
    expect([await readFile(path, 'utf8'), await readdir(directory)]).toEqual(['old', ['file']]);
  });

  test('that is not made takes its journal entry back', async () => {
    const directory = await temporaryDirectory();
    const {files, entries} = recorded();
    await mkdir(join(directory, 'file'));
    await expect(files.write(join(directory, 'file'), 'new', shared)).rejects.toMatchObject({
      code: 'local-file-invalid',
      about: {path: join(directory, 'file')},
    });
    expect(entries).toEqual([]);
  });

  test('below a file says what is in the way', async () => {
    const path = join(await temporaryDirectory(), 'file');
    await writeFile(path, '');
    await expect(recorded().files.write(join(path, 'config.json'), '{}', secret)).rejects.toMatchObject({
      code: 'local-write-failed',
    });
  });

  test('clears what a kill left behind, and leaves a living writer alone', async () => {
    const directory = await temporaryDirectory();
    // No process has the first ID. The second is that of this process.
    const [dead, living] = [join(directory, '.file.99999999-aa.tmp'), join(directory, `.file.${process.pid}-bb.tmp`)];
    await writeFile(dead, 'token');
    await writeFile(living, 'token');
    await recorded().files.write(join(directory, 'file'), 'new', shared);
    expect((await readdir(directory)).toSorted()).toEqual([`.file.${process.pid}-bb.tmp`, 'file']);
  });
});

test('reading what is not there is no error, reading a directory is one', async () => {
  const directory = await temporaryDirectory();
  const {files} = recorded();
  expect(await files.read(join(directory, 'nothing'))).toBeUndefined();
  await mkdir(join(directory, 'mcp.json'));
  await expect(files.read(join(directory, 'mcp.json'))).rejects.toMatchObject({code: 'local-file-invalid'});
});

onUnix('what is no file is neither read nor written over, and what is too large is not read', async () => {
  const directory = await temporaryDirectory();
  const {files} = recorded();
  const [pipe, large] = [join(directory, 'pipe'), join(directory, 'large')];
  execFileSync('mkfifo', [pipe]);
  const isNone = {code: 'local-file-invalid', message: `${pipe} is a named pipe, not a file.`};
  await expect(files.read(pipe)).rejects.toMatchObject(isNone);
  await expect(files.write(pipe, 'new', shared)).rejects.toMatchObject(isNone);
  expect((await stat(pipe)).isFIFO()).toBe(true);
  await writeFile(large, '');
  await truncate(large, 5 * 1024 * 1024);
  expect((await files.read(large))?.bytes).toHaveLength(5 * 1024 * 1024);
  await expect(files.read(large, {own: true})).rejects.toMatchObject({
    message: `${large} is 5 MiB; the limit is 4 MiB.`,
  });
  await truncate(large, 65 * 1024 * 1024);
  await expect(files.read(large)).rejects.toMatchObject({
    message: `${large} is 65 MiB; the limit is 64 MiB.`,
  });
});

onUnix('one of our own that others can change is refused, there or not', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'own.json');
  const {files} = recorded();
  expect(await files.read(path, {own: true})).toBeUndefined();
  await chmod(directory, 0o777);
  await expect(files.read(path, {own: true})).rejects.toMatchObject({code: 'local-open-to-others'});
  await writeFile(path, '{}');
  expect(await files.read(path)).toMatchObject({bytes: Buffer.from('{}')});
});

test('a file where the directory would be is told before anything is written', async () => {
  const file = join(await temporaryDirectory(), 'file');
  await writeFile(file, '');
  const {files} = recorded();
  await files.check(join(file, '..', 'other', 'config'));
  await expect(files.check(join(file, 'config'))).rejects.toMatchObject({
    code: 'local-write-failed',
    message: expect.stringContaining('not a directory'),
  });
});

describe('room that is taken ahead of a write', () => {
  onUnix('is there at its size, and becomes the file without any more of it', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'credentials.json');
    const {files} = recorded();
    await files.write(path, 'old', secret);
    const reserved = await files.reserve(path, 5_000);
    const [held = ''] = (await readdir(directory)).filter(name => name.endsWith('.tmp'));
    expect(await stat(join(directory, held))).toMatchObject({size: 5_000});
    expect(await modeOf(join(directory, held))).toBe(0o600);
    const {ino} = await stat(join(directory, held));
    await files.write(path, 'new', {...secret, reserved});
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await stat(path)).ino).toBe(ino);
    expect(await readdir(directory)).toEqual(['credentials.json']);
  });

  test('takes contents that outgrow it', async () => {
    const path = join(await temporaryDirectory(), 'credentials.json');
    const {files} = recorded();
    await files.write(path, 'x'.repeat(100), {...secret, reserved: await files.reserve(path, 10)});
    expect(await readFile(path, 'utf8')).toBe('x'.repeat(100));
  });

  test('is given back', async () => {
    const directory = await temporaryDirectory();
    await (await recorded().files.reserve(join(directory, 'credentials.json'), 10)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  test('is refused where nothing can be written', async () => {
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    await expect(recorded().files.reserve(join(file, 'credentials.json'), 10)).rejects.toMatchObject({
      code: 'local-write-failed',
    });
  });
});

test('a lock is seen beside its file, and where it is when nothing can be made there', async () => {
  const directory = await temporaryDirectory();
  const [path, elsewhere] = [join(directory, 'credentials.json'), join(directory, 'locks')];
  const files = createFiles({record: async () => async () => {}}, elsewhere);
  expect(await files.isLocked(path)).toBe(false);
  for (const lock of locksOf(path, elsewhere)) {
    await mkdir(lock, {recursive: true});
    expect(await files.isLocked(path)).toBe(true);
    await rmdir(lock);
  }
  expect(await files.isLocked(path)).toBe(false);
});

describe('a lock that was left behind', () => {
  const leftAt = async (seconds: number) => {
    const path = join(await temporaryDirectory(), 'file');
    await mkdir(`${path}.lock`);
    await utimes(`${path}.lock`, seconds, seconds);
    return path;
  };

  test('holds nobody up', async () => {
    const path = await leftAt(Date.now() / 1000 - 10);
    expect(await recorded().files.withLock(path, async () => 'in')).toBe('in');
  });

  test('holds nobody up either when its clock was ahead', async () => {
    const path = await leftAt(Date.now() / 1000 + 86_400);
    expect(await recorded().files.withLock(path, async () => 'in')).toBe('in');
  });
});

test('a lock that cannot be made is not waited for', async () => {
  const file = join(await temporaryDirectory(), 'file');
  await writeFile(file, '');
  const started = recorded().files.withLock(join(file, 'credentials.json'), async () => 'in');
  await expect(started).rejects.toMatchObject({code: 'local-write-failed'});
});

describe('a lock that cannot be given back', () => {
  /** Puts a file into the lock, so that its directory cannot be removed: any error of the file system will do. */
  const spoil = (path: string) => writeFile(join(`${path}.lock`, 'left'), '');

  test('is no failure of what was done under it', async () => {
    const path = join(await temporaryDirectory(), 'file');
    const {files} = recorded();
    const work = async () => {
      await spoil(path);
      return 'done';
    };
    expect(await files.withLock(path, work)).toBe('done');
  });

  test('does not hide why that failed', async () => {
    const path = join(await temporaryDirectory(), 'file');
    const {files} = recorded();
    const work = async () => {
      await spoil(path);
      throw new Error('the work failed');
    };
    await expect(files.withLock(path, work)).rejects.toThrow('the work failed');
  });
});

test('the lock lets one at a time read, change and write', async () => {
  const path = join(await temporaryDirectory(), 'counter');
  const {files} = recorded();
  await files.write(path, '0', secret);
  const increment = () =>
    files.withLock(path, async () => {
      const before = Number((await files.read(path))?.bytes);
      await files.write(path, String(before + 1), secret);
    });
  await Promise.all(Array.from({length: 20}, increment));
  expect(await readFile(path, 'utf8')).toBe('20');
});
