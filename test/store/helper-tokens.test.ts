import {existsSync, lstatSync} from 'node:fs';
import {mkdir, readFile, stat, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {textFile} from '../../src/ports/files/text-file.ts';
import {createHelperTokens} from '../../src/store/helper-tokens.ts';
import {temporaryDirectory} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';

const now = 1_700_000_000_000;

const helperTokens = async () => {
  const path = join(await temporaryDirectory(), 'state', 'handed-out.json');
  return {path, ...createHelperTokens(path, textFile)};
};

test('a token that is asked for again within a minute is doubtful', async () => {
  const {note, isDoubtful} = await helperTokens();
  expect(isDoubtful('acme', 'token', now)).toBe(false);
  note('acme', 'token', now);
  expect(isDoubtful('acme', 'token', now + 59_000)).toBe(true);
  expect(isDoubtful('acme', 'token', now + 60_000)).toBe(false);
});

test('another token, or the same for something else, is not', async () => {
  const {note, isDoubtful} = await helperTokens();
  note('acme', 'token', now);
  expect([isDoubtful('acme', 'newer', now), isDoubtful('other', 'token', now)]).toEqual([false, false]);
});

test('one that the server took a moment ago is not, until that is a minute ago', async () => {
  const {note, noteChecked, isDoubtful} = await helperTokens();
  note('acme', 'token', now);
  noteChecked('acme', 'token', now + 1_000);
  expect(isDoubtful('acme', 'token', now + 2_000)).toBe(false);
  note('acme', 'token', now + 50_000);
  expect(isDoubtful('acme', 'token', now + 62_000)).toBe(true);
});

test('a clock that was set back makes nothing doubtful', async () => {
  const {note, isDoubtful} = await helperTokens();
  note('acme', 'token', now);
  expect(isDoubtful('acme', 'token', now - 5_000)).toBe(false);
});

onUnix('no token is in the file, which is for its owner', async () => {
  const {path, note} = await helperTokens();
  note('acme', 'canary-token', now);
  expect(await readFile(path, 'utf8')).not.toContain('canary');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.runIf(existsSync('/dev/full'))(
  'what a full disk has cut short does not stay, and nobody fails over it',
  async () => {
    const {path, note, isDoubtful} = await helperTokens();
    await mkdir(dirname(path));
    await symlink('/dev/full', path);
    note('acme', 'token', now);
    expect([isDoubtful('acme', 'token', now), lstatSync(path, {throwIfNoEntry: false})]).toEqual([false, undefined]);
  },
);
