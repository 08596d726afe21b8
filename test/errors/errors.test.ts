import {expect, test} from 'vitest';
import {errorCodes, findSetupError, SetupError, toSetupError} from '../../src/errors/errors.ts';

const exits = {input: 2, network: 3, auth: 4, platform: 5, local: 6, warnings: 1, bug: 70, cancelled: 130} as const;

test.each(errorCodes)('%s has its family’s exit code and a remedy that is a sentence', code => {
  const error = new SetupError(code, 'It failed.');
  const family = code.split('-')[0] as keyof typeof exits;
  expect(error.exitCode).toBe(exits[family]);
  expect(error.remedy).toMatch(/^\p{Lu}.*[.:?]|--[\w-]+\.$/u);
  expect(['you', 'platform', 'us']).toContain(error.whose);
});

test('an error is found however a library wrapped it', () => {
  const inner = new SetupError('network-refused', 'Nothing listens.');
  expect(findSetupError(new TypeError('fetch failed', {cause: new Error('x', {cause: inner})}))).toBe(inner);
  expect(findSetupError(new Error('other'))).toBeUndefined();
});

test('what nobody translated is our bug', () => {
  expect(toSetupError(new RangeError('odd'))).toMatchObject({code: 'bug', whose: 'us', exitCode: 70});
});
