import {describe, expect, test, vi} from 'vitest';
import {type Call, openCall} from '../../../src/ports/network/answer-body.ts';
import {noSignal} from '../../support/flows.ts';

const request = {method: 'GET', url: new URL('https://api.acme.example/'), headers: {}} as const;

const begin = () => {
  const carrier = {pause: vi.fn(), resume: vi.fn(), abort: vi.fn()};
  let call: Call | undefined;
  const reply = openCall(request, noSignal, given => {
    call = given;
    return carrier;
  });
  if (!call) throw new Error('It was not begun.');
  return {carrier, call, reply};
};

describe('an answer', () => {
  test('is no longer taken from the network when a quarter of a MiB waits, and again when all of that is read', async () => {
    const {carrier, call, reply} = begin();
    call.answer(200, {});
    const reading = (await reply).body[Symbol.asyncIterator]();
    call.data(Buffer.alloc(256 * 1024));
    expect(carrier.pause).not.toHaveBeenCalled();
    call.data(Buffer.alloc(1));
    expect(carrier.pause).toHaveBeenCalledOnce();
    await reading.next();
    expect(carrier.resume).not.toHaveBeenCalled();
    await reading.next();
    expect(carrier.resume).toHaveBeenCalledOnce();
  });

  test('has its headers by their names, with several of one joined', async () => {
    const {call, reply} = begin();
    call.answer(200, {one: 'a', many: ['b', 'c'], none: undefined});
    const {header, headerNames} = await reply;
    expect([header('one'), header('many'), header('none'), header('other')]).toEqual([
      'a',
      'b, c',
      undefined,
      undefined,
    ]);
    expect(headerNames()).toEqual(['one', 'many', 'none']);
  });

  test('fails once, and what came before is read first', async () => {
    const {call, reply} = begin();
    call.answer(200, {});
    call.data(Buffer.from('first'));
    call.fail(Object.assign(new Error('reset'), {code: 'ECONNRESET'}));
    call.fail(Object.assign(new Error('refused'), {code: 'ECONNREFUSED'}));
    const reading = (await reply).body[Symbol.asyncIterator]();
    expect(String((await reading.next()).value)).toBe('first');
    await expect(reading.next()).rejects.toMatchObject({code: 'network-reset'});
  });

  test('that has come needs no end', async () => {
    const {carrier, call, reply} = begin();
    call.answer(200, {});
    call.end();
    (await reply).endWithin(0);
    for await (const _ of (await reply).body);
    expect(carrier.abort).not.toHaveBeenCalled();
  });
});

test('a call that cannot be begun is a failure like another', async () => {
  const failing = openCall(request, noSignal, () => {
    throw new TypeError('bad');
  });
  await expect(failing).rejects.toMatchObject({code: 'bug', message: 'bad'});
});
