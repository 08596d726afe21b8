import {PassThrough} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {createOutput} from '../../src/bridge/output.ts';

/** A stream that holds as much as the test says, and what was written to it, write by write. */
const holding = (highWaterMark = 1024 * 1024) => {
  const stream = new PassThrough({highWaterMark});
  return {stream, output: createOutput(stream), read: () => String(stream.read() ?? '')};
};

describe('a message', () => {
  test('is one line', () => {
    const {output, read} = holding();
    output.write(Buffer.from('{"a":1}'));
    output.write(Buffer.from('{"b":2}'));
    expect(read()).toBe('{"a":1}\n{"b":2}\n');
  });

  test.each(['{\n"a": 1}', '{\r"a": 1}'])('has spaces for line ends: %j', text => {
    const {output, read} = holding();
    const message = Buffer.from(text);
    output.write(message);
    expect(read()).toBe('{ "a": 1}\n');
    // Whoever gave it keeps it as it was.
    expect(message.toString()).toBe(text);
  });

  test.each([16 * 1024 - 1, 16 * 1024, 64 * 1024])('is whole with %i bytes', length => {
    const {output, read} = holding();
    const text = 'x'.repeat(length);
    output.write(Buffer.from(text));
    expect(read()).toBe(`${text}\n`);
  });

  test('that is small is one write with its end, and one that is large is not copied', () => {
    const {stream, output} = holding();
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    output.write(Buffer.from('small'));
    const large = Buffer.alloc(16 * 1024, 'x');
    output.write(large);
    return expect
      .poll(() => chunks.map(({length}) => length))
      .toEqual([6, large.length, 1])
      .then(() => expect(chunks[1]).toBe(large));
  });
});

describe('a stream that takes its time', () => {
  test('is waited for, by all who wrote to it, and then no more', async () => {
    const {stream, output, read} = holding(8);
    expect(output.write(Buffer.from('1'))).toBeUndefined();
    const first = output.write(Buffer.from('long enough to fill it'));
    const second = output.write(Buffer.from('more'));
    expect(first).toBeInstanceOf(Promise);
    expect(second).toBe(first);
    let drained = false;
    void first?.then(() => {
      drained = true;
    });
    await Promise.resolve();
    expect(drained).toBe(false);
    while (read() !== '');
    await first;
    expect(stream.listenerCount('close')).toBe(0);
    const next = output.write(Buffer.from('long enough to fill it'));
    expect(next).toBeInstanceOf(Promise);
    expect(next).not.toBe(first);
  });

  test('is not waited for any more once it is closed', async () => {
    const {stream, output} = holding(8);
    const full = output.write(Buffer.from('long enough to fill it'));
    stream.destroy();
    await full;
    expect(stream.listenerCount('drain')).toBe(0);
  });
});
