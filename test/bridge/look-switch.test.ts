import {expect, test} from 'vitest';
import {createLookSwitch} from '../../src/bridge/look-switch.ts';

const setUp = () => {
  const file = {version: 0, isOn: false as boolean | undefined};
  let reads = 0;
  const sleeps: (() => void)[] = [];
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      sleeps.push(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const lookSwitch = createLookSwitch({
    version: () => String(file.version),
    read: () => {
      reads += 1;
      return file.isOn;
    },
    clock: {now: () => 0, monotonic: () => 0, sleep} as never,
  });
  const change = (isOn: boolean | undefined) => {
    file.version += 1;
    file.isOn = isOn;
  };
  return {lookSwitch, change, reads: () => reads, sleeps};
};

test('the switch is read only if the file has changed', () => {
  const {lookSwitch, change, reads} = setUp();
  expect([lookSwitch.isOn(), lookSwitch.isOn(), reads()]).toEqual([false, false, 1]);
  change(true);
  expect([lookSwitch.isOn(), lookSwitch.isOn(), reads()]).toEqual([true, true, 2]);
});

test('a switch that cannot be read stays where it was', () => {
  const {lookSwitch, change} = setUp();
  change(true);
  expect(lookSwitch.isOn()).toBe(true);
  change(undefined);
  expect(lookSwitch.isOn()).toBe(true);
  change(false);
  expect(lookSwitch.isOn()).toBe(false);
});

test('the listener hears of each change once, and of nothing else', async () => {
  const {lookSwitch, change, sleeps} = setUp();
  const over = new AbortController();
  const heard: boolean[] = [];
  const watching = lookSwitch.watch(() => heard.push(lookSwitch.isOn()), over.signal);
  const next = async () => {
    await expect.poll(() => sleeps.length).toBe(1);
    sleeps.shift()?.();
  };
  await next();
  change(true);
  await next();
  // The file has changed, but not the switch.
  change(true);
  await next();
  change(false);
  // A message has looked meanwhile.
  lookSwitch.isOn();
  await next();
  await expect.poll(() => sleeps.length).toBe(1);
  expect(heard).toEqual([true, false]);
  over.abort();
  await watching;
});
