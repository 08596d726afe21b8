import {expect, test} from 'vitest';
import {linesOf} from '../../src/domain/lines.ts';

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two', 7, ['one two']],
  ['a-word-that-is-longer than a line', 8, ['a-word-t', 'hat-is-l', 'onger', 'than a', 'line']],
  ['', 5, ['']],
])('%j over lines of %i columns', (text, width, lines) => {
  expect(linesOf(text, width)).toEqual(lines);
});
