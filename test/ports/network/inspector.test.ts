import {describe, expect, test} from 'vitest';
import type {NetworkSettings} from '../../../src/domain/context.ts';
import {createInspector} from '../../../src/ports/network/inspector.ts';
import type {Env} from '../../../src/ports/ports.ts';
import {noSignal} from '../../support/flows.ts';
import {routeBy} from '../../support/route.ts';
import {closedOrigin} from '../../support/server.ts';
import {serveProxy} from './support/http-proxy.ts';
import {serveRaw} from './support/listening.ts';
import {isStrict} from './support/security-level.ts';
import {authority, certificateFile, pem, serveTls} from './support/tls-server.ts';

const inspect = (settings: NetworkSettings = {}, env: Env = {}) => createInspector(routeBy(settings), env);
const api = new URL('https://api.acme.example/');
const at = ({port}: {port: number}, host = 'api.acme.localhost') => new URL(`https://${host}:${port}/`);

describe('a name', () => {
  test('below localhost is loopback, whatever the system says of it', async () => {
    expect(await inspect().resolve('api.acme.localhost')).toMatchObject({addresses: ['127.0.0.1', '::1']});
  });

  test('is what the system says of it, or nothing', async () => {
    expect(await inspect().resolve('127.0.0.1')).toEqual({addresses: ['127.0.0.1'], bySystem: ['127.0.0.1']});
    expect(await inspect().resolve('no-such-host.invalid')).toEqual({addresses: [], bySystem: []});
  });
});

describe('a proxy', () => {
  test('is shown without its password', async () => {
    const env = {https_proxy: 'http://ann:s3cret@proxy.acme:1'};
    expect(await inspect({}, env).proxy(api)).toBe('http://ann@proxy.acme:1');
    expect(await inspect().proxy(api)).toBeUndefined();
  });

  test('is connected to, and no further', async () => {
    const proxy = await serveProxy({});
    const env = {https_proxy: `http://127.0.0.1:${proxy.port}`};
    expect(await inspect({}, env).connectToProxy(api, noSignal)).toEqual({ms: expect.any(Number)});
    expect(proxy.asked).toEqual([]);
    await proxy.allClosed();
    await expect(inspect({}, {https_proxy: await closedOrigin()}).connectToProxy(api, noSignal)).rejects.toMatchObject({
      code: 'network-proxy',
    });
    await expect(inspect().connectToProxy(api, noSignal)).rejects.toMatchObject({code: 'bug'});
  });
});

describe('a connection', () => {
  test('is made and closed', async () => {
    const server = await serveRaw(socket => void socket.resume());
    expect(await inspect().connect(at(server), noSignal)).toEqual({address: '127.0.0.1', ms: expect.any(Number)});
    await server.allClosed();
  });

  test.each(['http', 'https'])('to a plain address is a tunnel through an %s proxy', async scheme => {
    const server = await serveRaw(socket => void socket.resume());
    const given = scheme === 'https' ? {certificate: 'issued.crt'} : {};
    const proxy = await serveProxy({target: server.port, ...given});
    const env = {http_proxy: `${scheme}://127.0.0.1:${proxy.port}`};
    await inspect(authority, env).connect(new URL('http://api.acme.example/'), noSignal);
    expect(proxy.asked).toEqual(['CONNECT api.acme.example:80']);
    await proxy.allClosed();
  });

  test('fails as Node says it', async () => {
    await expect(inspect().connect(new URL(await closedOrigin()), noSignal)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

describe('a certificate', () => {
  test('that is trusted is described with what is at its end', async () => {
    const server = await serveTls();
    expect(await inspect(authority).certificate(at(server), noSignal)).toEqual({
      ...{subject: 'api.acme.localhost', issuer: 'Acme Test Authority', trusted: true},
      names: 'DNS:api.acme.localhost, DNS:*.acme.example, DNS:proxy.acme.localhost, IP Address:127.0.0.1',
      validTo: expect.any(Number),
      fingerprint: expect.stringMatching(/^[\dA-F:]{95}$/),
      anchor: expect.objectContaining({subject: 'Acme Test Authority', pem: pem('authority.crt')}),
    });
    await server.allClosed();
  });

  test.each([
    ['self-signed.crt', 'api.acme.localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['issued.crt', 'api.acme.localhost', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])('that is not trusted is described as well: %s', async (certificate, host, problem) => {
    const server = await serveTls({cert: pem(certificate)});
    expect(await inspect().certificate(at(server, host), noSignal)).toMatchObject({trusted: false, problem});
  });

  test('that is not of the authority to be trusted comes with that authority', async () => {
    const server = await serveTls({cert: pem('self-signed.crt')});
    expect(await inspect(authority).certificate(at(server), noSignal)).toMatchObject({trusted: false, ...authority});
  });

  test.each([
    ['with a key that is too short', {cert: pem('short-key.crt'), key: pem('short.key')}, 'EE_KEY_TOO_SMALL'],
    ['with a signature that is too weak', {cert: pem('weak-signature.crt')}, 'CA_MD_TOO_WEAK'],
  ])('%s is named as a call names it', async (_name, options, problem) => {
    const server = await serveTls({ciphers: 'DEFAULT@SECLEVEL=0', ...options});
    expect(await inspect(authority).certificate(at(server), noSignal)).toMatchObject(
      isStrict || problem !== 'EE_KEY_TOO_SMALL' ? {trusted: false, problem} : {trusted: true},
    );
    await server.allClosed();
  });

  test('for another name is said to be', async () => {
    const server = await serveTls();
    expect(await inspect(authority).certificate(at(server, 'other.localhost'), noSignal)).toMatchObject({
      trusted: false,
      problem: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(await inspect(authority).certificate(at(server, '127.0.0.1'), noSignal)).toMatchObject({trusted: true});
  });

  test('is not there where no TLS is spoken', async () => {
    const server = await serveRaw(socket => void socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n'));
    await expect(inspect().certificate(at(server), noSignal)).rejects.toMatchObject({
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    });
    await server.allClosed();
  });

  test('is not waited for longer than somebody wants', async () => {
    const reached = Promise.withResolvers<void>();
    const server = await serveRaw(socket => {
      socket.on('data', () => reached.resolve()).on('end', () => socket.destroy());
    });
    const stop = new AbortController();
    const looking = inspect().certificate(at(server), stop.signal);
    const outcome = looking.catch(error => error);
    await reached.promise;
    stop.abort('enough');
    expect(await outcome).toBe('enough');
    await server.allClosed();
  });

  test('of this machine’s that is of no use leaves no connection', async () => {
    const server = await serveTls();
    const files = {certificate: certificateFile('client.crt'), key: certificateFile('server.key')};
    const looking = inspect({clientCertificate: files}).certificate(at(server), noSignal);
    await expect(looking).rejects.toMatchObject({code: 'input-invalid'});
    expect(server.count()).toBe(0);
  });
});
