import {expect, test} from 'vitest';
import {ago, duration} from '../src/duration.ts';

test.each([
  [0, '0 ms'],
  [14.4, '14 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [3_480_000, '58 min'],
  [3_599_000, '1 h'],
  [3_900_000, '1 h 5 min'],
])('%d ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  [490, 'just now'],
  [59_900, 'just now'],
  [60_000, '1 min ago'],
  [3_900_000, '1 h 5 min ago'],
])('%d ms ago is %s', (ms, text) => {
  expect(ago(ms)).toBe(text);
});
