import {readFileSync} from 'node:fs';
import {createServer} from 'node:https';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createHttp} from '../../../src/ports/network/http-client.ts';
import {createStreams} from '../../../src/ports/network/streams-by-policy.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name));

const serveTls = async (certificate: string): Promise<number> => {
  const server = createServer({key: file('server.key'), cert: file(certificate)}, (_request, response) =>
    response.end('OK'),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as {port: number}).port;
};

const policy = {allowHttp: []};

const get = (url: string) => {
  const context = {signal: new AbortController().signal, report: () => {}};
  return createHttp(createStreams({}, policy), policy, () => 0).send({method: 'GET', url: new URL(url)}, context);
};

test('a self-signed certificate is refused, and the remedy says how to trust it', async () => {
  const port = await serveTls('self-signed.crt');
  await expect(get(`https://api.acme.localhost:${port}/`)).rejects.toMatchObject({
    code: 'network-tls',
    message: expect.stringContaining('self-signed'),
    remedy: expect.stringContaining('--ca-file'),
  });
});

test('an expired certificate is refused, and is for its operators to renew', async () => {
  const port = await serveTls('expired.crt');
  await expect(get(`https://api.acme.localhost:${port}/`)).rejects.toMatchObject({
    code: 'network-tls',
    remedy: expect.stringContaining('operators'),
  });
});

test('NODE_TLS_REJECT_UNAUTHORIZED in somebody’s environment changes nothing', async () => {
  const port = await serveTls('self-signed.crt');
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  onTestFinished(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  await expect(get(`https://api.acme.localhost:${port}/`)).rejects.toMatchObject({code: 'network-tls'});
});
