import {chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {storeIn} from '../e2e/support/store.ts';
import {ANN, machine} from './support/machine.ts';
import {missing} from './support/missing.ts';

describe.skipIf(missing() !== undefined)('another’s home', () => {
  test('is its owner’s to the last file, after a set-up by root and after its undo', async () => {
    const {setUp, run, giveTo, othersThan, claude} = await machine();
    giveTo(ANN);
    const before = readFileSync(claude, 'utf8');
    expect(await setUp()).toMatchObject({code: 0, stderr: ''});
    expect((await run(['status', '--debug'])).code).toBe(0);
    expect((await run(['token', '--mcp-header'])).code).toBe(0);
    expect(othersThan(ANN)).toEqual([]);
    // The owner of the home uses the program from there on.
    expect(await run(['token'], {uid: ANN})).toMatchObject({code: 0, stderr: ''});
    expect(await run(['undo', '--yes'])).toMatchObject({code: 0, stderr: ''});
    expect(readFileSync(claude, 'utf8')).toBe(before);
    expect(othersThan(ANN)).toEqual([]);
    expect((await setUp({uid: ANN})).code).toBe(0);
  });

  test('may have links to where its owner keeps such files', async () => {
    const {setUp, giveTo, othersThan, home} = await machine();
    symlinkSync('dotfiles/config', join(home, '.config'));
    giveTo(ANN);
    expect(await setUp()).toMatchObject({code: 0, stderr: ''});
    expect(storeIn(join(home, 'dotfiles', 'config', 'platform-setup')).credentials()).toHaveLength(1);
    expect(othersThan(ANN)).toEqual([]);
  });

  test('is no place for root’s secrets by a link of root’s own', async () => {
    const {setUp, home, volume} = await machine();
    mkdirSync(join(volume, 'theirs'));
    chownSync(join(volume, 'theirs'), ANN, ANN);
    mkdirSync(join(home, '.config'));
    symlinkSync(join(volume, 'theirs'), join(home, '.config', 'platform-setup'));
    const {code, stderr} = await setUp();
    expect({code, stderr}).toEqual({code: 6, stderr: expect.stringContaining('which belongs to another user')});
  });
});

describe.skipIf(missing() !== undefined)('a umask that takes nothing away', () => {
  test('leaves no directory and no file that others can write to', async () => {
    const {setUp, run, home, volume} = await machine();
    const how = {script: 'umask 000', env: {TMPDIR: volume}};
    expect((await setUp(how)).code).toBe(0);
    for (const args of [
      ['status', '--debug'],
      ['token', '--mcp-header'],
      ['demo', '--yes', '--keep'],
    ])
      expect((await run(args, how)).code).toBe(0);
    const open = [home, volume].flatMap(directory =>
      readdirSync(directory, {recursive: true, encoding: 'utf8'})
        .map(name => join(directory, name))
        .filter(path => (lstatSync(path).mode & 0o022) !== 0),
    );
    expect(open.filter(path => !lstatSync(path).isSymbolicLink())).toEqual([]);
  });
});

describe.skipIf(missing() !== undefined)('the group of a file', () => {
  test.each([
    ['root', undefined],
    ['its owner, who is not in it', ANN],
  ])('stays when %s writes', async (_name, uid) => {
    const {setUp, giveTo, cursor} = await machine();
    if (uid !== undefined) giveTo(uid);
    const {uid: owner} = statSync(cursor);
    chownSync(cursor, owner, 4321);
    chmodSync(cursor, 0o640);
    expect(await setUp(uid === undefined ? {} : {uid})).toMatchObject({code: 0, stderr: ''});
    const {gid, mode} = statSync(cursor);
    expect([gid, mode & 0o777, readFileSync(cursor, 'utf8').includes('control-plane')]).toEqual([4321, 0o640, true]);
  });
});

describe.skipIf(missing() !== undefined)('a home that cannot be written', () => {
  const readOnly = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME"';

  test.each([
    ['because it is mounted read-only', {script: readOnly}],
    ['because of its permissions', {uid: ANN}],
  ])('%s has a service account given its token, and says that it is not kept', async (_name, how) => {
    const {login, run, giveTo, home} = await machine();
    const directory = join(home, '.config', 'platform-setup');
    expect((await login()).code).toBe(0);
    const store = storeIn(directory);
    store.expire();
    const {accessToken} = store.only();
    giveTo(ANN);
    for (const path of [home, join(home, '.local', 'state', 'platform-setup'), directory]) chmodSync(path, 0o500);
    for (const args of [['token'], ['token', '--renew'], ['token', '--mcp-header']]) {
      const {code, stdout, stderr} = await run(args, how);
      expect({code, stderr}).toEqual({
        code: 0,
        stderr: expect.stringMatching(
          /^Warning: Your sign-in was renewed, but the new tokens could not be saved\. .*\n$/,
        ),
      });
      expect(stdout).not.toContain(accessToken);
      expect(stdout.length).toBeGreaterThan(100);
    }
    expect(store.only().accessToken).toBe(accessToken);
    chmodSync(dirname(directory), 0o700);
  });

  test('is told before anybody signs in', async () => {
    const {login} = await machine();
    const {code, stdout, stderr} = await login({script: readOnly});
    expect({code, stdout}).toEqual({code: 6, stdout: ''});
    expect(stderr).toMatch(/credentials\.json was not written: the file system is read-only\./);
  });

  test('is told before anything is', async () => {
    const {setUp, home} = await machine();
    const {code, stderr} = await setUp({script: readOnly});
    expect({code, stderr}).toEqual({code: 6, stderr: expect.stringContaining('the file system is read-only')});
    expect(storeIn(join(home, '.config', 'platform-setup')).exists()).toBe(false);
  });
});
