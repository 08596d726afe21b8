import {mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {directoryModes, makeDirectory} from '../../../../src/ports/files/owner.ts';
import {temporaryDirectory} from '../../../support/place.ts';
import {onUnix} from '../../../support/systems/on-unix.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

onUnix('no umask makes one that others can write to', async () => {
  const directory = await temporaryDirectory();
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  makeDirectory(join(directory, 'own', 'deep'), directoryModes.own);
  makeDirectory(join(directory, 'shared', 'deep'), directoryModes.shared);
  expect(['own', 'own/deep', 'shared', 'shared/deep'].map(name => modeOf(join(directory, name)))).toEqual([
    ...[0o700, 0o700],
    ...[0o755, 0o755],
  ]);
});

onUnix('a link to where nothing is yet is followed', async () => {
  const directory = await temporaryDirectory();
  symlinkSync('dotfiles/config', join(directory, 'config'));
  makeDirectory(join(directory, 'config', 'setup'), directoryModes.own);
  expect(readdirSync(join(directory, 'dotfiles', 'config'))).toEqual(['setup']);
});

onUnix('one that is there stays as it is', async () => {
  const directory = await temporaryDirectory();
  mkdirSync(join(directory, 'there'), {mode: 0o750});
  makeDirectory(join(directory, 'there'), directoryModes.own);
  expect(modeOf(join(directory, 'there'))).toBe(0o750);
});

onUnix.each([
  ['a file', (path: string) => writeFileSync(path, ''), 'ENOTDIR'],
  ['a link that leads to itself', (path: string) => symlinkSync(path, path), 'ELOOP'],
])('%s in the way is told', async (_name, put, code) => {
  const path = join(await temporaryDirectory(), 'in-the-way');
  put(path);
  expect(() => makeDirectory(join(path, 'deep'), directoryModes.own)).toThrow(expect.objectContaining({code}));
});
