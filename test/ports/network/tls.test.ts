import {execFile, spawn, spawnSync} from 'node:child_process';
import {copyFile, mkdtemp, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {NetworkSettings} from '../../../src/domain/context.ts';
import {translateNetworkError} from '../../../src/ports/network/network-errors.ts';
import {text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {client} from './support/client.ts';
import {serveProxy} from './support/http-proxy.ts';
import {serveRaw} from './support/listening.ts';
import {isStrict} from './support/security-level.ts';
import {authority, certificateFile, pem, serveTls} from './support/tls-server.ts';

const at = ({port}: {port: number}, host = 'api.acme.localhost') => `https://${host}:${port}/`;

describe('a certificate of an authority of one’s own is trusted', () => {
  test.each([
    ['a file that settings name', authority],
    ['a file without PEM around it', {authority: {file: certificateFile('authority.der')}}],
    ['what is kept in the settings', {authority: {pem: pem('authority.crt')}}],
    ['one of several', {authority: {pem: `# Two\n${pem('self-signed.crt')}\n${pem('authority.crt')}`}}],
  ])('by %s', async (_name, settings) => {
    expect(await client({settings}).send(at(await serveTls()))).toMatchObject({body: 'OK'});
  });

  test('by SSL_CERT_FILE', async () => {
    const url = at(await serveTls());
    expect(await client({env: {SSL_CERT_FILE: certificateFile('authority.crt')}}).send(url)).toMatchObject({
      body: 'OK',
    });
    for (const file of ['', '/no/such/file', certificateFile('server.key')]) {
      await expect(client({env: {SSL_CERT_FILE: file}}).send(url)).rejects.toMatchObject({code: 'network-tls'});
    }
  });

  test('by an address', async () => {
    expect(await client({settings: authority}).send(at(await serveTls(), '127.0.0.1'))).toMatchObject({body: 'OK'});
  });

  test('by itself alone, where nobody shows who signed it', async () => {
    const settings = {authority: {file: certificateFile('issued.crt')}};
    expect(await client({settings}).send(at(await serveTls()))).toMatchObject({body: 'OK'});
  });
});

describe('an authority of no use', () => {
  test('is said to be that of another server', async () => {
    const other = certificateFile('self-signed.crt');
    const url = at(await serveTls());
    await expect(worded(client({settings: {authority: {file: other}}}).send(url))).rejects.toMatchObject({
      code: 'network-tls',
      message: expect.stringContaining(`${other} does not contain the certificate of its signer.`),
      remedy:
        'Get the certificate of the authority that signed it from the server’s operators. Pass that file with --ca-file FILE.',
    });
    await expect(client({settings: {authority: {pem: pem('self-signed.crt')}}}).send(url)).rejects.toMatchObject({
      message: expect.stringContaining('The certificate authority that you trust for this platform did not sign it.'),
    });
  });

  test('cannot be read', async () => {
    const settings = {authority: {file: '/no/such/file'}};
    await expect(worded(client({settings}).send(at(await serveTls())))).rejects.toMatchObject({
      code: 'input-invalid',
      message: 'The certificate authority at /no/such/file cannot be read: there is no such file.',
      remedy: 'Put the file there, or name another one. Name it with npx setup login --ca-file FILE.',
    });
  });

  test.each([
    ['a file', {file: certificateFile('server.key')}, `The file ${certificateFile('server.key')}`],
    ['settings', {pem: 'nothing'}, 'The saved certificate authority'],
    ['PEM', {pem: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'}, 'The saved certificate authority'],
  ])('holds no certificate: %s', async (_name, kept, who) => {
    const server = await serveTls();
    await expect(worded(client({settings: {authority: kept}}).send(at(server)))).rejects.toMatchObject({
      code: 'input-invalid',
      message: `${who} contains no readable certificate.`,
      remedy: expect.stringContaining('--ca-file'),
    });
    await server.allClosed();
  });

  test('is read again when its file has changed', async () => {
    const file = join(tmpdir(), `setup-authority-${process.pid}.pem`);
    onTestFinished(() => rm(file, {force: true}));
    await writeFile(file, pem('self-signed.crt'));
    const {send} = client({settings: {authority: {file}}});
    const url = at(await serveTls());
    await expect(send(url)).rejects.toMatchObject({code: 'network-tls'});
    await writeFile(file, pem('authority.crt'));
    expect(await send(url)).toMatchObject({body: 'OK'});
  });
});

const weak = {ciphers: 'DEFAULT@SECLEVEL=0'};

describe('a certificate is refused', () => {
  test.each([
    ['of an unknown authority', {}, {}, 'its certificate comes from an authority that this machine doesn’t know'],
    ['that is self-signed', {cert: pem('self-signed.crt')}, {}, 'its certificate is self-signed'],
    [
      'for another name',
      {cert: pem('behind-proxy.crt')},
      {authority: {pem: pem('behind-proxy.crt')}},
      'for another name',
    ],
    ['that has expired', {cert: pem('expired.crt')}, {authority: {pem: pem('expired.crt')}}, 'has expired'],
    [
      'with a key that is too short',
      {...weak, cert: pem('short-key.crt'), key: pem('short.key')},
      authority,
      'its certificate’s key is too short (EE_KEY_TOO_SMALL)',
    ],
    [
      'with a signature that is too weak',
      {...weak, cert: pem('weak-signature.crt')},
      authority,
      'a signature in its certificate chain is too weak (CA_MD_TOO_WEAK)',
    ],
  ])('%s', async (_name, options, settings, reason) => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const server = await serveTls({minVersion: version, maxVersion: version, ...options});
      const {send} = client({settings});
      if (!isStrict && reason.includes('EE_KEY_TOO_SMALL')) {
        expect(await send(at(server))).toMatchObject({status: 200});
        continue;
      }
      const refusal = {
        code: 'network-tls',
        message: expect.stringContaining(`https://api.acme.localhost:${server.port} could not be trusted: `),
      };
      await expect(send(at(server))).rejects.toMatchObject({...refusal, message: expect.stringContaining(reason)});
      // A resumed session would be accepted without a check of the name.
      await expect(send(at(server))).rejects.toMatchObject(refusal);
      await server.allClosed();
    }
  });
});

describe('a handshake that fails for another reason', () => {
  test.runIf(isStrict)('no cipher that both know', async () => {
    const server = await serveTls({ciphers: 'ECDHE-ECDSA-AES128-CCM8@SECLEVEL=0', maxVersion: 'TLSv1.2'});
    await expect(client({settings: authority}).send(at(server))).rejects.toMatchObject({
      code: 'network-tls',
      message: expect.stringContaining('could not agree on TLS with this machine (ERR_SSL_'),
    });
  });

  test('a name that the server does not serve', async () => {
    const server = await serveTls({SNICallback: (_name, done) => done(new Error('Who?'))});
    await expect(client({settings: authority}).send(at(server))).rejects.toMatchObject({
      code: expect.stringMatching(/^network-(tls|reset)$/),
    });
  });

  test('the server closes before it', async () => {
    const server = await serveRaw(socket => socket.destroy());
    await expect(client({settings: authority}).send(at(server))).rejects.toMatchObject({code: 'network-reset'});
  });

  test('the server resets the connection while TLS is loaded', async () => {
    const server = await serveRaw(socket => void socket.resetAndDestroy());
    await expect(client({settings: authority}).send(at(server, '127.0.0.1'))).rejects.toMatchObject({
      code: 'network-reset',
    });
  });

  test('the server says nothing, for longer than it may take', async () => {
    const server = await serveRaw(socket => void socket.resume().on('end', () => socket.destroy()));
    const {streams, context} = client({settings: authority});
    const timeouts = {name: 9_000, connect: 9_000, tunnel: 9_000, tls: 20};
    const call = streams.open({method: 'GET', url: new URL(at(server)), headers: {}, timeouts}, context.signal);
    await expect(call).rejects.toMatchObject({
      code: 'network-timeout',
      message: `https://api.acme.localhost:${server.port} did not complete the TLS handshake in time.`,
    });
    await server.allClosed();
  });
});

test.each([
  ['self-signed.crt', {}, '--ca-file'],
  ['expired.crt', {authority: {file: certificateFile('expired.crt')}}, 'operators'],
])('the remedy for %s', async (certificate, settings, remedy) => {
  const url = at(await serveTls({cert: pem(certificate)}));
  await expect(worded(client({settings}).send(url))).rejects.toMatchObject({remedy: expect.stringContaining(remedy)});
});

test('NODE_TLS_REJECT_UNAUTHORIZED opens nothing to an impostor, straight or through a proxy', async () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  onTestFinished(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  const tls = await serveTls();
  const proxy = await serveProxy({target: tls.port, certificate: 'issued.crt'});
  for (const env of [{}, {https_proxy: `https://proxy.acme.localhost:${proxy.port}`}]) {
    const {send} = client({env});
    await expect(send(at(tls))).rejects.toMatchObject({code: 'network-tls'});
    await expect(send('https://api.acme.example/')).rejects.toMatchObject({
      code: expect.stringMatching(/^network-(tls|name-not-found)$/),
    });
  }
  expect(proxy.asked).toEqual([]);
});

test('NODE_TLS_REJECT_UNAUTHORIZED changes nothing, and nothing warns of it', async () => {
  const home = await mkdtemp(join(tmpdir(), 'setup-trust-'));
  onTestFinished(() => rm(home, {recursive: true, force: true}));
  const url = at(await serveTls({cert: pem('self-signed.crt')}));
  const flags = ['--yes', '--json', '--layout', 'single', '--control-plane-url', url, '--auth-url', url];
  const program = [join(import.meta.dirname, '../../../bin/setup.js'), ...flags, '--observer-url', 'none'];
  const env = {PATH: process.env.PATH, SETUP_HOME: home, NODE_TLS_REJECT_UNAUTHORIZED: '0'};
  const ended = await new Promise<{stdout: string; stderr: string}>(resolve => {
    execFile(process.execPath, program, {env, cwd: home}, (_error, stdout, stderr) => resolve({stdout, stderr}));
  });
  expect(ended.stdout).toContain('"code":"network-tls"');
  expect(ended.stderr).toBe('');
});

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
    await expect(worded(client({settings: authority}).send(at(server)))).rejects.toMatchObject({
      code: 'network-client-certificate',
      message: expect.stringMatching(
        `^https://api.acme.localhost:${server.port} requires a client certificate, but got none \\(ERR_SSL_`,
      ),
      remedy: expect.stringContaining('--client-cert'),
    });
    await server.allClosed();
  });

  test('and gets it, answers', async () => {
    expect(await client({settings: proof('client.crt')}).send(at(await serveTls(only)))).toMatchObject({body: 'OK'});
  });
});

/** Starts a server based on OpenSSL, like most servers. It names its reason, while Node's server closes silently. */
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
      message: expect.stringContaining(` requires a client certificate, but got ${got} (ERR_SSL_`),
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
      message: `https://api.acme.localhost:${server.port} requires a client certificate, but got ${got} (400 ${said}).`,
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
  // Node's server closes silently.
  await expect(send(url)).rejects.toMatchObject({code: expect.stringMatching('^network-')});
  await copyFile(certificateFile('client.crt'), certificate);
  // Windows copies the times of a file as well, and a tool that renews certificates may do so anywhere.
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
      `The client certificate at ${certificateFile('authority.der')} cannot be used with the key at ${certificateFile('client.key')} (ERR_OSSL_PEM_NO_START_LINE). Both must be in PEM format.`,
    ],
  ])('%#', async (settings, message) => {
    const server = await serveTls();
    await expect(worded(client({settings}).send(at(server)))).rejects.toMatchObject({
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
