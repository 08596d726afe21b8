import {expect, test} from 'vitest';
import {ConnectionTimeout} from '../../../../src/ports/network/connections/patience.ts';
import {brokenProxy, unreachableProxy} from '../../../../src/ports/network/proxies/proxy-errors.ts';

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
  expect(unreachableProxy(proxy, cause)).toMatchObject({
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
    'requires a client certificate, and got none (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)',
  ],
])('what came was no tunnel: %o', (cause, code, what) => {
  expect(brokenProxy(proxy, cause)).toMatchObject({
    code,
    message: `The proxy https://ann@[fd00::1]:3128 ${what}.`,
    cause,
  });
});
