import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readFailure, writeFailure} from '../../../src/ports/files/file-errors.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {worded} from '../../support/worded.ts';

const failed = (code: string) => Object.assign(new Error(`${code}: …`), {code});

describe.each([
  ['EMFILE', 'this process has too many files open (ulimit -n)'],
  ['ENFILE', 'too many files are open on this machine'],
  ['ENOMEM', 'this machine is out of memory'],
])('a file at the limit %s', (code, words) => {
  const remedy = expect.stringContaining('ulimit -n');

  test('is not read, by its name and with what raises it', () => {
    expect(worded(readFailure('/f', failed(code)))).toMatchObject({
      code: 'local-read-failed',
      message: `/f cannot be read: ${words}.`,
      remedy,
    });
  });

  test('and is not written', () => {
    expect(worded(writeFailure('/f', failed(code)))).toMatchObject({
      code: 'local-write-failed',
      message: `/f was not written: ${words}.`,
      remedy,
    });
  });
});

test.each(['EACCES', 'EPERM'])('a write that is denied names the directory that is there: %s', async code => {
  const directory = await temporaryDirectory();
  expect(worded(writeFailure(join(directory, 'none', 'here', 'f'), failed(code)))).toMatchObject({
    code: 'local-write-failed',
    remedy: `Allow writing in ${directory} (its permissions, or its owner), then try again.`,
  });
});

test('permissions are named where they are the matter', () => {
  expect(worded(readFailure('/f', failed('EACCES')))).toMatchObject({
    message: '/f cannot be read (EACCES).',
    remedy: 'Check the permissions of the file and of its directory.',
  });
});
