import {expect, test} from 'vitest';
import {onAbort} from '../src/on-abort.ts';

test.each([
  ['before anybody listens', true],
  ['later', false],
])('a signal that aborts %s is told once', (_when, isBefore) => {
  const controller = new AbortController();
  if (isBefore) controller.abort();
  let told = 0;
  onAbort(controller.signal, () => {
    told += 1;
  });
  controller.abort();
  expect(told).toBe(1);
});

test('who has stopped listening is not told', () => {
  const controller = new AbortController();
  let told = 0;
  onAbort(controller.signal, () => {
    told += 1;
  })();
  controller.abort();
  expect(told).toBe(0);
});
