import {expect, test} from 'vitest';
import {describeError, remedyText} from '../../src/errors/describe-error.ts';
import {errorCodes} from '../../src/errors/error-table.ts';
import {
  type About,
  type ErrorCode,
  familyOf,
  findSetupError,
  isErrorCode,
  SetupError,
  toSetupError,
} from '../../src/errors/errors.ts';
import {usualExitCode} from '../../src/errors/exit-codes.ts';

const exits = {input: 2, network: 3, auth: 4, platform: 5, local: 6, warnings: 1, bug: 70, cancelled: 130} as const;

test.each(errorCodes)('%s has its family’s exit code and a remedy that is a sentence', code => {
  const {remedy, whose, exitCode} = describeError(new SetupError(code, 'It failed.'));
  expect(exitCode).toBe(code === 'auth-sign-in-pending' ? 75 : exits[familyOf(code)]);
  expect(remedy).toMatch(/^\p{Lu}.*[.:?]|--[\w-]+\.$/u);
  expect(['you', 'platform', 'either', 'us']).toContain(whose);
});

test.each(errorCodes)('%s has its exit code also where the table of errors cannot be loaded', code => {
  const isRare = code === 'auth-sign-in-pending' || code === 'warnings-only';
  if (!isRare) expect(usualExitCode(code)).toBe(describeError(new SetupError(code, 'It failed.')).exitCode);
});

test('a code of another release has the form of one, and counts as a bug', () => {
  for (const code of errorCodes) expect(isErrorCode(code)).toBe(true);
  for (const other of ['', 'other', 'authentication', 'auth_grant', 'Auth-x', undefined, 7])
    expect(isErrorCode(other)).toBe(false);
  const later = 'auth-of-tomorrow' as ErrorCode;
  expect(isErrorCode(later)).toBe(true);
  expect(describeError(new SetupError(later, 'It failed.'))).toMatchObject({exitCode: 70, whose: 'us'});
});

test.each(errorCodes)('%s says to somebody who is asked what to do without a flag', code => {
  // These are errors about the words of a command line.
  const isTyped = code === 'input-usage' || code === 'auth-sign-in-pending';
  if (!isTyped) expect(remedyText(new SetupError(code, 'It failed.'), {isAsked: true})).not.toMatch(/(^|\s)--[a-z]/);
});

test.each([
  ['network-refused', 'network'],
  ['platform-not-json', 'platform'],
  ['cancelled', 'cancelled'],
] as const)('%s is of the family %s', (code, family) => {
  expect(familyOf(code)).toBe(family);
});

test('what an error is about is told as data, and an address tells its server', () => {
  const about = (facts: About) => new SetupError('platform-error', 'It failed.', {about: facts}).about;
  const url = 'https://api.acme.example/health';
  expect(about({url})).toEqual({url, server: 'https://api.acme.example'});
  expect(about({url, server: 'https://other.example'})).toEqual({url, server: 'https://other.example'});
  expect(about({url: 'no address'})).toEqual({url: 'no address'});
  expect(about({path: '/home/ann/mcp.json', flag: 'project'})).toEqual({path: '/home/ann/mcp.json', flag: 'project'});
  expect(new SetupError('bug', 'It failed.').about).toEqual({});
});

test('an error is found however a library wrapped it', () => {
  const inner = new SetupError('network-refused', 'Nothing listens.');
  expect(findSetupError(new TypeError('fetch failed', {cause: new Error('x', {cause: inner})}))).toBe(inner);
  expect(findSetupError(new Error('other'))).toBeUndefined();
});

test('what nobody translated is our bug', () => {
  const bug = toSetupError(new RangeError('odd'));
  expect(bug.code).toBe('bug');
  expect(describeError(bug)).toMatchObject({whose: 'us', exitCode: 70});
});

test('a working directory that was removed is no fault of this program', () => {
  const error = Object.assign(new Error('ENOENT: process.cwd failed'), {code: 'ENOENT', syscall: 'uv_cwd'});
  expect(toSetupError(error)).toMatchObject({
    code: 'local-read-failed',
    message: 'The directory that you are in does not exist any more.',
    remedy: 'Change to another directory, then run this again.',
  });
});
