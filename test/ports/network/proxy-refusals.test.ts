import {describe, expect, test} from 'vitest';
import {ConnectionTimeout} from '../../../src/ports/network/network-errors.ts';
import {brokenProxy, unreachableProxy} from '../../../src/ports/network/proxy-refusals.ts';
import type {Handler} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {client} from './support/client.ts';
import {serveProxy} from './support/http-proxy.ts';
import {authority} from './support/tls-server.ts';

const proxy = {scheme: 'https', host: 'fd00::1', port: 3128, username: 'ann', password: 's3cret'} as const;
const of = (code: string) => Object.assign(new Error(code), {code});

test.each([
  [new ConnectionTimeout('name'), 'could not be resolved in time'],
  [new ConnectionTimeout('connect'), 'did not answer in time'],
  [of('ETIMEDOUT'), 'did not answer in time'],
  [of('EAI_AGAIN'), 'could not be resolved'],
  [new AggregateError([of('ENETUNREACH'), of('ECONNREFUSED')]), 'is not running: nothing is listening there'],
  [of('EHOSTUNREACH'), 'cannot be reached (EHOSTUNREACH)'],
])('there is no connection: %o', (cause, what) => {
  expect(worded(unreachableProxy(proxy, cause))).toMatchObject({
    code: 'network-proxy',
    message: `The proxy https://ann@[fd00::1]:3128 ${what}.`,
    remedy: expect.stringContaining('--proxy'),
    cause,
  });
});

test.each([
  [new ConnectionTimeout('tls'), 'network-proxy', 'did not open a connection in time'],
  [of('EPROTO'), 'network-proxy', 'does not speak https'],
  [of('EPIPE'), 'network-proxy', 'closed the connection (EPIPE)'],
  [of('CERT_HAS_EXPIRED'), 'network-tls', 'could not be trusted: its certificate has expired (CERT_HAS_EXPIRED)'],
  [
    of('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    'network-client-certificate',
    'requires a client certificate, but got none (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)',
  ],
])('what came was no tunnel: %o', (cause, code, what) => {
  expect(brokenProxy(proxy, cause)).toMatchObject({
    code,
    message: `The proxy https://ann@[fd00::1]:3128 ${what}.`,
    cause,
  });
});

const api = 'http://api.acme.example/health';

const begin = async (handler: Handler, user = '') => {
  const proxy = await serveProxy({handler});
  const address = `http://${user}127.0.0.1:${proxy.port}`;
  return {proxy, ...client({env: {http_proxy: address}}), shown: `The proxy http://127.0.0.1:${proxy.port}`};
};

test('a plain call is handed to the proxy whole, with a proof that goes no further than there', async () => {
  const {proxy, send} = await begin((_, response) => void response.end('OK'), 'ann:pw@');
  expect(await send(`${api}?a=1#part`)).toMatchObject({status: 200, body: 'OK'});
  expect(proxy.asked).toEqual([`GET ${api}?a=1`]);
  expect(proxy.proofs).toEqual([`Basic ${Buffer.from('ann:pw').toString('base64')}`]);
});

test('a plain call is handed to an https proxy in TLS', async () => {
  const proxy = await serveProxy({certificate: 'issued.crt', handler: (_, response) => void response.end('OK')});
  const env = {http_proxy: `https://proxy.acme.localhost:${proxy.port}`};
  expect(await client({env, settings: authority}).send(api)).toMatchObject({body: 'OK'});
  expect(proxy.asked).toEqual([`GET ${api}`]);
});

describe('the proxy’s own answer', () => {
  test.each<[number, Record<string, string>, string, string]>([
    [407, {'Proxy-Authenticate': 'Basic'}, 'network-proxy-sign-in', 'requires a username and password (407).'],
    [407, {}, 'network-proxy-sign-in', 'requires a username and password (407).'],
    [
      403,
      {'X-Squid-Error': 'ERR_ACCESS_DENIED 0'},
      'network-proxy-denied',
      'does not let calls through to api.acme.example:80 (403).',
    ],
    [503, {'X-Squid-Error': 'ERR_DNS_FAIL 0'}, 'network-proxy', 'could not reach api.acme.example:80 (503).'],
    [
      502,
      {'Proxy-Status': 'edge; error=dns_timeout; details="a, b", here; error="connection_refused"'},
      'network-proxy',
      'could not reach api.acme.example:80 (502).',
    ],
  ])('%i with %o', async (status, headers, code, message) => {
    const {send, shown, proxy} = await begin((_, response) => void response.writeHead(status, headers).end('<html>'));
    await expect(send(api)).rejects.toMatchObject({code, message: `${shown} ${message}`});
    await proxy.allClosed();
  });
});

describe('the server’s own answer', () => {
  test.each<[number, Record<string, string>]>([
    [403, {}],
    [502, {}],
    [403, {Via: '1.1 proxy'}],
    [404, {'Proxy-Status': 'edge; fwd=miss'}],
    [502, {'Proxy-Status': 'edge; error=dns_timeout, here; details="; error=x"'}],
    [502, {'Proxy-Status': 'edge; error=dns_timeout, here'}],
    [200, {'X-Squid-Error': 'ERR_NONE 0'}],
  ])('%i with %o', async (status, headers) => {
    const {send} = await begin((_, response) => void response.writeHead(status, headers).end('said'));
    expect(await send(api)).toMatchObject({status, body: 'said'});
  });
});
