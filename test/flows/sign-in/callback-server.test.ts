import {describe, expect, test, vi} from 'vitest';
import {SetupError} from '../../../src/errors/errors.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {type CallbackAnswers, listenForBrowser} from '../../../src/flows/sign-in/callback-server.ts';
import {temporaryPorts} from '../../support/place.ts';

const redirectUri = 'http://127.0.0.1:55152/auth-callback';
const taken = (about: object) => new SetupError('local-port-taken', 'Port 55152 is taken.', {about});
const held = taken({isFreeSoon: true});

/** Listens with tries that end in these ways; the last one is repeated. Time passes only during sleep. */
const listening = async (...ends: readonly (SetupError | 'listens' | 'stopped' | 'overtaken')[]) => {
  const ports = await temporaryPorts();
  const controller = new AbortController();
  const listener = {close: vi.fn()};
  const events: FlowEvent[] = [];
  let tries = 0;
  let time = 0;
  const clock = {
    ...ports.clock,
    now: () => time,
    monotonic: () => time,
    sleep: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      time += ms;
    },
  };
  const wishes = {made: 0, open: 0};
  const callback = {
    ask: async () => {
      wishes.made += 1;
      wishes.open = 1;
      return {
        takeBack: async () => {
          wishes.open = 0;
        },
      };
    },
    isAsked: async () => wishes.open > 0,
    listen: async () => {
      const end = ends[Math.min(tries, ends.length - 1)];
      tries += 1;
      if (end === 'overtaken') wishes.open = 0;
      if (end === 'stopped') controller.abort(new Error('stopped'));
      if (end === 'overtaken') throw taken({isOwnPort: true});
      if (end !== 'listens') throw end === 'stopped' ? held : end;
      return listener;
    },
  };
  const run = {
    ports: {...ports, clock, callback},
    signal: controller.signal,
    tell: (one: FlowEvent) => void events.push(one),
  };
  const ended = listenForBrowser({redirectUri, device: true}, {} as CallbackAnswers, run);
  return {ended, events, listener, wishes, tries: () => tries, time: () => time};
};

test('a free port is listened at, and nothing is said', async () => {
  const {ended, events, listener} = await listening('listens');
  expect(await ended).toBe(listener);
  expect(events).toEqual([]);
});

test('one that a closed connection holds is tried each second until it is free, which is said once', async () => {
  const {ended, events, listener, time} = await listening(held, held, held, 'listens');
  expect(await ended).toBe(listener);
  expect(events).toEqual([{type: 'port-awaited', port: 55152, until: 60_000}]);
  expect(time()).toBe(3_000);
});

test('after a minute it is given up, with whether a code would do', async () => {
  const {ended, time} = await listening(held);
  await expect(ended).rejects.toMatchObject({
    code: 'local-port-taken',
    about: {isFreeSoon: true, isDeviceOffered: true},
  });
  expect(time()).toBe(60_000);
});

test('one that another program has is given up at once', async () => {
  const {ended, events, tries} = await listening(taken({}));
  await expect(ended).rejects.toMatchObject({code: 'local-port-taken', about: {isDeviceOffered: true}});
  expect([events, tries()]).toEqual([[], 1]);
});

describe('one that another run of this program has', () => {
  const own = taken({isOwnPort: true});

  test('is asked for, and listened at once that has let go of it', async () => {
    const {ended, events, listener, wishes, time} = await listening(own, own, held, 'listens');
    expect(await ended).toBe(listener);
    expect([events, wishes, time()]).toEqual([[], {made: 1, open: 0}, 300]);
  });

  test('is asked for again where a third run was faster, whose own wish went with that', async () => {
    const {ended, listener, wishes} = await listening(own, 'overtaken', own, 'listens');
    expect(await ended).toBe(listener);
    expect(wishes).toEqual({made: 2, open: 0});
  });

  test('is given up where nobody lets go of it, and asked for no more', async () => {
    const {ended, wishes, time} = await listening(own);
    await expect(ended).rejects.toMatchObject({code: 'local-port-taken', about: {isDeviceOffered: true}});
    expect([wishes, time()]).toEqual([{made: 1, open: 0}, 2_000]);
  });

  test('is not listened at where another program was faster', async () => {
    const {ended, wishes} = await listening(own, taken({}));
    await expect(ended).rejects.toMatchObject({code: 'local-port-taken'});
    expect(wishes.open).toBe(0);
  });
});

test('who stops meanwhile is not kept waiting', async () => {
  const {ended, tries} = await listening(held, 'stopped', 'listens');
  await expect(ended).rejects.toThrow('stopped');
  expect(tries()).toBe(2);
});
