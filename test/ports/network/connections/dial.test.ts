import type {LookupFunction} from 'node:net';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {dial} from '../../../../src/ports/network/connections/dial.ts';
import {noSignal} from '../../../support/flows.ts';
import {serveRaw} from '../support/listening.ts';

const patience = {name: 1_000, connect: 2_000, tunnel: 9_000, tls: 9_000};

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const never: LookupFunction = () => {};

describe('a connection is given up', () => {
  test('when its name takes too long', async () => {
    const call = dial({host: 'api.acme.example', port: 1}, patience, noSignal, never);
    vi.advanceTimersByTime(1_000);
    await expect(call).rejects.toMatchObject({name: 'ConnectionTimeout', part: 'name'});
  });

  test('when it takes too long itself, counted from when the name is known', async () => {
    let found = () => {};
    const {port} = await serveRaw(() => {});
    const late: LookupFunction = (_host, _options, done) => {
      found = () => done(null, [{address: '127.0.0.1', family: 4}]);
    };
    const call = dial({host: 'api.acme.example', port}, patience, noSignal, late);
    // The name is asked for when the caller has gone on.
    await new Promise<void>(resolve => process.nextTick(resolve));
    vi.advanceTimersByTime(999);
    found();
    vi.advanceTimersByTime(2_000);
    await expect(call).rejects.toMatchObject({name: 'ConnectionTimeout', part: 'connect'});
  });

  test('when it takes too long to an address', async () => {
    const {port} = await serveRaw(() => {});
    const call = dial({host: '127.0.0.1', port}, patience, noSignal);
    vi.advanceTimersByTime(2_000);
    await expect(call).rejects.toMatchObject({name: 'ConnectionTimeout', part: 'connect'});
  });

  test.each([
    ['while its name is looked up', 'api.acme.example', never],
    ['while it is made', '127.0.0.1', undefined],
  ])('when somebody stops it %s', async (_name, host, lookUp) => {
    const {port} = await serveRaw(() => {});
    const stop = new AbortController();
    const call = dial({host, port}, patience, stop.signal, lookUp);
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test('before it is begun', async () => {
    await expect(dial({host: '127.0.0.1', port: 1}, patience, AbortSignal.abort('no'), never)).rejects.toBe('no');
  });
});

test('a connection that breaks off while nobody listens ends no program', async () => {
  const {port} = await serveRaw(socket => {
    // When the other side has it for certain.
    socket.once('data', () => socket.resetAndDestroy());
  });
  const socket = await dial({host: '127.0.0.1', port}, patience, noSignal);
  socket.write('x');
  await new Promise(resolve => socket.once('close', resolve));
  expect(socket.errored).toMatchObject({code: 'ECONNRESET'});
});
