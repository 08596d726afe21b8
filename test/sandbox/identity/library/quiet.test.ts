// biome-ignore-all lint/suspicious/noConsole: The console is what these tests are about.
import {afterEach, expect, test, vi} from 'vitest';
import {quiet} from '../../../../src/sandbox/identity/oidc-provider.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const notice = 'oidc-provider WARNING: something is not set';

test("the library's notices are swallowed, and nothing else", async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const info = vi.spyOn(console, 'info').mockReturnValue();
  await quiet(() => {
    console.warn(notice);
    console.warn(`\u001b[31;1m${notice}\u001b[0m`);
    console.info('oidc-provider NOTICE: something is new');
    console.warn('mine');
  });
  expect(warn.mock.calls).toEqual([['mine']]);
  expect(info).not.toHaveBeenCalled();
});

test('the console is itself again afterwards, also when it overlaps and fails', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const first = Promise.withResolvers<void>();
  const running = quiet(() => first.promise);
  await expect(quiet(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  console.warn(notice);
  expect(warn).not.toHaveBeenCalled();

  first.resolve();
  await running;
  console.warn(notice);
  expect(warn.mock.calls).toEqual([[notice]]);
});
