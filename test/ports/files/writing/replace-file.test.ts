import {execFileSync} from 'node:child_process';
import {chmod, type FileHandle, link, open, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {copyAttributes, isWrittenInPlace, replaceFile} from '../../../../src/ports/files/atomic-write.ts';
import {temporaryDirectory} from '../../../support/place.ts';
import {onUnix} from '../../../support/systems/on-unix.ts';
import {failingBuiltin, failingSync} from './support/failing-builtin.ts';

const theirs = {mode: 0o644, own: false};

const fileWith = async (text: string, mode = 0o644) => {
  const path = join(await temporaryDirectory(), 'file');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
};

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** Makes a method of every open file fail as a file system may. */
const failingHandles = async (method: 'chmod' | 'write', code: string, isMeant: (call: number) => boolean) => {
  const handle = await open('/dev/null');
  const methods: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const original = methods[method];
  let calls = 0;
  const spy = vi.spyOn(methods, method as 'chmod').mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    calls += 1;
    if (!isMeant(calls)) return Reflect.apply(original, this, args);
    return Promise.reject(Object.assign(new Error(code), {code}));
  });
  onTestFinished(() => spy.mockRestore());
};

describe('a file that another could not replace without loss', () => {
  test('with a second name is written itself, and so has both names afterwards', async () => {
    const path = await fileWith('before, and longer');
    const other = `${path}-other`;
    await link(path, other);
    await replaceFile(path, Buffer.from('after'), theirs);
    expect(await readFile(other, 'utf8')).toBe('after');
    expect((await stat(path)).nlink).toBe(2);
    expect((await readdir(dirname(path))).toSorted()).toEqual(['file', 'file-other']);
  });

  onUnix('that turns out to be mounted when it is to be replaced is written itself', async () => {
    const path = await fileWith('before');
    const {ino} = await stat(path);
    failingBuiltin('rename', 'EBUSY');
    await replaceFile(path, Buffer.from('after, and longer'), theirs);
    expect([await readFile(path, 'utf8'), (await stat(path)).ino]).toEqual(['after, and longer', ino]);
    expect(await readdir(dirname(path))).toEqual(['file']);
  });

  test('has its old contents where the disk does not take the new ones', async () => {
    const path = await fileWith('before');
    await link(path, `${path}-other`);
    for (const failing of [1, 2]) {
      await failingHandles('write', 'ENOSPC', call => call === failing);
      await expect(replaceFile(path, Buffer.from('after, and longer'), theirs)).rejects.toMatchObject({code: 'ENOSPC'});
      vi.restoreAllMocks();
      expect(await readFile(path, 'utf8')).toBe('before');
    }
  });

  onUnix('may be one that its owner has protected from being written', async () => {
    const path = await fileWith('before', 0o444);
    await link(path, `${path}-other`);
    await replaceFile(path, Buffer.from('after'), {mode: 0o444, own: false});
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['after', 0o444]);
  });

  test('of this program’s own has nothing to lose', async () => {
    const path = await fileWith('before', 0o600);
    await link(path, `${path}-other`);
    expect([await isWrittenInPlace(path, true), await isWrittenInPlace(path, false)]).toEqual([false, true]);
  });
});

describe('a file system', () => {
  test.each([
    ['without modes', () => failingHandles('chmod', 'EPERM', () => true)],
    ['that syncs nothing', () => failingSync('EINVAL')],
  ])('%s is used', async (_name, fail) => {
    const path = await fileWith('before');
    await fail();
    await replaceFile(path, Buffer.from('after'), theirs);
    expect(await readFile(path, 'utf8')).toBe('after');
  });

  test.each(['EINVAL', 'EIO'])('that answers the sync of a directory with %s has renamed by then', async code => {
    const path = await fileWith('before');
    // The first sync is that of the file.
    failingSync(code, call => call === 2);
    await replaceFile(path, Buffer.from('after'), theirs);
    expect(await readFile(path, 'utf8')).toBe('after');
  });

  test('that cannot keep the file is told, and the old one stays', async () => {
    const path = await fileWith('before');
    failingSync('EIO', call => call === 1);
    await expect(replaceFile(path, Buffer.from('after'), theirs)).rejects.toMatchObject({code: 'EIO'});
    expect([await readFile(path, 'utf8'), await readdir(dirname(path))]).toEqual(['before', ['file']]);
  });
});

const has = (program: string) => {
  try {
    execFileSync('which', [program], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
};

const run = (program: string, ...args: readonly string[]) => execFileSync(program, args, {encoding: 'utf8'});

describe('what a file has beside its contents', () => {
  test.skipIf(!has('setfacl'))('an access list stays, and its mask gives the group nothing', async () => {
    const path = await fileWith('before');
    run('setfacl', '-m', 'u:1234:rw,g::-', path);
    const before = run('getfacl', '--absolute-names', '--numeric', path);
    await replaceFile(path, Buffer.from('after'), {mode: await modeOf(path), own: false});
    expect(await readFile(path, 'utf8')).toBe('after');
    expect(run('getfacl', '--absolute-names', '--numeric', path)).toBe(before);
  });

  test.skipIf(!has('setfattr'))('extended attributes stay', async () => {
    const path = await fileWith('before');
    run('setfattr', '-n', 'user.origin', '-v', 'dotfiles', path);
    await replaceFile(path, Buffer.from('after'), theirs);
    expect(run('getfattr', '--absolute-names', '-d', path)).toContain('user.origin="dotfiles"');
  });

  onUnix.each([
    ['is copied with the program of the system', 0o644, undefined, true],
    ['is taken for an access list where no program copies it', 0o644, [], false],
    ['is taken for one where the program cannot', 0o644, ['/bin/false', '/usr/bin/false'], false],
    ['cannot open what the group has no right to', 0o600, [], true],
  ])('%s', async (_name, mode, programs, kept) => {
    const path = await fileWith('before', mode);
    const handle = await open(`${path}-new`, 'wx', 0o600);
    onTestFinished(() => handle.close());
    expect(await copyAttributes(path, `${path}-new`, handle, programs)).toBe(kept);
    expect(await readFile(`${path}-new`, 'utf8')).toBe('');
  });
});
