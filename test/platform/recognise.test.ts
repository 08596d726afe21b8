import {expect, test} from 'vitest';
import {isNewer} from '../../src/platform/recognise.ts';

test.each([
  ['1.0.0', '0.9.9', true],
  ['0.10.0', '0.9.0', true],
  ['0.1.10', '0.1.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', false],
  ['1.0.0', '1.1.0', false],
  ['0.9.9', '1.0.0', false],
  ['1.2.3-beta.1', '1.2.2', true],
  ['1.2.3+build', '1.2.3', false],
  ['1.2', '1.1.0', false],
  ['newest', '1.0.0', false],
  ['2.0.0', 'none', false],
])('%s is newer than %s: %s', (one, other, expected) => {
  expect(isNewer(one, other)).toBe(expected);
});
