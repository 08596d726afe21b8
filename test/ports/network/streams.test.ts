import {readFileSync} from 'node:fs';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import {join} from 'node:path';
import type {TLSSocket} from 'node:tls';
import {gzipSync} from 'node:zlib';
import type {Dispatcher} from 'undici';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {cancelled} from '../../../src/errors/errors.ts';
import {createConnector, defaultTimeouts, localAddressOf} from '../../../src/ports/network/connect.ts';
import {createSystemStore} from '../../../src/ports/network/route.ts';
import {createUndiciStreams} from '../../../src/ports/network/streams.ts';
import type {Env} from '../../../src/ports/ports.ts';
import {isRefused} from '../../e2e/support/ports.ts';
import {noSignal} from '../../support/flows.ts';
import {routeBy, streamsBy} from '../../support/route.ts';
import {closedOrigin, type Handler, serve, text} from '../../support/server.ts';
import {client} from './support/client.ts';
import {serveProxy} from './support/http-proxy.ts';
import {listening, serveRaw} from './support/listening.ts';
import {serveSocks} from './support/socks-server.ts';
import {authority, serveTls} from './support/tls-server.ts';

const ok: Handler = (_request, response) => void response.end('OK');
const serveHttp = (handler = ok) => listening(createServer(handler));
const at = ({port}: {port: number}) => `http://127.0.0.1:${port}/`;

/** Makes calls with a clock and addresses that the test sets. */
const begin = () => {
  const machine = {time: 1_000_000, addresses: '192.0.2.1'};
  const system = createSystemStore(async () => []);
  const route = routeBy(authority, {}, system);
  const open = createUndiciStreams(route, {}, {now: () => machine.time, addresses: () => machine.addresses});
  const get = async (url: string) => {
    const {body} = await open({method: 'GET', url: new URL(url), headers: {}}, noSignal);
    for await (const _ of body);
  };
  return {machine, system, open, get};
};

describe('a compressed answer is asked for', () => {
  const KIB = 1_024;

  /** Calls a server that begins an answer, lets so many milliseconds pass, and then sends the rest. */
  const session = () => {
    let [answer, seen] = [{type: 'application/json', size: 0, coding: 'identity'}, ''];
    let goOn = Promise.withResolvers<void>();
    const {machine, open} = begin();
    const serving = serveHttp(async ({headers}, response) => {
      seen = String(headers['accept-encoding']);
      response.writeHead(200, {'Content-Type': answer.type, 'Content-Encoding': answer.coding}).flushHeaders();
      await goOn.promise;
      const body = Buffer.alloc(answer.size, ' ');
      response.end(answer.coding === 'gzip' ? gzipSync(body) : body);
    });
    return async (ms: number, said: Partial<typeof answer> = {}) => {
      answer = {type: 'application/json', size: 0, coding: 'identity', ...said};
      goOn = Promise.withResolvers();
      const {body} = await open({method: 'GET', url: new URL(at(await serving)), headers: {}}, noSignal);
      machine.time += ms;
      goOn.resolve();
      let size = 0;
      for await (const chunk of body) size += chunk.length;
      expect(size).toBe(answer.size);
      return seen;
    };
  };

  test('once a large one has come slowly', async () => {
    const answer = session();
    expect(await answer(501, {size: 128 * KIB})).toBe('identity');
    expect(await answer(0, {size: 128 * KIB, coding: 'gzip'})).toBe('gzip');
    expect(await answer(0)).toBe('gzip');
  });

  test.each([
    ['one that comes fast', 500, {size: 128 * KIB}],
    ['a small one', 60_000, {size: 127 * KIB}],
    ['a stream of events, which has pauses of its own', 60_000, {size: 128 * KIB, type: 'text/event-stream'}],
    ['one that is compressed already', 60_000, {size: 128 * KIB, coding: 'gzip'}],
  ])('not after %s', async (_, ms, said) => {
    const answer = session();
    await answer(ms, said);
    expect(await answer(0)).toBe('identity');
  });

  test('no longer where the server compresses streams, which may hold back events', async () => {
    const answer = session();
    await answer(60_000, {size: 128 * KIB});
    expect(await answer(0, {size: 10, coding: 'gzip', type: 'text/event-stream; charset=utf-8'})).toBe('gzip');
    expect(await answer(0)).toBe('identity');
  });
});

describe('a connection', () => {
  test.each([0, 499, 3_999, 4_000])('is used again after %i ms', async idle => {
    const server = await serveHttp();
    const {machine, get} = begin();
    await get(at(server));
    machine.time += idle;
    await get(at(server));
    expect(server.count()).toBe(1);
  });

  test.each([4_001, 3_600_000, -1])('is let go after %i ms', async idle => {
    const server = await serveHttp();
    const {machine, get} = begin();
    await get(at(server));
    machine.time += idle;
    await get(at(server));
    expect(server.count()).toBe(2);
  });

  test('is used again after a call that took long itself', async () => {
    const {machine, get} = begin();
    const server = await serveHttp((_request, response) => {
      machine.time += 60_000;
      response.end('OK');
    });
    await get(at(server));
    await get(at(server));
    expect(server.count()).toBe(1);
  });

  test('is let go when this machine’s addresses have changed, but not within a moment', async () => {
    const server = await serveHttp();
    const {machine, get} = begin();
    await get(at(server));
    machine.addresses = '192.0.2.2';
    machine.time += 499;
    await get(at(server));
    expect(server.count()).toBe(1);
    machine.time += 500;
    await get(at(server));
    expect(server.count()).toBe(2);
    machine.time += 500;
    await get(at(server));
    expect(server.count()).toBe(2);
  });

  test('is let go when the system’s certificates are read again', async () => {
    const server = await serveHttp();
    const {system, get} = begin();
    await get(at(server));
    await system.reread();
    await get(at(await serveHttp()));
    await server.allClosed();
  });

  test('in use when they are read again is closed when it is idle', async () => {
    let finish = () => {};
    const server = await serveHttp((_request, response) => {
      response.writeHead(200).write('first');
      finish = () => void response.end();
    });
    const system = createSystemStore(async () => []);
    const open = createUndiciStreams(routeBy({}, {}, system), {}, {now: () => 0});
    const {body} = await open({method: 'GET', url: new URL(at(server)), headers: {}}, noSignal);
    await system.reread();
    const other = await serveHttp();
    await open({method: 'GET', url: new URL(at(other)), headers: {}}, noSignal);
    finish();
    for await (const _ of body);
    await server.allClosed();
  });

  test('is one for each call at once', async () => {
    const server = await serveHttp();
    const {get} = begin();
    await Promise.all([get(at(server)), get(at(server)), get(at(server))]);
    expect(server.count()).toBe(3);
    await get(at(server));
    expect(server.count()).toBe(3);
  });

  test('through a tunnel is used again', async () => {
    const proxy = await serveProxy({target: (await serveTls()).port});
    const {send} = client({env: {https_proxy: `http://127.0.0.1:${proxy.port}`}, settings: authority, now: () => 0});
    await send('https://api.acme.example/');
    await send('https://api.acme.example/');
    expect(proxy.asked).toHaveLength(1);
  });

  test('takes up the TLS session of the one before', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const server = await serveTls({minVersion: version, maxVersion: version}, (request, response) => {
        response.end(String((request.socket as TLSSocket).isSessionReused()));
      });
      let time = 0;
      const {send} = client({settings: {...authority}, now: () => time});
      const url = `https://api.acme.localhost:${server.port}/`;
      expect((await send(url)).body).toBe('false');
      time += 5_000;
      expect((await send(url)).body).toBe('true');
    }
  });
});

test.each(['http', 'https', 'socks5h'])(
  'a connection in TLS through an %s proxy knows from where it comes',
  async scheme => {
    const server = await serveTls();
    const proxy =
      scheme === 'socks5h'
        ? await serveSocks({target: server.port})
        : await serveProxy({target: server.port, ...(scheme === 'https' ? {certificate: 'issued.crt'} : {})});
    const connector = createConnector(routeBy(authority), {https_proxy: `${scheme}://127.0.0.1:${proxy.port}`});
    const url = new URL('https://api.acme.example/');
    const connection = await connector.connect(url, {timeouts: defaultTimeouts, signal: noSignal});
    expect(localAddressOf(connection)).toBe('127.0.0.1');
    connection.destroy();
    await proxy.allClosed();
  },
);

test('calls at once over https begin their connections at once: none waits for the handshake of another', async () => {
  const sockets: Socket[] = [];
  // This server accepts connections and never answers.
  const server = await serveRaw(socket => void sockets.push(socket));
  const open = createUndiciStreams(routeBy(), {}, {now: () => 0, addresses: () => ''});
  const over = new AbortController();
  const url = new URL(`https://127.0.0.1:${server.port}/`);
  const calls = [1, 2, 3].map(() => open({method: 'GET', url, headers: {}}, over.signal));
  await expect.poll(() => sockets.length).toBe(3);
  over.abort(cancelled());
  expect((await Promise.allSettled(calls)).map(({status}) => status)).toEqual(Array(3).fill('rejected'));
  for (const socket of sockets) socket.destroy();
});

describe('a connection that is closed at the moment of its use', () => {
  /** Answers the first request of a connection, and resets the connection at the second. */
  const serveOnce = () => {
    const served = new WeakSet<Socket>();
    return serveHttp((request, response) => {
      if (served.has(request.socket)) return void request.socket.resetAndDestroy();
      served.add(request.socket);
      response.end('OK');
    });
  };

  test('is replaced by another where the call may be sent twice', async () => {
    const server = await serveOnce();
    const {send} = client({now: () => 0});
    await send(at(server));
    expect(await send(at(server))).toMatchObject({status: 200});
    expect(server.count()).toBe(2);
  });

  test('fails a POST, which may not', async () => {
    const server = await serveOnce();
    const {send} = client({now: () => 0});
    await send(at(server));
    await expect(send(at(server), {method: 'POST', body: 'x'})).rejects.toMatchObject({code: 'network-reset'});
    expect(server.count()).toBe(1);
  });

  test('is replaced for the call that found it closed, though the one that made it was stopped since', async () => {
    let connection: Socket | undefined;
    const server = await serveHttp((request, response) => {
      connection = request.socket;
      response.end('OK');
    });
    const open = createUndiciStreams(routeBy({}), {}, {now: () => 0});
    const call = async (method: 'GET' | 'POST', signal: AbortSignal) => {
      const {status, body} = await open({method, url: new URL(at(server)), headers: {}, isBounded: true}, signal);
      for await (const _ of body);
      return status;
    };
    for (const method of ['GET', 'POST'] as const) {
      const earlier = new AbortController();
      await call('GET', earlier.signal);
      earlier.abort(cancelled());
      // undici learns of this only after the next call got the connection, as in a busy process.
      connection?.end();
      expect(await call(method, noSignal)).toBe(200);
    }
    expect(server.count()).toBe(3);
  });

  test('is a failure where it was a new one', async () => {
    const server = await serveRaw(socket => void socket.on('data', () => socket.resetAndDestroy()));
    await expect(client().send(at(server))).rejects.toMatchObject({code: 'network-reset'});
    expect(server.count()).toBe(1);
  });
});

test('a name with two addresses is tried at the second when nothing listens at the first', async () => {
  const listen = async () => {
    const server = createServer(ok);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '::1', resolve)).catch(
      () => {},
    );
    const address = server.address();
    return {server, port: address === null || typeof address === 'string' ? undefined : address.port};
  };
  let {server, port} = await listen();
  // Another program may listen at the same port of the first address.
  while (port !== undefined && !(await isRefused(port))) {
    const next = await listen();
    server.close();
    ({server, port} = next);
  }
  // Without IPv6 there is nothing to try.
  if (port === undefined) return;
  const {send} = client();
  try {
    expect(await send(`http://api.acme.localhost:${port}/`)).toMatchObject({body: 'OK'});
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

const open = (url: string, env: Env = {}, allowHttp: readonly string[] = [], signal = noSignal) =>
  streamsBy({}, allowHttp, env).open({method: 'GET', url: new URL(url), headers: {}}, signal);

const read = async (body: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('a stream', () => {
  test('is read as it comes, by status and headers first', async () => {
    let finish = () => {};
    const origin = await serve((_, response) => {
      response.writeHead(206, {'X-One': 'a'}).write('first ');
      finish = () => void response.end('last');
    }, 'api.acme.localhost');
    const reply = await open(origin);
    expect([reply.status, reply.header('x-one'), reply.header('x-two')]).toEqual([206, 'a', undefined]);
    finish();
    expect(await read(reply.body)).toBe('first last');
  });

  test('that somebody leaves is closed', async () => {
    let closed = () => {};
    const isClosed = new Promise<void>(resolve => {
      closed = resolve;
    });
    const origin = await serve((_, response) => {
      response.once('close', closed);
      response.write('first');
    });
    for await (const _ of (await open(origin)).body) break;
    await isClosed;
  });

  test('breaks off with an error that names the address', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, {'Content-Length': '10'});
      response.write('half', () => response.destroy());
    });
    const {body} = await open(origin);
    const reset = {code: 'network-reset', message: expect.stringContaining(origin)};
    await expect(read(body)).rejects.toMatchObject(reset);
  });

  test('stops when it is told to, before its answer and in it', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/slow') return;
      response.write('first');
    });
    for (const path of ['/slow', '/']) {
      const stop = new AbortController();
      const reading = open(`${origin}${path}`, {}, [], stop.signal).then(({body}) => read(body));
      stop.abort();
      await expect(reading).rejects.toMatchObject({code: 'cancelled'});
    }
  });

  test('comes whole to who reads it slowly', async () => {
    const size = 4 * 1024 * 1024;
    const origin = await serve((_, response) => void response.end(Buffer.alloc(size)));
    const {streams, context} = client();
    const {body} = await streams.open({method: 'POST', url: new URL(origin), headers: {}}, context.signal);
    let taken = 0;
    for await (const chunk of body) {
      taken += chunk.length;
      // Much data arrives in the meantime.
      for (let turn = 0; turn < 8; turn += 1) await new Promise(resolve => setImmediate(resolve));
    }
    expect(taken).toBe(size);
  });

  test('that nobody reads on is closed within the time that is given', async () => {
    const closed = Promise.withResolvers<void>();
    const origin = await serve((_, response) => void response.once('close', closed.resolve).write('first'));
    const reply = await open(origin);
    reply.endWithin(10);
    await closed.promise;
    await expect(read(reply.body)).rejects.toMatchObject({code: 'cancelled'});
  });

  test('has a deadline for its beginning where one is asked for', async () => {
    const origin = await serve(() => {});
    const request = {method: 'GET', url: new URL(origin), headers: {}, headersTimeout: 50} as const;
    const reading = streamsBy().open(request, noSignal);
    await expect(reading).rejects.toMatchObject({code: 'network-timeout'});
  });
});

describe('the policy of the network', () => {
  test('refuses plain http to other machines', async () => {
    await expect(open('http://api.acme.example.com/mcp')).rejects.toMatchObject({code: 'network-insecure'});
  });

  test('says that nobody is there', async () => {
    await expect(open(await closedOrigin())).rejects.toMatchObject({code: 'network-refused'});
  });

  test('refuses a certificate that nobody vouches for', async () => {
    const file = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name));
    const server = createTlsServer({key: file('server.key'), cert: file('self-signed.crt')}, (_, response) =>
      response.end('OK'),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const {port} = server.address() as AddressInfo;
    await expect(open(`https://api.acme.localhost:${port}/`)).rejects.toMatchObject({code: 'network-tls'});
  });

  test('sends loopback past a proxy', async () => {
    const origin = await serve(text('direct'), 'api.acme.localhost');
    const proxy = await closedOrigin();
    expect(await read((await open(origin, {http_proxy: proxy, HTTP_PROXY: proxy})).body)).toBe('direct');
  });

  test('sends another host through the proxy that the environment names, and reads its stream to the end', async () => {
    const seen: (string | undefined)[] = [];
    const size = 3_000_000;
    const proxy = await serve((request, response) => {
      seen.push(request.url);
      response.end('x'.repeat(size));
    });
    const env = {http_proxy: proxy};
    const reply = await open('http://api.example.invalid/mcp', env, ['api.example.invalid']);
    expect((await read(reply.body)).length).toBe(size);
    expect(seen).toEqual(['http://api.example.invalid/mcp']);
  });
});

/** Begins a call that undici has taken over, and returns the handler of its events. */
const beginAnswer = async () => {
  const controller = {pause: vi.fn(), resume: vi.fn(), abort: vi.fn()} as unknown as Dispatcher.DispatchController;
  const begun = Promise.withResolvers<Required<Dispatcher.DispatchHandler>>();
  const dispatcher = {
    dispatch: (_: unknown, handler: Required<Dispatcher.DispatchHandler>) => {
      handler.onRequestStart(controller, {});
      begun.resolve(handler);
    },
  } as unknown as Dispatcher;
  const open = createUndiciStreams(routeBy(), {}, {now: () => 0, dispatcher});
  const reply = open({method: 'GET', url: new URL('https://api.acme.example/'), headers: {}}, noSignal);
  const handler = await begun.promise;
  return {
    ...{controller, reply},
    answer: (headers: IncomingHttpHeaders) => handler.onResponseStart(controller, 200, headers),
    data: (chunk: Buffer) => handler.onResponseData(controller, chunk),
    end: () => handler.onResponseEnd(controller, {}),
    fail: (code: string) => handler.onResponseError(controller, Object.assign(new Error(code), {code})),
  };
};

describe('an answer', () => {
  test('is no longer taken from the network when a quarter of a MiB waits, and again when all of that is read', async () => {
    const {controller, answer, data, reply} = await beginAnswer();
    answer({});
    const reading = (await reply).body[Symbol.asyncIterator]();
    data(Buffer.alloc(256 * 1024));
    expect(controller.pause).not.toHaveBeenCalled();
    data(Buffer.alloc(1));
    expect(controller.pause).toHaveBeenCalledOnce();
    await reading.next();
    expect(controller.resume).not.toHaveBeenCalled();
    await reading.next();
    expect(controller.resume).toHaveBeenCalledOnce();
  });

  test('has its headers by their names, with several of one joined', async () => {
    const {answer, reply} = await beginAnswer();
    answer({one: 'a', many: ['b', 'c'], none: undefined});
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
    const {answer, data, fail, reply} = await beginAnswer();
    answer({});
    data(Buffer.from('first'));
    fail('ECONNRESET');
    fail('ECONNREFUSED');
    const reading = (await reply).body[Symbol.asyncIterator]();
    expect(String((await reading.next()).value)).toBe('first');
    await expect(reading.next()).rejects.toMatchObject({code: 'network-reset'});
  });

  test('that has come needs no end', async () => {
    const {controller, answer, end, reply} = await beginAnswer();
    answer({});
    end();
    (await reply).endWithin(0);
    for await (const _ of (await reply).body);
    expect(controller.abort).not.toHaveBeenCalled();
  });
});
