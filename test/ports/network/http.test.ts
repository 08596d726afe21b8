import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {createServer, type Socket} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {checkAddress, createHttp, createStreams, policyOf} from '../../../src/ports/network/http.ts';
import type {CallEvent, Env, HttpRequest} from '../../../src/ports/ports.ts';
import {routeBy} from '../../support/route.ts';
import {closedOrigin, serve, serveRoutes, text} from '../../support/server.ts';

const signal = new AbortController().signal;

const client = (env: Env = {}, allowHttp: readonly string[] = []) => {
  const events: CallEvent[] = [];
  const http = createHttp(createStreams(env, {allowHttp}, routeBy()), {allowHttp}, () => performance.now());
  const context = {signal, report: (event: CallEvent) => void events.push(event)};
  return {
    events,
    http,
    context,
    get: (url: string, options: Partial<HttpRequest> = {}) =>
      http.send({method: 'GET', url: new URL(url), ...options}, context),
  };
};

describe('an answer', () => {
  test('comes whole, and is told with status, time and curl line', async () => {
    const origin = await serve(text('OK'));
    const {get, events} = client();

    expect(await get(`${origin}/health`)).toMatchObject({status: 200, body: 'OK'});
    expect(events).toEqual([
      {type: 'call-started', call: 1, method: 'GET', url: `${origin}/health`},
      {
        type: 'call-answered',
        call: 1,
        method: 'GET',
        url: `${origin}/health`,
        status: 200,
        ms: expect.any(Number),
        curl: `curl ${origin}/health`,
      },
    ]);
  });

  test('for a name below localhost comes from loopback without a resolver', async () => {
    const origin = await serve((request, response) => response.end(request.headers.host), 'api.acme.localhost');
    expect((await client().get(origin)).body).toBe(new URL(origin).host);
  });

  test('longer than 1 MiB is cut off with an error', async () => {
    const origin = await serve((_request, response) => {
      response.on('error', () => {});
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', write);
      write();
    });
    await expect(client().get(origin)).rejects.toMatchObject({code: 'platform-invalid-answer'});
  });
});

describe('a library', () => {
  test('gets an answer in its own shape, and sends forms', async () => {
    const origin = await serve(async (request, response) => {
      response.setHeader('WWW-Authenticate', ['Basic realm="a"', 'Bearer']);
      response.writeHead(401, {'Content-Type': request.headers['content-type']});
      request.pipe(response);
    });
    const {http, context, events} = client();
    const body = new URLSearchParams({grant_type: 'x', client_secret: 's3cret'});
    const response = await http.fetch(context)(`${origin}/token`, {method: 'POST', body});
    expect(response).toMatchObject({status: 401, url: `${origin}/token`});
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="a", Bearer');
    expect(response.headers.get('content-type')).toContain('application/x-www-form-urlencoded');
    expect(await response.text()).toBe('grant_type=x&client_secret=s3cret');
    expect(JSON.stringify(events)).not.toContain('s3cret');
  });

  test('gets an answer without a body', async () => {
    const origin = await serve((_request, response) => response.writeHead(204).end());
    const {http, context} = client();
    expect(await http.fetch(context)(origin)).toMatchObject({status: 204, body: null});
  });

  test('is stopped by its own signal', async () => {
    const origin = await serve(() => {});
    const stop = new AbortController();
    const {http, context} = client();
    const call = http.fetch(context)(origin, {signal: stop.signal});
    stop.abort();
    await expect(call).rejects.toMatchObject({code: 'cancelled'});
  });
});

test('a stream is read as it comes, and told as a call', async () => {
  const origin = await serve((_request, response) => void response.writeHead(200).write('first'));
  const {http, context, events} = client();
  const sent = {method: 'POST', url: new URL(origin), headers: {}, body: Buffer.from('{"a":1}')} as const;
  const reply = await http.open(sent, context);
  for await (const chunk of reply.body) {
    expect(chunk.toString()).toBe('first');
    break;
  }
  expect(events.at(-1)).toMatchObject({type: 'call-answered', status: 200, curl: expect.stringContaining('{"a":1}')});
});

test('an answer is asked for as it is, without a coding that nobody undoes', async () => {
  const origin = await serve((request, response) => response.end(request.headers['accept-encoding']));
  expect((await client().get(origin)).body).toBe('identity');
});

describe('a failure', () => {
  test('nothing listens', async () => {
    const origin = await closedOrigin();
    const {get, events} = client();
    await expect(get(`${origin}/health`)).rejects.toMatchObject({
      code: 'network-refused',
      message: `Nothing listens at ${origin}.`,
    });
    expect(events.at(-1)).toMatchObject({type: 'call-failed', message: `Nothing listens at ${origin}`});
  });

  test('the name is unknown', async () => {
    await expect(client({}, ['no-such-host.invalid']).get('http://no-such-host.invalid/')).rejects.toMatchObject({
      code: 'network-name-not-found',
    });
  });

  test('no answer in time', async () => {
    const origin = await serve(() => {});
    await expect(client().get(origin, {timeout: 50})).rejects.toMatchObject({code: 'network-timeout'});
  });

  test('a body that never ends in time', async () => {
    const origin = await serve((_request, response) => void response.write('{'));
    await expect(client().get(origin, {timeout: 100})).rejects.toMatchObject({code: 'network-timeout'});
  });

  test('the connection closes in the middle', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, {'Content-Length': '100'});
      response.write('{"a":', () => response.destroy());
    });
    await expect(client().get(origin)).rejects.toMatchObject({code: 'network-reset'});
  });

  test('https to a port that speaks http', async () => {
    const origin = (await serve(text('OK'))).replace('http:', 'https:');
    await expect(client().get(origin)).rejects.toMatchObject({code: 'network-wrong-scheme'});
  });

  test('http to a port that speaks something else', async () => {
    const server = createServer(socket => socket.end('\u0015\u0003\u0001'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const {port} = server.address() as {port: number};
    await expect(client().get(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: expect.stringMatching(/^network-/),
    });
  });

  test('a port that web clients refuse', async () => {
    await expect(client().get('http://127.0.0.1:6667/')).rejects.toMatchObject({code: 'network-bad-port'});
  });

  test('the person stops it', async () => {
    const origin = await serve(() => {});
    const controller = new AbortController();
    const {http} = client();
    const call = http.send({method: 'GET', url: new URL(origin)}, {signal: controller.signal, report: () => {}});
    controller.abort();
    await expect(call).rejects.toMatchObject({code: 'cancelled'});
  });
});

describe('an address that no call may go to', () => {
  test.each([
    ['http://api.example.com/health', 'network-insecure'],
    ['http://10.0.0.1/health', 'network-insecure'],
    ['file:///etc/passwd', 'input-invalid'],
    ['https://user:secret@api.example.com/', 'input-invalid'],
  ])('%s', async (url, code) => {
    const {get, events} = client();
    await expect(get(url)).rejects.toMatchObject({code, message: expect.not.stringContaining('secret')});
    expect(events).toEqual([]);
  });
});

describe('a redirect', () => {
  test('within the origin is followed when asked for, with method and body', async () => {
    const origin = await serveRoutes({
      '/applications': (_request, response) => response.writeHead(307, {Location: '/v2/applications'}).end(),
      '/v2/applications': (request, response) => request.pipe(response.writeHead(201, {'X-Method': request.method})),
    });
    const reply = await client().get(`${origin}/applications`, {
      method: 'POST',
      body: '{"name":"x"}',
      redirects: 'same-origin',
    });
    expect([reply.status, reply.header('x-method'), reply.body]).toEqual([201, 'POST', '{"name":"x"}']);
  });

  test('to another origin is never followed', async () => {
    let arrived = 0;
    const other = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    const origin = await serve((_request, response) => response.writeHead(307, {Location: `${other}/steal`}).end());
    for (const redirects of ['same-origin', 'refuse'] as const) {
      await expect(client().get(origin, {method: 'POST', body: 'client_secret=x', redirects})).rejects.toMatchObject({
        code: 'network-redirected',
        message: expect.stringContaining(other),
      });
    }
    expect(arrived).toBe(0);
  });

  test('in a circle ends', async () => {
    const origin = await serve((_request, response) => response.writeHead(302, {Location: '/'}).end());
    await expect(client().get(origin, {redirects: 'same-origin'})).rejects.toMatchObject({code: 'network-redirected'});
  });
});

test('loopback never goes to a proxy', async () => {
  const origin = await serve(text('direct'), 'api.acme.localhost');
  const proxy = await closedOrigin();
  expect((await client({http_proxy: proxy, HTTP_PROXY: proxy}).get(origin)).body).toBe('direct');
});

test('a process that is busy for a moment does not take an open port for a closed one', async () => {
  const port = new URL(await serve(text('OK'))).port;
  const {get} = client();
  // Busy for longer than Node waits for the first address, from the start of its try.
  const beBusy = () => {
    const until = performance.now() + 400;
    while (performance.now() < until);
  };
  const onSocket = (message: unknown) => {
    const {socket} = message as {socket: Socket};
    socket.once('connectionAttempt', () => process.nextTick(beBusy));
  };
  subscribe('net.client.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
  // The name has two addresses, and only the first one has a listener.
  expect(await get(`http://acme.localhost:${port}/health`)).toMatchObject({status: 200});
});

test('a host that is allowed for a platform may be called on the way to that one alone', () => {
  const isAllowed = (host: string, allowHttp: readonly string[] = []) => {
    try {
      checkAddress(new URL(`http://${host}`), policyOf({allowHttp: ['first.lan']}, routeBy({allowHttp})));
      return true;
    } catch {
      return false;
    }
  };
  expect([isAllowed('first.lan'), isAllowed('second.lan')]).toEqual([true, false]);
  const both = ['first.lan', 'second.lan'].map(host => isAllowed(host, ['second.lan']));
  expect(both).toEqual([true, true]);
});
