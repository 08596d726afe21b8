import {expect, test} from 'vitest';
import {createGathering, release} from '../../src/mcp/gather.ts';

test('pieces are put together, whatever their sizes', () => {
  const gathering = createGathering();
  const pieces = [3, 70_000, 1, 2_000_000, 300_000].map((size, at) => Buffer.alloc(size, at + 1));
  for (const piece of pieces) gathering.add(piece);
  const whole = Buffer.concat(pieces);
  expect(gathering.size).toBe(whole.length);
  expect(gathering.take().equals(whole)).toBe(true);
  expect([gathering.size, gathering.isEmpty]).toEqual([0, true]);
});

test('a piece that is a large buffer of its own is freed, and a part of another one is not', () => {
  const own = Buffer.allocUnsafeSlow(20_000);
  const part = Buffer.allocUnsafeSlow(20_000).subarray(1);
  const kept = createGathering();
  for (const piece of [own, part]) {
    kept.add(piece);
    release(piece);
  }
  expect([own.buffer.byteLength, part.buffer.byteLength]).toEqual([0, 20_000]);
  expect(kept.size).toBe(39_999);
});
