import {createServer} from 'node:http';
import {PassThrough} from 'node:stream';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {
  hasAddress,
  IDLE_TIME,
  localAddressOf,
  ownAddresses,
  watchIdleConnection,
} from '../../../src/ports/network/connect.ts';
import type {Handler} from '../../support/server.ts';
import {client} from './support/client.ts';
import {serveProxy} from './support/http-proxy.ts';
import {listening} from './support/listening.ts';
import {authority, serveTls} from './support/tls-server.ts';

const url = new URL('https://api.acme.example/mcp');

// The network runs in real time; the test controls only the timers.
beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
afterEach(() => void vi.useRealTimers());

describe('a silent call', () => {
  const begin = (has = (_: string) => true) => {
    const lost = vi.fn();
    const pings: {signal: AbortSignal; answer: (reached: boolean) => void; fail: (error: Error) => void}[] = [];
    const silence = watchIdleConnection({
      ...{url, lost, has},
      ping: signal => new Promise((answer, fail) => void pings.push({signal, answer, fail})),
    });
    silence.begin('192.0.2.1');
    const wait = (ms = IDLE_TIME) => vi.advanceTimersByTimeAsync(ms);
    const answer = async (reached: boolean) => {
      pings.at(-1)?.answer(reached);
      await vi.advanceTimersByTimeAsync(0);
    };
    return {silence, lost, pings, wait, answer};
  };

  test('is lost after two pings in a row without an answer', async () => {
    const {lost, pings, wait, answer} = begin();
    await wait(IDLE_TIME - 1);
    expect(pings).toHaveLength(0);
    await wait(1);
    await answer(false);
    expect(lost).not.toHaveBeenCalled();
    await wait();
    expect(pings).toHaveLength(2);
    pings.at(-1)?.fail(new Error('no way'));
    await wait(0);
    expect(lost).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        code: 'network-lost',
        message: 'https://api.acme.example can no longer be reached, so the answer can no longer arrive.',
      }),
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is waited for as long as pings are answered now and then', async () => {
    const {lost, wait, answer} = begin();
    for (const reached of [true, false, true, false, true, true, false]) {
      await wait();
      await answer(reached);
    }
    expect(lost).not.toHaveBeenCalled();
  });

  test('begins anew with every byte, which also ends a ping', async () => {
    const {silence, lost, pings, wait, answer} = begin();
    await wait();
    await answer(false);
    await wait();
    silence.heard();
    expect(pings[1]?.signal.aborted).toBe(true);
    await answer(false);
    expect(lost).not.toHaveBeenCalled();
    await wait(IDLE_TIME - 1);
    expect(pings).toHaveLength(2);
    await wait(1);
    await answer(false);
    expect(lost).not.toHaveBeenCalled();
  });

  test('is lost with the address that it was made from, without a ping', async () => {
    const {lost, pings, wait} = begin(address => address !== '192.0.2.1');
    await wait();
    expect(pings).toHaveLength(0);
    expect(lost).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        code: 'network-lost',
        message:
          'This machine has lost the address from which it called https://api.acme.example, so the answer can no longer arrive.',
      }),
    );
  });

  test('is not looked after while nobody reads', async () => {
    const {silence, pings, wait} = begin();
    silence.pause();
    await wait(IDLE_TIME * 9);
    expect(pings).toHaveLength(0);
    silence.heard();
    await wait();
    expect(pings).toHaveLength(1);
  });

  test('that is over leaves no timer and no ping, whatever comes after', async () => {
    const {silence, lost, pings, wait} = begin();
    await wait();
    silence.stop();
    expect(pings[0]?.signal.aborted).toBe(true);
    silence.heard();
    expect(vi.getTimerCount()).toBe(0);
    await wait(IDLE_TIME * 9);
    expect(pings).toHaveLength(1);
    expect(lost).not.toHaveBeenCalled();
  });
});

describe('a POST without a deadline', () => {
  const post = (target: string, given: Parameters<typeof client>[0] = {}) => {
    const {streams, context} = client(given);
    const body = Buffer.from('{}');
    return streams.open({method: 'POST', url: new URL(target), headers: {}, body}, context.signal);
  };
  const serveHttp = async (handler: Handler) => {
    const server = await listening(createServer(handler));
    return {...server, origin: `http://127.0.0.1:${server.port}`};
  };
  /** Lets time pass until something has arrived from the network, which runs in real time. */
  const pass = async (until: () => boolean) => {
    while (!until()) {
      await vi.advanceTimersByTimeAsync(500);
      // A call and its answer take a few turns of the event loop, in which no deadline may pass.
      for (let turn = 0; turn < 10; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
    }
  };

  test('ends when its server no longer answers anybody', async () => {
    const asked: (string | undefined)[] = [];
    const {origin, allClosed} = await serveHttp(request => {
      asked.push(request.method);
      if (request.method === 'HEAD') request.socket.destroy();
    });
    let failure: unknown;
    void post(origin).catch(error => {
      failure = error;
    });
    await pass(() => failure !== undefined);
    expect(failure).toMatchObject({code: 'network-lost', message: expect.stringContaining(origin)});
    expect(asked).toEqual(['POST', 'HEAD', 'HEAD']);
    await allClosed();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is watched like a GET in which an answer is awaited, and unlike any other', async () => {
    const asked: (string | undefined)[] = [];
    const {origin} = await serveHttp((request, response) => {
      asked.push(request.method);
      if (request.method === 'GET') response.writeHead(200, {'Content-Type': 'text/event-stream'}).flushHeaders();
    });
    const {streams, context} = client();
    const get = (isAwaited: boolean) =>
      streams.open({method: 'GET', url: new URL(origin), headers: {}, isAwaited}, context.signal);
    const reads = async (isAwaited: boolean) => {
      for await (const _ of (await get(isAwaited)).body) break;
    };
    let [failure, isOver]: [unknown, boolean] = [undefined, false];
    void reads(true).catch(error => {
      failure = error;
    });
    const end = () => {
      isOver = true;
    };
    void reads(false).then(end, end);
    await pass(() => failure !== undefined);
    expect(failure).toMatchObject({code: 'network-lost', message: expect.stringContaining(origin)});
    expect(asked).toEqual(['GET', 'GET', 'HEAD', 'HEAD']);
    expect(isOver).toBe(false);
  });

  test('ends when its server takes connections and says nothing', async () => {
    const asked: (string | undefined)[] = [];
    const {origin} = await serveHttp(request => void asked.push(request.method));
    let failure: unknown;
    void post(origin).catch(error => {
      failure = error;
    });
    await pass(() => failure !== undefined);
    expect(failure).toMatchObject({code: 'network-lost'});
    expect(asked).toEqual(['POST', 'HEAD', 'HEAD']);
  });

  test('is waited for as long as somebody answers, and leaves nothing behind', async () => {
    let pings = 0;
    let finish = () => {};
    const {origin} = await serveHttp((request, response) => {
      if (request.method === 'POST') finish = () => void response.end('late');
      else {
        pings += 1;
        response.writeHead(405).end();
      }
    });
    const call = post(origin);
    await pass(() => pings >= 4);
    finish();
    const {body} = await call;
    for await (const chunk of body) expect(chunk.toString()).toBe('late');
    // undici closes the connection that it kept, and sets no more timers.
    await vi.advanceTimersByTimeAsync(6_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('whose proxy no longer reaches the server is lost', async () => {
    const proxy = await serveProxy({
      handler: (request, response) => {
        if (request.method === 'HEAD') response.writeHead(503, {'X-Squid-Error': 'ERR_CONNECT_FAIL 111'}).end();
      },
    });
    let failure: unknown;
    void post('http://api.acme.example/mcp', {env: {http_proxy: `http://127.0.0.1:${proxy.port}`}}).catch(error => {
      failure = error;
    });
    await pass(() => failure !== undefined);
    expect(failure).toMatchObject({code: 'network-lost'});
  });

  test('in TLS through an https proxy comes from an address of this machine', async () => {
    let pings = 0;
    let finish = () => {};
    const server = await serveTls({}, (request, response) => {
      if (request.method === 'POST') finish = () => void response.end('late');
      else {
        pings += 1;
        response.end();
      }
    });
    const proxy = await serveProxy({target: server.port, certificate: 'issued.crt'});
    const env = {https_proxy: `https://proxy.acme.localhost:${proxy.port}`};
    const call = post('https://api.acme.example/mcp', {env, settings: authority});
    await pass(() => pings >= 2);
    finish();
    expect((await call).status).toBe(200);
  });
});

describe('addresses of this machine', () => {
  test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('%s is never lost', address =>
    expect(hasAddress(address)).toBe(true),
  );

  test('are those that it has', () => {
    for (const address of ownAddresses().split(' ').filter(Boolean)) {
      expect(hasAddress(address)).toBe(true);
      expect(hasAddress(`${address}%eth0`)).toBe(true);
      if (!address.includes(':')) expect(hasAddress(`::ffff:${address}`)).toBe(true);
    }
    expect(hasAddress('192.0.2.77')).toBe(false);
  });

  test('of a connection that says none are not known', () => {
    expect(localAddressOf(new PassThrough())).toBeUndefined();
    expect(localAddressOf(Object.assign(new PassThrough(), {localAddress: undefined}))).toBeUndefined();
  });
});
