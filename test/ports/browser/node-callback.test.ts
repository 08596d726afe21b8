import {once} from 'node:events';
import {request as httpRequest} from 'node:http';
import {type AddressInfo, connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {CallbackPage} from '../../../src/ports/browser/callback.ts';
import {createCallback, reserved} from '../../../src/ports/browser/loopback-server.ts';
import {createExclusiveFiles} from '../../../src/ports/files/exclusive-files.ts';
import {createProcesses} from '../../../src/ports/processes/processes.ts';
import {callbackForTest} from '../../e2e/support/ports.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {isOnWine} from '../../support/systems/on-wine.ts';
import {worded} from '../../support/worded.ts';

const page: CallbackPage = {
  status: 200,
  title: 'A <b>title</b>',
  text: `it's "text" & more`,
  next: 'Go on.',
  mood: 'good',
};

const directory = join(tmpdir(), 'platform-setup-test-none');
const callback = () =>
  createCallback(createProcesses({}), {directory, exclusiveFiles: createExclusiveFiles(), now: Date.now});

const listening = async () => {
  const redirectUri = new URL(await callbackForTest());
  const answer = vi.fn(async (_query: URLSearchParams) => page);
  const listener = await callback().listen(redirectUri, answer);
  onTestFinished(() => listener.close());
  return {redirectUri, answer, listener};
};

type Options = {method?: string; path?: string; headers?: Record<string, string>};

const ask = (to: URL, {method = 'GET', path = '/auth-callback?code=c&state=s', headers = {}}: Options = {}) =>
  new Promise<{status: number; headers: NodeJS.Dict<string | string[]>; body: string}>((resolve, reject) => {
    const options = {host: '127.0.0.1', port: to.port, method, path, headers: {host: to.host, ...headers}};
    const sent = httpRequest(options, response => {
      let body = '';
      response.setEncoding('utf8').on('data', chunk => {
        body += chunk;
      });
      response.on('end', () => resolve({status: response.statusCode ?? 0, headers: response.headers, body}));
    });
    sent.on('error', reject);
    sent.end();
  });

test('a navigation to the exact address is answered, with its parameters as they were sent', async () => {
  const {redirectUri, answer} = await listening();
  const reply = await ask(redirectUri, {
    path: '/auth-callback?code=a%2Bb&state=s&state=t',
    headers: {'sec-fetch-mode': 'navigate'},
  });
  expect(reply.status).toBe(200);
  expect([...(answer.mock.calls[0]?.[0] ?? [])]).toEqual([
    ['code', 'a+b'],
    ['state', 's'],
    ['state', 't'],
  ]);
});

test('the page escapes everything, loads nothing and is not kept', async () => {
  const {redirectUri} = await listening();
  const {body, headers} = await ask(redirectUri);
  expect(body).toContain('A &#60;b&#62;title&#60;/b&#62;');
  expect(body).toContain('it&#39;s &#34;text&#34; &#38; more');
  // Without this icon a browser would request one.
  expect(body.replace('<link rel="icon" href="data:,">', '')).not.toMatch(/<script|src=|href=|url\(/);
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

describe('what is not the answer never reaches it', () => {
  test.each([
    ['a favicon', {path: '/favicon.ico'}, 404],
    ['robots.txt', {path: '/robots.txt'}, 404],
    ['the root', {path: '/'}, 404],
    ['a trailing slash', {path: '/auth-callback/?code=c&state=s'}, 404],
    ['another case', {path: '/AUTH-CALLBACK?code=c&state=s'}, 404],
    ['a double slash', {path: '//auth-callback?code=c&state=s'}, 404],
    ['an encoded path', {path: '/%61uth-callback?code=c&state=s'}, 404],
    ['HEAD', {method: 'HEAD'}, 405],
    ['OPTIONS', {method: 'OPTIONS'}, 405],
    ['POST', {method: 'POST'}, 405],
    ['a foreign host', {headers: {host: 'evil.example'}}, 421],
    ['localhost by name', {headers: {host: 'localhost:55152'}}, 421],
    ['a fetch from a page', {headers: {origin: 'https://evil.example'}}, 403],
    ['a request that is no navigation', {headers: {'sec-fetch-mode': 'no-cors'}}, 403],
  ] satisfies [string, Options, number][])('%s', async (_name, options, status) => {
    const {redirectUri, answer} = await listening();
    expect((await ask(redirectUri, options)).status).toBe(status);
    expect(answer).not.toHaveBeenCalled();
  });

  test.each([
    ['twice the right host', (host: string) => [host, host]],
    ['the right host first', (host: string) => [host, 'evil.example']],
    ['the right host last', (host: string) => ['evil.example', host]],
  ])('two Host headers, %s', async (_name, hostsFor) => {
    const {redirectUri, answer} = await listening();
    const hosts = hostsFor(redirectUri.host).map((host, index) => `${index === 0 ? 'Host' : 'hOST'}: ${host}`);
    const socket = connect(Number(redirectUri.port), '127.0.0.1');
    socket.write(['GET /auth-callback?code=c&state=s HTTP/1.1', ...hosts, '', ''].join('\r\n'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toHaveBeenCalled();
    expect((await ask(redirectUri)).status).toBe(200);
  });

  test('an address of 64 KiB', async () => {
    const {redirectUri, answer} = await listening();
    const path = `/auth-callback?code=${'x'.repeat(65_536)}`;
    // The refusal may arrive while the request is still being sent, and then only the connection ends.
    const outcome = await ask(redirectUri, {path}).then(
      ({status}) => status,
      error => error.code,
    );
    expect([431, 'ECONNRESET', 'EPIPE']).toContain(outcome);
    expect(answer).not.toHaveBeenCalled();
    expect((await ask(redirectUri)).status).toBe(200);
  });
});

test('many connections at once do not keep the answer out', async () => {
  const {redirectUri} = await listening();
  const idle = Array.from({length: 200}, () => connect(Number(redirectUri.port), '127.0.0.1'));
  for (const socket of idle) socket.on('error', () => {});
  onTestFinished(() => idle.forEach(socket => void socket.destroy()));
  await Promise.all(idle.map(socket => once(socket, 'connect')));
  expect((await ask(redirectUri)).status).toBe(200);
});

test('closing is prompt, although a request is half sent, and frees the port', async () => {
  const {redirectUri, listener} = await listening();
  const slow = connect(Number(redirectUri.port), '127.0.0.1');
  slow.on('error', () => {});
  await new Promise<void>(resolve => slow.write('GET /auth-callback HTTP/1.1\r\nHost: ', () => resolve()));
  await listener.close();
  await expect(ask(redirectUri)).rejects.toMatchObject({code: 'ECONNREFUSED'});
});

test.each([
  ['[::1]', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
])('a browser that is sent back to %s is heard at %j', async (name, hosts) => {
  const redirectUri = new URL(await callbackForTest());
  redirectUri.hostname = name;
  const answer = vi.fn(async (_query: URLSearchParams) => page);
  const listener = await callback().listen(redirectUri, answer);
  onTestFinished(() => listener.close());
  for (const host of hosts) {
    const reply = await new Promise<number | undefined>((resolve, reject) => {
      const options = {host, port: redirectUri.port, path: '/auth-callback?code=c', headers: {host: redirectUri.host}};
      httpRequest(options, response => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(reply).toBe(200);
  }
  expect(answer).toHaveBeenCalledTimes(hosts.length);
});

test('a port that is taken names its holder', async () => {
  const {redirectUri} = await listening();
  await expect(worded(callback().listen(redirectUri, async () => page))).rejects.toMatchObject({
    code: 'local-port-taken',
    message: expect.stringContaining(process.platform === 'linux' ? `process ${process.pid}` : 'is in use by '),
    remedy:
      'Stop that program and try again, or paste the address that the browser ended up at. To paste it, run npx setup login in a terminal.',
  });
});

test('a port that Windows reserves is named with the reason, and with the other way to sign in', () => {
  expect(worded(reserved(55152))).toMatchObject({
    code: 'local-port-taken',
    message: 'Port 55152, where the browser returns to, is reserved by Windows.',
    remedy: expect.stringMatching(
      /Hyper-V.*netsh interface ipv4 show excludedportrange.*or paste the address that the browser ended up at/s,
    ),
  });
});

// Wine gives every socket SO_REUSEADDR, with which Linux lets a listener use the port of another connection.
test.skipIf(isOnWine)(
  'a port that a connection has, and nobody listens at, is said to be free again soon',
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    onTestFinished(() => {
      socket.destroy();
      server.close();
    });
    const url = new URL(`http://127.0.0.1:${socket.localPort}/cb`);
    const listen = () => callback().listen(url, async () => page);
    const expected = {
      code: 'local-port-taken',
      message: expect.stringMatching(/briefly held by a closed connection/),
      remedy:
        'Try again in a minute, or paste the address that the browser ended up at. To paste it, run npx setup login in a terminal.',
      about: expect.objectContaining({isFreeSoon: true}),
    };
    await expect(worded(listen())).rejects.toMatchObject(expected);
    // The side that ends a connection keeps its port for a while, when no program holds it any more.
    socket.resume().end();
    await once(socket, 'close');
    if (process.platform === 'linux') await expect(worded(listen())).rejects.toMatchObject(expected);
  },
);

describe('the port of another run of this program', () => {
  const redirectUri = new URL('http://127.0.0.1:55152/auth-callback');
  const inHome = async () => {
    const home = await temporaryDirectory();
    let now = 1_000_000;
    const shared = {directory: join(home, 'locks'), exclusiveFiles: createExclusiveFiles(), now: () => now};
    const [one, other] = [createCallback(createProcesses({}), shared), createCallback(createProcesses({}), shared)];
    return {one, other, pass: (ms: number) => (now += ms)};
  };

  test('is asked for by another one, until that takes it back', async () => {
    const {one, other} = await inHome();
    expect(await one.isAsked(redirectUri)).toBe(false);
    const wish = await other.ask(redirectUri);
    expect(await one.isAsked(redirectUri)).toBe(true);
    expect(await one.isAsked(new URL('http://127.0.0.1:55310/auth-callback'))).toBe(false);
    await wish.takeBack();
    expect(await one.isAsked(redirectUri)).toBe(false);
  });

  test('stays asked for where one of two that asked takes it back', async () => {
    const {one, other, pass} = await inHome();
    const first = await one.ask(redirectUri);
    pass(1);
    const second = await other.ask(redirectUri);
    await first.takeBack();
    expect(await one.isAsked(redirectUri)).toBe(true);
    await second.takeBack();
    expect(await one.isAsked(redirectUri)).toBe(false);
  });

  test('is not asked for by one that ended before it could take that back', async () => {
    const {one, other, pass} = await inHome();
    await other.ask(redirectUri);
    pass(5_000);
    expect(await one.isAsked(redirectUri)).toBe(false);
    await other.ask(redirectUri);
    expect(await one.isAsked(redirectUri)).toBe(true);
  });
});
