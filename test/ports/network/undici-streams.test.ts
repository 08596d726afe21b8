import {createServer} from 'node:http';
import type {Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import {describe, expect, test} from 'vitest';
import {cancelled} from '../../../src/errors/errors.ts';
import {createConnector} from '../../../src/ports/network/connections/connector.ts';
import {localAddressOf} from '../../../src/ports/network/connections/own-addresses.ts';
import {patient} from '../../../src/ports/network/connections/patience.ts';
import {createUndiciStreams} from '../../../src/ports/network/undici-streams.ts';
import {noSignal} from '../../support/flows.ts';
import type {Handler} from '../../support/server.ts';
import {client, routeBy} from './support/client.ts';
import {serveProxy} from './support/http-proxy.ts';
import {listening, serveRaw} from './support/listening.ts';
import {serveSocks} from './support/socks-server.ts';
import {authority, serveTls} from './support/tls-server.ts';

const ok: Handler = (_request, response) => void response.end('OK');
const serveHttp = (handler = ok) => listening(createServer(handler));
const at = ({port}: {port: number}) => `http://127.0.0.1:${port}/`;

/** Calls with a clock and addresses that the test sets. */
const begin = () => {
  const machine = {time: 1_000_000, addresses: '192.0.2.1'};
  const route = routeBy(authority);
  const open = createUndiciStreams(route, {}, {now: () => machine.time, addresses: () => machine.addresses});
  const get = async (url: string) => {
    const {body} = await open({method: 'GET', url: new URL(url), headers: {}}, noSignal);
    for await (const _ of body);
  };
  return {machine, route, get};
};

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

  test('is let go when calls take another way', async () => {
    const server = await serveHttp();
    const {route, get} = begin();
    await get(at(server));
    route.use({...authority, proxy: 'none'});
    await get(at(await serveHttp()));
    await server.allClosed();
  });

  test('in use when calls take another way is closed when it is idle', async () => {
    let finish = () => {};
    const server = await serveHttp((_request, response) => {
      response.writeHead(200).write('first');
      finish = () => void response.end();
    });
    const route = routeBy({});
    const open = createUndiciStreams(route, {}, {now: () => 0});
    const {body} = await open({method: 'GET', url: new URL(at(server)), headers: {}}, noSignal);
    route.use({proxy: 'none'});
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
    const connection = await connector.connect(url, {patience: patient, signal: noSignal});
    expect(localAddressOf(connection)).toBe('127.0.0.1');
    connection.destroy();
    await proxy.allClosed();
  },
);

describe('a connection that is closed at the moment of its use', () => {
  /** Answers the first request of a connection, and closes it at the second. */
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
      // This is heard of only after the next call was given the connection, as when the process has much to do.
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
  const server = createServer(ok);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '::1', resolve)).catch(() => {});
  const address = server.address();
  // Without IPv6 there is nothing to be tried.
  if (address === null || typeof address === 'string') return;
  const {send} = client();
  try {
    expect(await send(`http://api.acme.localhost:${address.port}/`)).toMatchObject({body: 'OK'});
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
