import {once} from 'node:events';
import {createServer, Server} from 'node:net';
import {describe, expect, test, vi} from 'vitest';
import {startSandbox} from '../../src/sandbox/sandbox.ts';
import {SandboxInputError} from '../../src/sandbox/values.ts';
import {runningSandbox, send} from './support.ts';

const single = await runningSandbox();
const multi = await runningSandbox({layout: 'multi'});

describe.each([
  ['single', single, 'observer.platform.localhost'],
  ['multi', multi, 'observer.observability.platform.localhost'],
])('in the %s layout', (layout, {ready}, observerHost) => {
  test('every service has the address of the layout', () => {
    expect(ready).toMatchObject({type: 'ready', layout, baseDomain: 'platform.localhost'});
    expect(ready.controlPlaneUrl).toMatch(/^http:\/\/api\.platform\.localhost:\d+$/);
    expect(ready.authUrl).toMatch(/^http:\/\/idp\.platform\.localhost:\d+$/);
    expect(new URL(ready.observerUrl).hostname).toBe(observerHost);
    expect(new URL(ready.observerUrl).port).not.toBe(new URL(ready.authUrl).port);
    expect(new URL(ready.controlPlaneUrl).port).toBe(new URL(ready.authUrl).port);
  });

  test('control plane and observer are healthy', async () => {
    const controlPlane = await send(`${ready.controlPlaneUrl}/health`);
    expect(controlPlane).toMatchObject({status: 200, text: 'OK'});
    expect(controlPlane.headers['content-type']).toBe('text/plain; charset=utf-8');

    const observer = await send(`${ready.observerUrl}/health`);
    expect(observer).toMatchObject({status: 200, json: {status: 'healthy', timestamp: expect.any(String)}});
  });

  test.each(['evil.example', '127.0.0.1', 'localhost', 'api.platform.localhost.', 'api.platform.localhost:1'])(
    'the host %s is nobody here',
    async host => {
      for (const url of [ready.controlPlaneUrl, ready.observerUrl]) {
        const answer = await send(`${url}/health`, {headers: {host}});
        expect(answer).toMatchObject({status: 421, json: {error: 'misdirected_request'}});
      }
    },
  );

  test('services do not answer on the port of the other', async () => {
    const hostOn = (host: string, url: string) => send(`${url}/health`, {headers: {host: new URL(host).host}});
    expect(await hostOn(ready.observerUrl, ready.controlPlaneUrl)).toMatchObject({status: 421});
    expect(await hostOn(ready.authUrl, ready.observerUrl)).toMatchObject({status: 421});
  });

  test('the observer does not answer by its name of the other layout', async () => {
    const {port} = new URL(ready.observerUrl);
    const other = layout === 'multi' ? 'observer' : 'observer.observability';
    const host = `${other}.platform.localhost:${port}`;
    expect(await send(`${ready.observerUrl}/health`, {headers: {host}})).toMatchObject({status: 421});
  });

  test('the host is compared without regard to case, and URLs in answers keep one spelling', async () => {
    const {host} = new URL(ready.authUrl);
    const answer = await send(`${ready.authUrl}/.well-known/openid-configuration`, {
      headers: {host: host.toUpperCase()},
    });
    expect(answer.json).toMatchObject({issuer: ready.authUrl, token_endpoint: `${ready.authUrl}/oauth2/token`});
  });

  test.each(['http://evil.example', 'null', 'http://platform.localhost', 'https://idp.platform.localhost'])(
    'a page of the origin %s is refused everywhere',
    async origin => {
      for (const url of [ready.controlPlaneUrl, ready.authUrl, ready.observerUrl]) {
        for (const path of ['/health', '/mcp', '/oauth2/token', '/develop']) {
          const answer = await send(`${url}${path}`, {method: 'POST', headers: {origin}});
          expect(answer).toMatchObject({status: 403, json: {error: 'forbidden_origin'}});
          expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        }
      }
    },
  );

  test('the sandbox may call itself', async () => {
    const answer = await send(`${ready.controlPlaneUrl}/health`, {headers: {origin: ready.authUrl}});
    expect(answer.status).toBe(200);
  });
});

const occupied = async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {port, [Symbol.asyncDispose]: async () => void (await new Promise(resolve => holder.close(resolve)))};
};

test('a taken gateway port is named', async () => {
  await using holder = await occupied();
  const start = startSandbox({layout: 'single', baseDomain: 'platform.localhost', port: holder.port, observerPort: 0});
  await expect(start).rejects.toMatchObject({code: 'EADDRINUSE', port: holder.port});
});

test('a taken observer port is named, and the gateway port is let go', async () => {
  await using holder = await occupied();
  const gateway = await runningPort();
  const options = {layout: 'single', baseDomain: 'platform.localhost', port: gateway} as const;
  const start = startSandbox({...options, observerPort: holder.port});
  await expect(start).rejects.toMatchObject({code: 'EADDRINUSE', port: holder.port});

  const again = await startSandbox({...options, observerPort: 0});
  expect(new URL(again.ready.authUrl).port).toBe(String(gateway));
  await again.close();
});

/** Returns a port that was free a moment ago. */
const runningPort = async () => {
  await using holder = await occupied();
  return holder.port;
};

test('close ends half-sent requests and frees the ports', async () => {
  const sandbox = await startSandbox({layout: 'single', baseDomain: 'platform.localhost', port: 0});
  const {port} = new URL(sandbox.ready.authUrl);
  const {port: observerPort} = new URL(sandbox.ready.observerUrl);
  const halfSent = send(`${sandbox.ready.authUrl}/flow/execute`, {body: '{', headers: {'content-length': '9'}});
  const ended = expect(halfSent).rejects.toThrow();
  await send(`${sandbox.ready.controlPlaneUrl}/health`);

  await sandbox.close();

  await ended;
  const options = {layout: 'single', baseDomain: 'platform.localhost'} as const;
  const again = await startSandbox({...options, port: Number(port), observerPort: Number(observerPort)});
  await again.close();
});

test('starting prints nothing', async () => {
  const printed = (['log', 'info', 'warn', 'error'] as const).map(name => vi.spyOn(console, name));
  const sandboxes = await Promise.all(
    [1, 2].map(() => startSandbox({layout: 'single', baseDomain: 'platform.localhost', port: 0})),
  );
  await Promise.all(sandboxes.map(sandbox => sandbox.close()));
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

test('a port that nobody may take is named', async () => {
  const denied = Object.assign(new Error('listen EACCES'), {code: 'EACCES', port: 80});
  vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
    process.nextTick(() => this.emit('error', denied));
    return this;
  });
  await expect(startSandbox({layout: 'single', baseDomain: 'platform.localhost', port: 80})).rejects.toBe(denied);
  vi.restoreAllMocks();
});

test.each(['a b', '', 'a/b', 'a:1', 'a:80', 'a?', 'a#', 'x@a', 'a%', '[::1]', '1.2.3.4'])(
  'the base domain %j, that no URL can have, is refused',
  async baseDomain => {
    const error = await startSandbox({layout: 'single', baseDomain, port: 0}).catch(reason => reason);
    expect(error).toBeInstanceOf(SandboxInputError);
    expect(error.message).toBe(`${JSON.stringify(baseDomain)} cannot be the base domain of a URL.`);
  },
);

test.each([
  [{redirectUri: 'auth-callback'}, 'auth-callback cannot be a redirect URI.'],
  [{redirectUri: 'http://127.0.0.1/#'}, 'http://127.0.0.1/# cannot be a redirect URI.'],
  [{accessTokenLifetime: 0}, 'An access token cannot live for 0 seconds.'],
  [{accessTokenLifetime: 0.5}, 'An access token cannot live for 0.5 seconds.'],
])('%j is refused', async (extra, message) => {
  const error = await startSandbox({layout: 'single', baseDomain: 'platform.localhost', port: 0, ...extra}).catch(
    reason => reason,
  );
  expect(error).toBeInstanceOf(SandboxInputError);
  expect(error.message).toBe(message);
});

test('IDs and secrets are new at each start', async () => {
  const secrets = (sandbox: typeof single) => sandbox.ready.clients.map(client => client.clientSecret).filter(Boolean);
  expect(single.ready.applicationId).not.toBe(multi.ready.applicationId);
  expect(secrets(single)).toHaveLength(2);
  expect(secrets(single)).not.toEqual(secrets(multi));
});
