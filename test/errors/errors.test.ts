import {expect, test} from 'vitest';
import {orByFlag, withSignInCommand} from '../../src/errors/error-row.ts';
import {type About, errorCodes, familyOf, findSetupError, SetupError, toSetupError} from '../../src/errors/errors.ts';

const exits = {input: 2, network: 3, auth: 4, platform: 5, local: 6, warnings: 1, bug: 70, cancelled: 130} as const;

test.each(errorCodes)('%s has its family’s exit code and a remedy that is a sentence', code => {
  const error = new SetupError(code, 'It failed.');
  expect(error.exitCode).toBe(code === 'auth-sign-in-pending' ? 75 : exits[familyOf(code)]);
  expect(error.remedy).toMatch(/^\p{Lu}.*[.:?]|--[\w-]+\.$/u);
  expect(['you', 'platform', 'us']).toContain(error.whose);
});

test.each(errorCodes)('%s says to somebody who is asked what to do without a flag', code => {
  // These are errors about the words of a command line.
  const isTyped = code === 'input-usage' || code === 'auth-sign-in-pending';
  if (!isTyped) expect(new SetupError(code, 'It failed.').advice).not.toMatch(/(^|\s)--[a-z]/);
});

test('a remedy has a sentence for who is asked, and flags for everybody else', () => {
  const remedy = orByFlag(
    'Use another one.',
    withSignInCommand(signIn => `Run ${signIn} --device.`),
  );
  const error = new SetupError('bug', 'It failed.', {remedy});
  expect(error.remedy).toBe('Use another one. Run npx setup login --device.');
  expect(error.remedyBy('setup login --context acme')).toContain('Run setup login --context acme --device.');
  expect(error.advice).toBe('Use another one.');
  const more = error.advising(orByFlag('', 'Pass --observer-url none.'));
  expect(more.remedy).toBe('Use another one. Run npx setup login --device. Pass --observer-url none.');
  expect(more.advice).toBe('Use another one.');
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
  expect(toSetupError(new RangeError('odd'))).toMatchObject({code: 'bug', whose: 'us', exitCode: 70});
});

test('a working directory that was removed is no fault of this program', () => {
  const error = Object.assign(new Error('ENOENT: process.cwd failed'), {code: 'ENOENT', syscall: 'uv_cwd'});
  expect(toSetupError(error)).toMatchObject({
    code: 'local-read-failed',
    message: 'The directory that you are in does not exist any more.',
    remedy: 'Change to another directory, then run this again.',
  });
});
