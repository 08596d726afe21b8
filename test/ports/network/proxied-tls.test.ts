import {readFileSync} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {createServer} from 'node:https';
import {type AddressInfo, connect, type Server} from 'node:net';
import {join} from 'node:path';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {afterEach, expect, onTestFinished, test} from 'vitest';
import {createHttp} from '../../../src/ports/network/http-client.ts';
import {createStreams} from '../../../src/ports/network/streams-by-policy.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8');

const authorities = getCACertificates('default');
afterEach(() => setDefaultCACertificates(authorities));

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** A server for a name that only the proxy knows, and the proxy, which opens tunnels to it (RFC 9110 9.3.6). */
const begin = async () => {
  const options = {key: file('server.key'), cert: file('behind-proxy.crt')};
  const target = await listen(createServer(options, (_request, response) => response.end('through the tunnel')));
  const asked: string[] = [];
  const proxy = createHttpServer((_request, response) => response.writeHead(500).end('No tunnel was asked for.'));
  proxy.on('connect', (request, client, head) => {
    asked.push(request.url ?? '');
    const server = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      server.pipe(client).pipe(server);
    });
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
  });
  const env = {https_proxy: `http://127.0.0.1:${await listen(proxy)}`};
  const policy = {allowHttp: []};
  const get = (url: string) => {
    const context = {signal: new AbortController().signal, report: () => {}};
    return createHttp(createStreams(env, policy), policy, () => 0).send({method: 'GET', url: new URL(url)}, context);
  };
  return {asked, get};
};

test('https goes through the proxy in a tunnel', async () => {
  const {asked, get} = await begin();
  setDefaultCACertificates([...authorities, file('behind-proxy.crt')]);
  expect(await get('https://api.acme.example/health')).toMatchObject({status: 200, body: 'through the tunnel'});
  expect(asked).toEqual(['api.acme.example:443']);
});

test('what answers at the end of the tunnel is trusted no more than without one', async () => {
  const {asked, get} = await begin();
  await expect(get('https://api.acme.example/health')).rejects.toMatchObject({
    code: 'network-tls',
    message: expect.stringContaining('self-signed'),
  });
  expect(asked).toHaveLength(1);
});

test('NODE_TLS_REJECT_UNAUTHORIZED in somebody’s environment opens no tunnel to an impostor', async () => {
  const {get} = await begin();
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  onTestFinished(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  await expect(get('https://api.acme.example/health')).rejects.toMatchObject({code: 'network-tls'});
});
