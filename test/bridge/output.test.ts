import {PassThrough, Writable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {createOutput} from '../../src/bridge/client-output.ts';

/** Creates a stream that takes its input when the test says, and records the size in bytes of each write. */
const slowStream = () => {
  const writes: Buffer[] = [];
  const held: (() => void)[] = [];
  const take = (chunks: readonly Buffer[], done: () => void) => {
    writes.push(Buffer.concat(chunks));
    held.push(done);
  };
  const stream = new Writable({
    highWaterMark: 16,
    write: (chunk: Buffer, _encoding, done) => take([chunk], done),
    writev: (chunks, done) =>
      take(
        chunks.map(({chunk}) => chunk as Buffer),
        done,
      ),
  });
  return {stream, writes, release: () => held.shift()?.()};
};

const written = (message: string): string => {
  const stream = new PassThrough();
  createOutput(stream).write(Buffer.from(message));
  return String(stream.read());
};

describe('a message', () => {
  test.each([
    ['{"a":1}', '{"a":1}\n'],
    ['{"a":\n1}', '{"a": 1}\n'],
    ['{"a":\r1}', '{"a": 1}\n'],
    ['{"a":1}\n', '{"a":1}\n'],
    [' \t{"a":1}\r\n\n ', '{"a":1}\n'],
    ['{\r\n"a": "\\n"\r\n}', '{  "a": "\\n"  }\n'],
  ])('%j is one line', (message, line) => {
    expect(written(message)).toBe(line);
  });

  test('is not changed itself', () => {
    const message = Buffer.from('{\n}');
    createOutput(new PassThrough()).write(message);
    expect(message.toString()).toBe('{\n}');
  });

  test.each([10, 16 * 1024 - 1, 16 * 1024, 1024 * 1024])('of %i bytes reaches the stream as one write', size => {
    const {stream, writes} = slowStream();
    createOutput(stream).write(Buffer.alloc(size, 'x'));
    expect(writes.map(one => one.length)).toEqual([size + 1]);
    expect(writes[0]?.at(-1)).toBe(0x0a);
  });

  test.each([
    ['large', 16 * 1024, [true, false]],
    ['small', 16 * 1024 - 1, [false]],
  ])('that is %s is copied only where that costs less than a second write', (_, size, expected) => {
    const chunks: Buffer[] = [];
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        chunks.push(chunk);
        done();
      },
      writev: (given, done) => {
        chunks.push(...given.map(({chunk}) => chunk as Buffer));
        done();
      },
    });
    const message = Buffer.alloc(size, 'x');
    createOutput(stream).write(message);
    expect(chunks.map(({buffer}) => buffer === message.buffer)).toEqual(expected);
  });
});

describe('a stream that takes its time', () => {
  const text = Buffer.from('x'.repeat(16));

  test('is waited for once it is full, by all who write, and then no more', async () => {
    const {stream, writes, release} = slowStream();
    const output = createOutput(stream);
    expect(output.write(Buffer.from('x'))).toBeUndefined();
    const waits = [output.write(text), output.write(text)];
    expect(waits[0]).toBeInstanceOf(Promise);
    expect(waits[1]).toBe(waits[0]);
    expect(stream.listenerCount('drain')).toBe(1);
    release();
    await expect.poll(() => writes.length).toBe(2);
    release();
    await waits[0];
    expect([stream.listenerCount('drain'), stream.listenerCount('close')]).toEqual([0, 0]);
    expect(output.write(Buffer.from('x'))).toBeUndefined();
  });

  test('is waited for again when it is full again', async () => {
    const {stream, release} = slowStream();
    const output = createOutput(stream);
    const first = output.write(text);
    release();
    await first;
    const second = output.write(text);
    expect(second).toBeInstanceOf(Promise);
    expect(second).not.toBe(first);
    release();
    await second;
  });

  test('is not waited for once it is closed', async () => {
    const {stream} = slowStream();
    const wait = createOutput(stream).write(text);
    stream.destroy();
    await wait;
    expect(stream.listenerCount('drain')).toBe(0);
  });
});
