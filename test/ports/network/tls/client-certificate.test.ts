import {spawn, spawnSync} from 'node:child_process';
import {copyFile, mkdtemp, rm, stat, utimes} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {NetworkSettings} from '../../../../src/domain/network-settings.ts';
import {translateNetworkError} from '../../../../src/ports/network/network-errors.ts';
import {text} from '../../../support/server.ts';
import {client} from '../support/client.ts';
import {authority, certificateFile, pem, serveTls} from '../support/tls-server.ts';

const at = ({port}: {port: number}) => `https://api.acme.localhost:${port}/`;

const proof = (certificate: string, key = 'client.key'): NetworkSettings => ({
  ...authority,
  clientCertificate: {certificate: certificateFile(certificate), key: certificateFile(key)},
});

const versions = ['TLSv1.2', 'TLSv1.3'] as const;
const demanded = {requestCert: true, rejectUnauthorized: true, ca: pem('authority.crt')};

describe.each(versions)('a server that demands a certificate in %s', version => {
  const only = {...demanded, minVersion: version, maxVersion: version};

  test('and gets none, says so', async () => {
    const server = await serveTls(only);
    await expect(client({settings: authority}).send(at(server))).rejects.toMatchObject({
      code: 'network-client-certificate',
      message: expect.stringMatching(
        `^https://api.acme.localhost:${server.port} requires a client certificate, and got none \\(ERR_SSL_`,
      ),
      remedy: expect.stringContaining('--client-cert'),
    });
    await server.allClosed();
  });

  test('and gets it, answers', async () => {
    expect(await client({settings: proof('client.crt')}).send(at(await serveTls(only)))).toMatchObject({body: 'OK'});
  });
});

/** What most servers are made of says more than Node's own, which closes without a word. */
const serveOpenssl = (version: '-tls1_2' | '-tls1_3'): Promise<{port: number}> => {
  const files = ['-cert', certificateFile('issued.crt'), '-key', certificateFile('server.key')];
  const wants = ['-Verify', '1', '-verify_return_error', '-CAfile', certificateFile('authority.crt'), '-www', version];
  const server = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...wants]);
  onTestFinished(() => void server.kill());
  return new Promise((resolve, reject) => {
    let said = '';
    server
      .once('exit', () => reject(new Error(said)))
      .stdout.on('data', chunk => {
        said += chunk;
        const [, port] = /ACCEPT \S+:(\d+)/.exec(said) ?? [];
        if (port) resolve({port: Number(port)});
      });
  });
};

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl).each(['-tls1_2', '-tls1_3'] as const)('OpenSSL’s server with %s', version => {
  test.each([
    ['none', authority, 'none'],
    ['one of a stranger', proof('stranger.crt'), 'none that it accepts'],
  ])('given %s, refuses', async (_name, settings, got) => {
    await expect(client({settings}).send(at(await serveOpenssl(version)))).rejects.toMatchObject({
      code: 'network-client-certificate',
      message: expect.stringContaining(` requires a client certificate, and got ${got} (ERR_SSL_`),
    });
  });

  test('given the right one, answers', async () => {
    const reply = await client({settings: proof('client.crt')}).send(at(await serveOpenssl(version)));
    expect(reply.status).toBe(200);
  });
});

test.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'none'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'none that it accepts'],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'none that it accepts'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'none that it accepts'],
  ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'none that it accepts'],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'none that it accepts'],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED', 'none that it accepts'],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', 'none that it accepts'],
  ['ERR_SSL_SSL/TLS_ALERT_UNSUPPORTED_CERTIFICATE', 'none that it accepts'],
])('the alert %s is about the client’s certificate', (code, got) => {
  const error = Object.assign(new Error('alert'), {code});
  const told = translateNetworkError(error, new URL('https://a.example'), new AbortController().signal);
  expect(told).toMatchObject({code: 'network-client-certificate', message: expect.stringContaining(`got ${got} (`)});
});

describe('nginx, which lets everybody through TLS and answers with a page', () => {
  const page = (said: string) => `<html><head><title>400 ${said}</title></head><body>${said}</body></html>`;

  test.each([
    ['No required SSL certificate was sent', 'none'],
    ['The SSL certificate error', 'none that it accepts'],
  ])('%s', async (said, got) => {
    const server = await serveTls({}, text(page(said), 400, 'text/html'));
    const {send, http, context} = client({settings: authority});
    const refusal = {
      code: 'network-client-certificate',
      message: `https://api.acme.localhost:${server.port} requires a client certificate, and got ${got} (400 ${said}).`,
    };
    await expect(send(at(server))).rejects.toMatchObject(refusal);
    await expect(http.fetch(context)(at(server))).rejects.toMatchObject(refusal);
  });

  test.each([
    ['another page', 400, 'Bad Request'],
    ['another status', 404, 'No required SSL certificate was sent'],
  ])('%s is an answer', async (_name, status, said) => {
    const server = await serveTls({}, text(page(said), status, 'text/html'));
    expect(await client({settings: authority}).send(at(server))).toMatchObject({status});
  });
});

test.each(versions)('a certificate that was renewed is read again in %s', async version => {
  const folder = await mkdtemp(join(tmpdir(), 'setup-client-'));
  onTestFinished(() => rm(folder, {recursive: true}));
  const certificate = join(folder, 'client.crt');
  await copyFile(certificateFile('stranger.crt'), certificate);
  const before = await stat(certificate);
  await utimes(certificate, before.atime, before.mtime);
  const {send} = client({
    settings: {...authority, clientCertificate: {certificate, key: certificateFile('client.key')}},
  });
  const url = at(await serveTls({...demanded, minVersion: version, maxVersion: version}));
  // Node's server closes without a word.
  await expect(send(url)).rejects.toMatchObject({code: expect.stringMatching('^network-')});
  await copyFile(certificateFile('client.crt'), certificate);
  // Windows copies a file with its times; a tool that renews may do so anywhere.
  await utimes(certificate, before.atime, before.mtime);
  expect(await send(url)).toMatchObject({body: 'OK'});
});

describe('a certificate of no use', () => {
  test.each([
    [
      proof('none.crt'),
      `The client certificate at ${certificateFile('none.crt')} cannot be read: there is no such file.`,
    ],
    [
      proof('client.crt', 'none.key'),
      `The key of the client certificate at ${certificateFile('none.key')} cannot be read: there is no such file.`,
    ],
    [
      proof('client.crt', 'server.key'),
      `The client certificate at ${certificateFile('client.crt')} does not belong to the key at ${certificateFile('server.key')}.`,
    ],
    [proof('client.crt', 'locked.key'), `The key at ${certificateFile('locked.key')} is locked with a passphrase.`],
    [
      proof('authority.der'),
      `The client certificate at ${certificateFile('authority.der')} cannot be used with the key at ${certificateFile('client.key')} (ERR_OSSL_PEM_NO_START_LINE). Both have to be in PEM.`,
    ],
  ])('%#', async (settings, message) => {
    const server = await serveTls();
    await expect(client({settings}).send(at(server))).rejects.toMatchObject({
      ...{code: 'input-invalid', message},
      ...(/cannot be read/.test(message)
        ? {
            remedy:
              'Put the file there, or name another one. Name it with npx setup login --client-cert FILE --client-key FILE.',
          }
        : {}),
    });
    await server.allClosed();
  });
});
