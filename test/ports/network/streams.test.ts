import {readFileSync} from 'node:fs';
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createStreams} from '../../../src/ports/network/streams-by-policy.ts';
import type {Env} from '../../../src/ports/ports.ts';
import {noSignal} from '../../support/flows.ts';
import {closedOrigin, serve, text} from '../../support/server.ts';
import {client} from './support/client.ts';

const open = (url: string, env: Env = {}, allowHttp: readonly string[] = [], signal = noSignal) =>
  createStreams(env, {allowHttp}).open({method: 'GET', url: new URL(url), headers: {}}, signal);

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
      // Much comes in meanwhile.
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
    const reading = createStreams({}, {allowHttp: []}).open(request, noSignal);
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
    const server = createServer({key: file('server.key'), cert: file('self-signed.crt')}, (_, response) =>
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
