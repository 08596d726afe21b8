import {expect, test} from 'vitest';
import {toAscii} from '../../../src/command-line/output/output.ts';

test('typographic signs become plain ones of the same width', () => {
  const text = 'The observer’s “plane”… 2 × 3';
  const ascii = toAscii(text);
  expect(ascii).toBe('The observer\'s "plane"~ 2 x 3');
  expect(ascii).toHaveLength(text.length);
});
