import {expect, test} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import {resumeDelay} from '../../src/mcp/resume-delay.ts';

const busy = (retryAfter: number) => new SetupError('platform-busy', 'Busy.', {about: {retryAfter}});

test.each<[number, number | undefined, unknown, number]>([
  [0, undefined, undefined, 1_000],
  [1, undefined, undefined, 1_500],
  [20, undefined, undefined, 30_000],
  [0, 3_000, undefined, 3_000],
  [1, 3_000, undefined, 4_500],
  [0, 0, undefined, 250],
  [2, 1, undefined, 562.5],
  [0, 1, busy(7_000), 7_000],
  [0, 9_000, busy(7_000), 9_000],
  [0, 1, busy(3_600_000), 30_000],
  [0, 1, new Error('No.'), 250],
])('after %d tries, with the wish %j and what it broke with (%s), it waits for %d ms', (tries, wish, broke, wait) => {
  expect(resumeDelay(tries, wish, broke)).toBe(wait);
});
