import {connect} from 'node:net';
import type {Duplex} from 'node:stream';
import {Worker} from 'node:worker_threads';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {client} from './support/client.ts';
import {serveProxy} from './support/http-proxy.ts';
import {serveRaw} from './support/listening.ts';
import {serveSocks} from './support/socks-server.ts';
import {authority, serveTls} from './support/tls-server.ts';

// Modules are loaded before the test holds the time: loading may wait for a timer itself.
await Promise.all([
  import('../../../src/ports/network/streams.ts'),
  import('../../../src/ports/network/tunnels.ts'),
  import('socks'),
  import('../../../src/ports/network/tls.ts'),
]);

const api = 'https://api.acme.example/health';

afterEach(() => void vi.useRealTimers());
const holdTime = () => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});

/** Starts a proxy that opens its tunnel when told to, and a server that never answers. */
const begin = async () => {
  const arrived = Promise.withResolvers<void>();
  const server = await serveTls({}, () => arrived.resolve());
  const asked = Promise.withResolvers<() => void>();
  const proxy = await serveProxy({
    answer: (one: Duplex) =>
      asked.resolve(() => {
        const upstream = connect(server.port, '127.0.0.1', () => {
          one.write('HTTP/1.1 200 OK\r\n\r\n');
          upstream.pipe(one).pipe(upstream);
        });
        // Windows may reset a closed connection, and a pipe forwards an end but no error.
        one.on('close', () => upstream.destroy());
      }),
  });
  const {send} = client({env: {https_proxy: `http://127.0.0.1:${proxy.port}`}, settings: authority});
  return {send, asked: asked.promise, arrived: arrived.promise, server};
};

describe('the time for an answer', () => {
  test('is counted from when the request is sent', async () => {
    const {send, asked, arrived, server} = await begin();
    holdTime();
    let failure: unknown;
    const call = send(api, {timeout: 1_000}).catch(error => {
      failure = error;
    });
    const open = await asked;
    vi.advanceTimersByTime(9_000);
    open();
    await arrived;
    vi.advanceTimersByTime(999);
    expect(failure).toBeUndefined();
    vi.advanceTimersByTime(1);
    await call;
    expect(failure).toMatchObject({
      code: 'network-timeout',
      message: 'https://api.acme.example did not answer in time.',
    });
    await server.allClosed();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is counted from the beginning for a quick look', async () => {
    const {send, asked} = await begin();
    holdTime();
    const call = send(api, {timeout: 1_000, isQuick: true});
    await asked;
    vi.advanceTimersByTime(1_000);
    await expect(call).rejects.toMatchObject({code: 'network-timeout'});
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends the call although nothing else happens in this process', async () => {
    const {send, asked} = await begin();
    const call = send(api, {timeout: 500, isQuick: true}).catch(({code}) => code);
    await asked;
    // Not a timer of this thread: the event loop would deal with the call first, however late it wakes up.
    const later = `setTimeout(() => require('node:worker_threads').parentPort.postMessage('something else'), 3_000)`;
    const other = new Worker(later, {eval: true});
    const message = new Promise(resolve => other.once('message', resolve));
    expect(await Promise.race([call, message])).toBe('network-timeout');
    await other.terminate();
  });

  test('leaves no timer when the answer has come', async () => {
    const server = await serveTls();
    const {send} = client({settings: authority});
    holdTime();
    await send(`https://api.acme.localhost:${server.port}/`, {isQuick: true});
    // undici closes the connection that it kept, and sets no more timers.
    await vi.advanceTimersByTimeAsync(6_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is for its beginning alone where a stream has one', async () => {
    const server = await serveTls({}, (_request, response) => void response.writeHead(200).write('first'));
    const {streams, context} = client({settings: authority});
    holdTime();
    const url = new URL(`https://api.acme.localhost:${server.port}/`);
    const reply = await streams.open({method: 'POST', url, headers: {}, headersTimeout: 1_000}, context.signal);
    await vi.advanceTimersByTimeAsync(60_000);
    for await (const chunk of reply.body) {
      expect(chunk.toString()).toBe('first');
      break;
    }
  });
});

describe('a call that is stopped ends at once, and leaves no connection', () => {
  const stopped = async (proxy: string, url: string, reached: Promise<unknown>, method: 'GET' | 'POST' = 'GET') => {
    const stop = new AbortController();
    const call = client({env: {https_proxy: proxy}, settings: authority, signal: stop.signal}).send(url, {method});
    const outcome = call.catch(error => error);
    await reached;
    stop.abort();
    expect(await outcome).toMatchObject({code: 'cancelled'});
  };
  /** Starts a server that never answers, and tells when a request has arrived. */
  const silent = async () => {
    const reached = Promise.withResolvers<void>();
    const server = await serveRaw(socket => {
      socket.on('data', () => reached.resolve()).on('end', () => socket.destroy());
    });
    return {...server, reached: reached.promise};
  };

  test.each(['http', 'socks5h', 'https'])('while an %s proxy is asked', async scheme => {
    const proxy = await silent();
    await stopped(`${scheme}://127.0.0.1:${proxy.port}`, api, proxy.reached);
    await proxy.allClosed();
  });

  test('while TLS begins', async () => {
    const server = await silent();
    await stopped('', `https://api.acme.localhost:${server.port}/`, server.reached);
    await server.allClosed();
  });

  test('while TLS begins in a tunnel', async () => {
    const server = await silent();
    const proxy = await serveSocks({target: server.port});
    await stopped(`socks5h://127.0.0.1:${proxy.port}`, api, server.reached);
    await server.allClosed();
    await proxy.allClosed();
  });

  test('while TLS begins in TLS', async () => {
    const server = await silent();
    const proxy = await serveProxy({target: server.port, certificate: 'issued.crt'});
    await stopped(`https://proxy.acme.localhost:${proxy.port}`, api, server.reached);
    await server.allClosed();
    await proxy.allClosed();
  });

  test.each(['GET', 'POST'] as const)('while the answer to a %s is waited for', async method => {
    const reached = Promise.withResolvers<void>();
    const server = await serveTls({}, () => reached.resolve());
    await stopped('', `https://api.acme.localhost:${server.port}/`, reached.promise, method);
    await server.allClosed();
  });

  test('before it begins', async () => {
    const server = await silent();
    const {send} = client({settings: authority, signal: AbortSignal.abort()});
    await expect(send(`https://api.acme.localhost:${server.port}/`)).rejects.toMatchObject({code: 'cancelled'});
    expect(server.count()).toBe(0);
  });
});

test('a name that is looked up here for a proxy is given up with the call', async () => {
  const stop = new AbortController();
  const {send} = client({env: {https_proxy: 'socks5://127.0.0.1:1'}, signal: stop.signal});
  const call = send('https://no-such-host.invalid/');
  stop.abort();
  await expect(call).rejects.toMatchObject({code: 'cancelled'});
});
