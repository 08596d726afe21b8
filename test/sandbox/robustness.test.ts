import {once} from 'node:events';
import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {adminToken, bearer, runningSandbox, send, serviceToken} from './support.ts';

const {ready} = await runningSandbox({extras: ['device', 'revocation']});
const tokens = {admin: await adminToken(ready), service: await serviceToken(ready)};

const paths = [
  '/oauth2/token',
  '/oauth2/revoke',
  '/oauth2/introspect',
  '/oauth2/userinfo',
  '/oauth2/authorize',
  '/flow/execute',
  '/applications',
  `/applications/${ready.applicationId}`,
  '/gate/signin',
  '/gate/error',
  '/oauth2/device_authorization',
  '/device',
  '/device/x',
  '/develop',
  '/develop/signin',
  '/develop/signout',
  '/mcp',
  '/api/v1/namespaces',
  '/health',
  '/%00',
  '/%zz/../..',
  '//',
];

const bodies = ['', '{', 'null', '[]', '{"a":{}}', '\u0000\ufffd', '%zz=%&&=&a', 'x'.repeat(10_000)];

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x'];

test.each(paths)('nothing that is sent to %s makes a service fail', async path => {
  for (const url of [ready.authUrl, ready.controlPlaneUrl, ready.observerUrl]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const [index, body] of bodies.entries()) {
        const headers = {
          'content-type': types[index % types.length] ?? '',
          ...bearer(url === ready.authUrl ? tokens.admin : tokens.service),
        };
        // These requests may delete the sample application, which no other test here needs.
        const answer = await send(`${url}${path}`, {method, headers, ...(method !== 'GET' && {body})});
        expect(answer.status, `${method} ${url}${path} ${body}`).toBeLessThan(500);
      }
    }
  }
});

/** Sends bytes that no HTTP library would send, and returns the answer. */
const raw = async (bytes: string) => {
  const socket = connect(Number(new URL(ready.authUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
};

const {host} = new URL(ready.authUrl);
const {host: apiHost} = new URL(ready.controlPlaneUrl);

test.each([
  ['no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 400'],
  ['no host, long ago', 'GET / HTTP/1.0\r\n\r\n', 'HTTP/1.1 421'],
  [
    'two hosts',
    `GET /health/liveness HTTP/1.1\r\nHost: ${host}\r\nHost: x\r\nConnection: close\r\n\r\n`,
    'HTTP/1.1 400',
  ],
  ['a long header', `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 'HTTP/1.1 431'],
  [
    'the absolute form',
    `GET http://${host}/health/liveness HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    'HTTP/1.1 200',
  ],
  [
    'the absolute form for an MCP server',
    [
      `POST http://${apiHost}/mcp HTTP/1.1`,
      `Host: ${apiHost}`,
      `Authorization: Bearer ${tokens.service}`,
      'Content-Type: application/json',
      'Content-Length: 1',
      'Connection: close',
      '',
      '{',
    ].join('\r\n'),
    'HTTP/1.1 400',
  ],
  ['a method of its own', `BREW / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'HTTP/1.1 400'],
])('%s is answered and forgotten', async (_, bytes, start) => {
  expect((await raw(bytes)).slice(0, start.length)).toBe(start);
  expect(await send(`${ready.authUrl}/health/liveness`)).toMatchObject({status: 200});
});

test('a body that is cut short is forgotten', async () => {
  for (const path of ['/flow/execute', '/oauth2/token', '/gate/signin', '/develop/signin']) {
    const socket = connect(Number(new URL(ready.authUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.end(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{`);
    await text(socket);
  }
  expect(await send(`${ready.authUrl}/health/liveness`)).toMatchObject({status: 200});
});
