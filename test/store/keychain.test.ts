import {describe, expect, test, vi} from 'vitest';
import {inTime, openKeychain} from '../../src/store/keychain.ts';

describe('a keychain that hangs', () => {
  const hangs = () => new Promise<never>(() => {});
  const kept = inTime({get: hangs, set: hangs, remove: hangs}, 5);

  test.each([
    ['get', () => kept.get('ann')],
    ['set', () => kept.set('ann', 'secret')],
    ['remove', () => kept.remove('ann')],
  ])('is not waited for: %s', async (_name, call) => {
    await expect(call()).rejects.toThrow('did not answer within 5 ms');
  });
});

test('one that answers is heard, and leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    const kept = inTime({get: async name => `of ${name}`, set: async () => {}, remove: async () => {}});
    expect(await kept.get('ann')).toBe('of ann');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('none is opened where SETUP_HOME says that nothing outside it is touched', async () => {
  expect(await openKeychain({SETUP_HOME: '/somewhere'})).toBeUndefined();
});
