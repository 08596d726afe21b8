import {expect, test} from 'vitest';
import {describeError} from '../../src/errors/describe-error.ts';
import {toSetupError} from '../../src/errors/errors.ts';
import {limitIn} from '../../src/errors/system-limit.ts';

const error = (code: string, more: object = {}) => Object.assign(new Error(code), {code, ...more});

test.each([
  ['a file', error('EMFILE', {syscall: 'open'}), 'This process cannot open more files (EMFILE).'],
  ['a program', error('EAGAIN', {syscall: 'spawn /bin/sh'}), 'No more processes can be started (EAGAIN).'],
  ['what a library says of one', new Error('It failed.', {cause: error('ENFILE')}), /too many files open \(ENFILE\)/],
])('the limit that %s has met is told with what to do', (_name, met, message) => {
  const limit = toSetupError(met);
  const {code, message: told, remedy} = limit;
  const {exitCode} = describeError(limit);
  expect({code, exitCode}).toEqual({code: 'local-limit-reached', exitCode: 6});
  expect(told).toMatch(message);
  expect(remedy).toContain('ulimit');
});

test('of a pipe EAGAIN is no limit, and what is none stays a fault of ours', () => {
  expect(limitIn(error('EAGAIN', {syscall: 'read'}))).toBeUndefined();
  expect(toSetupError(error('EBADF'))).toMatchObject({code: 'bug'});
});
