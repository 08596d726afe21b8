import {setImmediate} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {type Urgency, useFrames} from '../../../src/screens/parts/use-frames.ts';
import {render} from '../../support/render.tsx';

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']}));
afterEach(() => void vi.useRealTimers());

const urgencyOf = (urgency: Urgency) => urgency;

/** Draws a store that counts, and records what it drew last and how often. */
const drawing = async () => {
  let count = 0;
  const listeners = new Set<(urgency: Urgency) => void>();
  const store = {
    state: () => count,
    subscribe: (listener: (urgency: Urgency) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const drawn: number[] = [];
  function Counter() {
    drawn.push(useFrames(store, urgencyOf));
    return null;
  }
  const {unmount} = render(<Counter />);
  await vi.waitFor(() => expect(listeners.size).toBe(1));
  const change = async (urgency: Urgency) => {
    count += 1;
    for (const listener of listeners) listener(urgency);
    await setImmediate();
    await setImmediate();
  };
  drawn.length = 0;
  return {change, drawn, unmount};
};

test('what goes on is drawn ten times a second at most, the first and the last of it included', async () => {
  const {change, drawn} = await drawing();
  for (let index = 0; index < 50; index += 1) await change('frame');
  expect(drawn).toEqual([1]);
  vi.advanceTimersByTime(100);
  await setImmediate();
  expect(drawn).toEqual([1, 50]);
  vi.advanceTimersByTime(1_000);
  await change('frame');
  expect(drawn).toEqual([1, 50, 51]);
});

test('what is urgent waits for no frame, and takes along what does', async () => {
  const {change, drawn} = await drawing();
  await change('frame');
  await change('frame');
  await change('soon');
  await change('frame');
  await change('now');
  expect(drawn).toEqual([1, 3, 5]);
  vi.advanceTimersByTime(1_000);
  await setImmediate();
  expect(drawn).toEqual([1, 3, 5]);
});

test('nothing is drawn once it is gone', async () => {
  const {change, drawn, unmount} = await drawing();
  await change('frame');
  await change('frame');
  unmount();
  vi.advanceTimersByTime(1_000);
  await change('now');
  expect(drawn).toEqual([1]);
});
