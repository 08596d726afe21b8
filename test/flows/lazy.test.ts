import {describe, expect, test, vi} from 'vitest';
import {lazyFunction} from '../../src/flows/lazy.ts';

describe('a function that is loaded when it is first called', () => {
  test('is not loaded before, and gives what the function gives, at once or later', async () => {
    const load = vi.fn(async () => (one: number, other: number) => one + other);
    const add = lazyFunction(load);
    expect(load).not.toHaveBeenCalled();
    expect(await add(2, 3)).toBe(5);
    expect(await lazyFunction(async () => async (text: string) => text.length)('four')).toBe(4);
  });

  test('fails as the function fails', async () => {
    const failing = lazyFunction(async () => (): number => {
      throw new Error('at once');
    });
    await expect(failing()).rejects.toThrow('at once');
  });
});
