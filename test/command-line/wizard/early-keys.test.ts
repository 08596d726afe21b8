import {PassThrough} from 'node:stream';
import {expect, test, vi} from 'vitest';
import {holdKeys, releaseKeys} from '../../../src/command-line/wizard/early-keys.ts';

const settled = () => new Promise<void>(resolve => setImmediate(resolve));

test('keys that come before the first screen are there for it, in their order', async () => {
  const [stdin, interrupt] = [new PassThrough(), vi.fn()];
  holdKeys(stdin, interrupt);
  stdin.write('a');
  stdin.write('\u001B[B');
  await settled();
  releaseKeys();
  stdin.write('b');
  const read = new Promise<string>(resolve => stdin.once('readable', () => resolve(String(stdin.read()))));
  expect(await read).toBe('a\u001B[Bb');
  expect(interrupt).not.toHaveBeenCalled();
});

test('Ctrl-C interrupts at once, with no screen to read it', async () => {
  const [stdin, interrupt] = [new PassThrough(), vi.fn()];
  holdKeys(stdin, interrupt);
  stdin.write('a\u0003');
  await settled();
  expect(interrupt).toHaveBeenCalledOnce();
  releaseKeys();
});

test('without keys nothing is handed on, and a second time does nothing', async () => {
  const stdin = new PassThrough();
  holdKeys(stdin, () => {});
  releaseKeys();
  releaseKeys();
  await settled();
  expect(stdin.readableLength).toBe(0);
});
