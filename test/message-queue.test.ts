import {describe, expect, test} from 'vitest';
import {createMessageQueue} from '../src/message-queue.ts';

describe('messages', () => {
  test('come in their order, to whoever asks first', async () => {
    const queue = createMessageQueue<string>();
    queue.push('one');
    const asked = [queue.next(), queue.next(), queue.next()];
    queue.push('two');
    queue.push('three');
    expect(await Promise.all(asked)).toEqual(['one', 'two', 'three']);
  });

  test('are given out before the end, whose reason all hear who ask then', async () => {
    const queue = createMessageQueue<string>();
    queue.push('one');
    queue.end('over');
    queue.end('and again');
    expect(await queue.next()).toBe('one');
    await expect(queue.next()).rejects.toBe('over');
    const other = createMessageQueue<string>();
    const asked = [other.next(), other.next()].map(one => expect(one).rejects.toBe('over'));
    await Promise.resolve();
    other.end('over');
    await Promise.all(asked);
  });

  test('that nobody asked for can be forgotten', async () => {
    const queue = createMessageQueue<string>();
    queue.push('old');
    queue.clear();
    queue.push('new');
    expect(await queue.next()).toBe('new');
  });
});

describe('who stops asking', () => {
  test('gets no message, and leaves it to who asks after', async () => {
    const queue = createMessageQueue<string>();
    const stop = new AbortController();
    const given = queue.next(stop.signal);
    const other = queue.next();
    stop.abort('enough');
    await expect(given).rejects.toBe('enough');
    queue.push('one');
    expect(await other).toBe('one');
    await expect(queue.next(stop.signal)).rejects.toBe('enough');
  });

  test('after an answer takes it from nobody else', async () => {
    const queue = createMessageQueue<string>();
    const stop = new AbortController();
    const given = queue.next(stop.signal);
    queue.push('one');
    expect(await given).toBe('one');
    const other = queue.next();
    stop.abort();
    queue.push('two');
    expect(await other).toBe('two');
  });
});
