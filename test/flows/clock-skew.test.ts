import {expect, test} from 'vitest';
import {clockSkew} from '../../src/flows/clock-skew.ts';

test.each([
  [0, 'right'],
  [9_999, 'right'],
  [-10_000, 'off'],
  [59_999, 'off'],
  [60_000, 'wrong'],
  [-7_200_000, 'wrong'],
])('a clock that is %i ms ahead is %s', (ahead, judgement) => {
  expect(clockSkew(1_000_000_000 + ahead, 1_000_000_000).judgement).toBe(judgement);
});

test('it is said which way it is wrong', () => {
  expect(clockSkew(7_200_000, 0)).toMatchObject({
    saw: '2 h ahead of the server’s',
    sentence: 'This computer’s clock is 2 h fast, so valid tokens look expired.',
  });
  expect(clockSkew(0, 7_200_000).saw).toBe('2 h behind the server’s');
});
