import type {LookupAddress} from 'node:dns';
import {networkInterfaces} from 'node:os';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {askOnce, dial, hasAddress, lookUp, ownAddresses, resolveName} from '../../../src/ports/network/connect.ts';
import {noSignal} from '../../support/flows.ts';
import {serveRaw} from './support/listening.ts';

const timeouts = {name: 1_000, connect: 2_000, tunnel: 9_000, tls: 9_000};

const never = () => new Promise<never>(() => {});

describe('a connection is given up', () => {
  beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('when its name takes too long', async () => {
    const call = dial({host: 'api.acme.example', port: 1}, timeouts, noSignal, never);
    vi.advanceTimersByTime(1_000);
    await expect(call).rejects.toMatchObject({name: 'ConnectionTimeout', part: 'name'});
  });

  test('when it takes too long itself, counted from when the name is known', async () => {
    const {port} = await serveRaw(() => {});
    const {promise: found, resolve: find} = Promise.withResolvers<LookupAddress[]>();
    const call = dial({host: 'api.acme.example', port}, timeouts, noSignal, () => found);
    call.catch(() => {});
    vi.advanceTimersByTime(999);
    find([{address: '127.0.0.1', family: 4}]);
    await vi.advanceTimersByTimeAsync(0);
    vi.advanceTimersByTime(2_000);
    await expect(call).rejects.toMatchObject({name: 'ConnectionTimeout', part: 'connect'});
  });

  test('when it takes too long to an address', async () => {
    const {port} = await serveRaw(() => {});
    const call = dial({host: '127.0.0.1', port}, timeouts, noSignal);
    vi.advanceTimersByTime(2_000);
    await expect(call).rejects.toMatchObject({name: 'ConnectionTimeout', part: 'connect'});
  });

  test.each([
    ['while its name is looked up', 'api.acme.example', never],
    ['while it is made', '127.0.0.1', undefined],
  ])('when somebody stops it %s', async (_name, host, lookUp) => {
    const {port} = await serveRaw(() => {});
    const stop = new AbortController();
    const call = dial({host, port}, timeouts, stop.signal, lookUp);
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test('before it is begun', async () => {
    await expect(dial({host: '127.0.0.1', port: 1}, timeouts, AbortSignal.abort('no'), never)).rejects.toBe('no');
  });
});

test('a connection that breaks off while nobody listens ends no program', async () => {
  const {port} = await serveRaw(socket => {
    // By then the connection is certainly established on both sides.
    socket.once('data', () => socket.resetAndDestroy());
  });
  const socket = await dial({host: '127.0.0.1', port}, timeouts, noSignal);
  socket.write('x');
  await new Promise(resolve => socket.once('close', resolve));
  expect(socket.errored).toMatchObject({code: 'ECONNRESET'});
});

test('a name below localhost is loopback without a query', async () => {
  expect(await lookUp('api.acme.localhost')).toEqual([
    {address: '127.0.0.1', family: 4},
    {address: '::1', family: 6},
  ]);
});

test('another name is the system’s to know', async () => {
  expect(await lookUp('192.0.2.1')).toEqual([{address: '192.0.2.1', family: 4}]);
});

test('one address is found for a proxy that takes no names', async () => {
  expect(await resolveName('192.0.2.1', 4)).toBe('192.0.2.1');
  await expect(resolveName('no-such-host.invalid', 0)).rejects.toMatchObject({code: expect.stringMatching(/^E/)});
});

test('a question is joined for two seconds, and one that hangs is in nobody’s way after that', async () => {
  let time = 0;
  const questions: PromiseWithResolvers<{address: string; family: number}[]>[] = [];
  const ask = askOnce(
    () => {
      const question = Promise.withResolvers<{address: string; family: number}[]>();
      questions.push(question);
      return question.promise;
    },
    () => time,
  );
  const first = ask('api.acme.example');
  time = 2_000;
  expect(ask('api.acme.example')).toBe(first);
  expect(ask('other.acme.example')).not.toBe(first);
  time = 2_001;
  const second = ask('api.acme.example');
  expect(second).not.toBe(first);
  questions[0]?.resolve([]);
  await first;
  expect(ask('api.acme.example')).toBe(second);
  questions[2]?.resolve([{address: '192.0.2.1', family: 4}]);
  expect(await second).toEqual([{address: '192.0.2.1', family: 4}]);
  expect(ask('api.acme.example')).not.toBe(second);
});

const withheld = () => {
  throw new Error('uv_interface_addresses returned Unknown system error 13');
};
const one = (address: string): typeof networkInterfaces => {
  const [known] = Object.values(networkInterfaces()).flatMap(list => list ?? []);
  return () => ({eth0: known ? [{...known, address, internal: false}] : []});
};

test('where the list cannot be had, no address is lost', () => {
  expect(hasAddress('192.0.2.77', withheld)).toBe(true);
  expect(hasAddress('192.0.2.77', one('192.0.2.1'))).toBe(false);
  expect(hasAddress('192.0.2.1', one('192.0.2.1'))).toBe(true);
});

test('where the list cannot be had, nothing has changed', () => {
  expect(ownAddresses(one('192.0.2.1'))).toBe('192.0.2.1');
  expect(ownAddresses(withheld)).toBe('192.0.2.1');
  expect(ownAddresses(withheld)).toBe('192.0.2.1');
  expect(ownAddresses(one('192.0.2.2'))).toBe('192.0.2.2');
});
