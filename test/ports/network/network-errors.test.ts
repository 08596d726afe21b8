import {PassThrough} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {cancelled, SetupError} from '../../../src/errors/errors.ts';
import {
  ConnectionTimeout,
  checkOpen,
  held,
  isOfNetwork,
  translateNetworkError,
} from '../../../src/ports/network/network-errors.ts';
import {openTunnel} from '../../../src/ports/network/tunnels.ts';
import {noSignal} from '../../support/flows.ts';
import {client} from './support/client.ts';
import {serveRaw} from './support/listening.ts';

const url = new URL('https://api.acme.example/health');
const of = (code: string, message = '') => Object.assign(new Error(message), {code});
const tell = (error: unknown, signal = noSignal) => translateNetworkError(error, url, signal);
const origin = 'https://api.acme.example';

describe('what the network says is told in a sentence', () => {
  test.each<[unknown, string, string]>([
    [of('ENOTFOUND'), 'network-name-not-found', `api.acme.example could not be resolved (${origin}).`],
    [of('EAI_AGAIN'), 'network-name-not-found', `api.acme.example could not be resolved (${origin}).`],
    [
      new ConnectionTimeout('name'),
      'network-name-not-found',
      `api.acme.example could not be resolved in time (${origin}).`,
    ],
    [new ConnectionTimeout('connect'), 'network-timeout', `Could not connect to ${origin} in time.`],
    [new ConnectionTimeout('tls'), 'network-timeout', `${origin} did not complete the TLS handshake in time.`],
    [new ConnectionTimeout('answer'), 'network-timeout', `${origin} did not answer in time.`],
    [of('ETIMEDOUT'), 'network-timeout', `${origin} did not answer in time.`],
    [new DOMException('', 'TimeoutError'), 'network-timeout', `${origin} did not answer in time.`],
    [of('ECONNREFUSED'), 'network-refused', `Nothing listens at ${origin}.`],
    [new AggregateError([of('ECONNREFUSED'), of('ENETUNREACH')]), 'network-refused', `Nothing listens at ${origin}.`],
    [of('EHOSTUNREACH'), 'network-failed', `${origin} can’t be reached from here.`],
    [of('EACCES'), 'network-failed', `This machine does not allow connections to ${origin}.`],
    [of('ECONNRESET'), 'network-reset', `${origin} closed the connection before its answer was complete.`],
    [
      new Error('', {cause: of('EPIPE')}),
      'network-reset',
      `${origin} closed the connection before its answer was complete.`,
    ],
    [of('ERR_SSL_WRONG_VERSION_NUMBER'), 'network-wrong-scheme', `${origin} does not speak https.`],
    [of('HPE_INVALID_CONSTANT'), 'network-wrong-scheme', `${origin} does not speak https.`],
    [
      of('HPE_HEADER_OVERFLOW'),
      'platform-invalid-answer',
      `${origin} sent something that is not HTTP (HPE_HEADER_OVERFLOW).`,
    ],
    [
      of('ERR_SSL_TLSV1_UNRECOGNIZED_NAME'),
      'network-tls',
      `${origin} could not agree on TLS with this machine (ERR_SSL_TLSV1_UNRECOGNIZED_NAME).`,
    ],
    [of('EMFILE'), 'local-limit-reached', 'This process cannot open more files (EMFILE).'],
    [
      of('UNSPECIFIED', 'CA certificate key too weak'),
      'network-tls',
      `${origin} could not be trusted: its certificate authority’s key is too short (CA_KEY_TOO_SMALL).`,
    ],
    [
      of('UNSPECIFIED'),
      'network-tls',
      `${origin} could not be trusted: its certificate, or one above it, is too weak (UNSPECIFIED).`,
    ],
  ])('%#: %o', (error, code, message) => {
    const told = tell(error);
    expect(told).toMatchObject({code, message, cause: error});
    expect(told.remedy).not.toBe('');
    expect(told.about).toMatchObject({url: url.href, server: origin});
  });

  test('what is told already stays as it is', () => {
    const known = new SetupError('network-proxy', 'The proxy is not there.');
    expect(tell(new Error('', {cause: known}))).toBe(known);
  });

  test('who stops a call is told so, whatever broke', () => {
    expect(tell(of('ECONNRESET'), AbortSignal.abort())).toMatchObject({code: 'cancelled'});
    const reason = cancelled();
    expect(tell(of('ECONNRESET'), AbortSignal.abort(reason))).toBe(reason);
    expect(tell(of('ETIMEDOUT'), AbortSignal.abort(new DOMException('', 'TimeoutError')))).toMatchObject({
      code: 'network-timeout',
    });
  });
});

describe('a slip of ours is no failure of the network', () => {
  test.each([
    new TypeError('x is not a function'),
    Object.assign(new TypeError('bad'), {code: 'ERR_INVALID_ARG_TYPE'}),
    of('ERR_HTTP_INVALID_HEADER_VALUE'),
    of('MODULE_NOT_FOUND'),
    new Error('plain'),
    'text',
  ])('%o', error => {
    expect(isOfNetwork(error)).toBe(false);
    expect(tell(error)).toMatchObject({code: 'bug'});
  });

  test('in the headers of a call', async () => {
    const {send} = client();
    const {port} = await serveRaw(() => {});
    const call = send(`http://127.0.0.1:${port}/`, {headers: {authorization: 'Bearer s3cret\nmore'}});
    const failure = await call.catch(error => error);
    expect(failure).toMatchObject({code: 'bug'});
    expect(`${failure.message} ${failure.cause.message}`).not.toContain('s3cret');
  });

  test('in what a proxy is asked', async () => {
    const proxy = {scheme: 'http', host: '127.0.0.1', port: 1} as const;
    const target = {host: 'not a host', port: 1};
    const asked = openTunnel(new PassThrough(), {target, proxy, time: 1_000, signal: noSignal});
    await expect(asked).rejects.toMatchObject({code: 'UND_ERR_INVALID_ARG'});
  });
});

test('an answer with a status that is none is the server’s fault', async () => {
  const {port} = await serveRaw(socket => void socket.resume().end('HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n'));
  const {http, context} = client();
  await expect(http.fetch(context)(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: 'platform-invalid-answer',
  });
});

test('an answer that is no HTTP after its first line is the server’s fault', async () => {
  const {port} = await serveRaw(socket => void socket.resume().end('HTTP/1.1 200 OK\r\n\u0000: x\r\n\r\n'));
  await expect(client().send(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: 'platform-invalid-answer',
    message: `http://127.0.0.1:${port} sent something that is not HTTP (HPE_INVALID_HEADER_TOKEN).`,
  });
});

test('a connection that broke off on its way from one part to the next tells the next why', async () => {
  const connection = held(new PassThrough());
  expect(() => checkOpen(connection)).not.toThrow();
  const reason = Object.assign(new Error('reset'), {code: 'ECONNRESET'});
  connection.destroy(reason);
  await new Promise(resolve => connection.once('close', resolve));
  expect(() => checkOpen(connection)).toThrow(reason);
  const proxy = {scheme: 'http', host: '127.0.0.1', port: 1} as const;
  await expect(
    openTunnel(connection, {target: {host: 'a', port: 1}, proxy, time: 9_000, signal: noSignal}),
  ).rejects.toBe(reason);
});

test('a connection that ended without a word counts as reset', () => {
  const connection = held(new PassThrough());
  connection.destroy();
  expect(() => checkOpen(connection)).toThrow(expect.objectContaining({code: 'ECONNRESET'}));
});
