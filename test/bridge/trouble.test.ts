import {describe, expect, test} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import {BRIDGE_FAILED} from '../../src/mcp/message.ts';
import type {Streams} from '../../src/ports/ports.ts';
import {closedOrigin, serve, text} from '../support/server.ts';
import {away, bridgeTo, modern} from './support/bridge.ts';
import {type Answer, eventOf, mcpServer, sendEvents, sendJson, VERSION} from './support/mcp-server.ts';

const says =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {'Content-Type': 'text/plain'}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

describe('a request is answered with what went wrong', () => {
  const html = {'Content-Type': 'text/html; charset=utf-8'};
  const troubles: readonly [string, Answer, string, RegExp][] = [
    ['403', says(403, 'not yours'), 'auth-permission-missing', /answered 403: not yours\. .*administrator/],
    [
      '500',
      says(500, 'oops\u001b[31m'),
      'platform-error',
      /answered 500: oops \[31m\. Check whether the request was carried out/,
    ],
    [
      '502 with a page',
      says(502, '<html>bad gateway', html),
      'platform-error',
      /\/mcp answered 502\. Check whether the request/,
    ],
    ['429', says(429, ''), 'platform-busy', /gets too many requests \(429\)\. Check whether the call did/],
    ['405', says(405, ''), 'platform-no-such-endpoint', /answered 405\./],
    ['415', says(415, 'what?'), 'platform-rejected', /answered 415: what\?\./],
    ['a page', says(200, '<html>sign in', html), 'network-portal', /returned a web page/],
    ['another type', says(200, 'a,b', {'Content-Type': 'text/csv'}), 'platform-mcp-failed', /returned text\/csv/],
    ['no type', says(200, '', {}), 'platform-mcp-failed', /returned no content type/],
    ['202', says(202, '', {}), 'platform-mcp-failed', /no content type/],
    [
      'no JSON',
      says(200, '{"id":1,', {'Content-Type': 'application/json'}),
      'platform-invalid-answer',
      /not an MCP message/,
    ],
    [
      'an empty stream',
      says(200, '', {'Content-Type': 'text/event-stream'}),
      'platform-mcp-failed',
      /ended its response without an answer/,
    ],
    [
      'a redirect',
      says(307, '', {Location: 'https://evil.example/x'}),
      'network-redirected',
      /to https:\/\/evil\.exam/,
    ],
    [
      'a connection that ends before any answer',
      (_, response) => void response.destroy(),
      'network-lost',
      /was lost before it answered/,
    ],
    [
      'half an answer',
      (_, response) => {
        response.writeHead(200, {'Content-Type': 'text/event-stream'});
        response.write('data: {"jsonrpc":"2.0","id":2,', () => response.destroy());
      },
      'network-lost',
      /was lost before it answered/,
    ],
  ];

  test.each(troubles)('%s', async (_, answer, code, message) => {
    const server = await mcpServer({answers: {'tools/call': answer}});
    const {initialize, request, lines} = await bridgeTo(server.origin);
    await initialize();
    const answered = await request('tools/call', {name: 'a'});
    expect(answered).toMatchObject({
      error: {code: BRIDGE_FAILED, data: {code}, message: expect.stringMatching(message)},
    });
    expect(answered.error.message).toContain(server.origin);
    expect(answered.error.message).not.toMatch(/try again/i);
    expect(await request('echo', {})).toHaveProperty('result');
    expect(lines).toHaveLength(3);
    // It is not known what a tool did before its answer was lost, so the call is not repeated.
    expect(server.methods().filter(method => method === 'tools/call')).toHaveLength(1);
  });

  test('an error of the server’s own comes as it is, to the request that it belongs to', async () => {
    const error = {code: -32020, message: 'Header mismatch', data: {header: 'Mcp-Name'}};
    const server = await mcpServer({
      answers: {
        'x/addressed': ({id}, response) => sendJson(response, {jsonrpc: '2.0', id, error}, 400),
        'x/lost': (_, response) => sendJson(response, {jsonrpc: '2.0', id: null, error}, 404),
      },
    });
    const {request} = await bridgeTo(server.origin);
    expect(await request('x/addressed', modern())).toEqual({jsonrpc: '2.0', id: 1, error});
    expect(await request('x/lost', modern())).toEqual({jsonrpc: '2.0', id: 2, error});
  });

  test('nobody there, and soon', async () => {
    const origin = await closedOrigin();
    const {initialize, request} = await bridgeTo(origin);
    const refused = expect.stringContaining(`Nothing listens at ${origin}.`);
    expect(await initialize()).toMatchObject(away('network-refused', refused));
    expect(await request('tools/call', {name: 'a'})).toMatchObject({
      result: {isError: true, content: [{type: 'text', text: refused}]},
    });
  });

  test('nobody there, and no time for another look', async () => {
    const refused = new SetupError('network-refused', 'Nothing listens there.', {about: {isUnsent: true}});
    let tries = 0;
    const open = () => {
      tries += 1;
      return tries % 2 === 1 ? Promise.reject(refused) : new Promise<never>(() => {});
    };
    const between = (network: Streams): Streams => ({...network, open});
    const {initialize, request} = await bridgeTo(await closedOrigin(), {between, hurry: 20});
    expect(await initialize()).toMatchObject(away('network-refused'));
    const {result} = await request('tools/call', {name: 'a'});
    expect(result.content[0].text).toContain(
      'Nothing listens there. The call was not sent, so nothing was carried out.',
    );
    expect(result.content[0].text).not.toContain('may have been');
  });

  test('plain http to another machine', async () => {
    const context = {controlPlaneUrl: 'http://api.acme.example.com'};
    const {initialize} = await bridgeTo('http://127.0.0.1:9', {context});
    expect(await initialize()).toMatchObject(away('network-insecure'));
  });

  test('a server that is none', async () => {
    const origin = await serve(text('404 page not found', 404));
    const {initialize} = await bridgeTo(origin);
    expect(await initialize()).toMatchObject(away('platform-no-such-endpoint'));
  });

  test('a handshake that fails is said on standard error, too', async () => {
    const [broken, strict, odd] = [
      await mcpServer({answers: {initialize: says(500, 'oops')}}),
      await mcpServer({
        answers: {
          initialize: ({id}, response) =>
            sendJson(response, {jsonrpc: '2.0', id, error: {code: -32022, message: 'No.'}}, 400),
        },
      }),
      await mcpServer({
        answers: {
          initialize: ({id}, response) =>
            sendEvents(response, {jsonrpc: '2.0', id, error: {code: -32602, message: '?'}}),
        },
      }),
    ];
    const said = [
      /answered 500: oops/,
      /supports neither the assistant’s version of MCP nor one that this program can translate/,
      /"code":-32602/,
    ];
    for (const [at, {origin}] of [broken, strict, odd].entries()) {
      const {initialize, logs} = await bridgeTo(origin);
      // The bridge answers for an absent server. A server's own refusal of the handshake is passed on.
      expect(await initialize()).toHaveProperty(at === 0 ? 'result' : 'error');
      expect(logs).toEqual([expect.stringMatching(said[at] ?? '')]);
    }
  });

  test('a message that nobody waits for an answer to is said on standard error', async () => {
    const server = await mcpServer({answers: {'notifications/roots/list_changed': says(500, '')}});
    const {initialize, notify, logs} = await bridgeTo(server.origin);
    await initialize();
    notify('notifications/roots/list_changed');
    await expect.poll(() => logs).toHaveLength(1);
    expect(logs[0]).toContain('answered 500');
  });
});

describe('a session that the server has forgotten', () => {
  test('is begun again by the assistant’s own words, once, and no answer shows it', async () => {
    const server = await mcpServer();
    const {initialize, request, lines} = await bridgeTo(server.origin);
    await initialize();
    await request('echo', {});
    const [first] = server.seen;
    server.forget();
    const answers = await Promise.all(Array.from({length: 20}, (_, n) => request('echo', {n})));
    expect(answers.map(({result}) => result.n)).toEqual(Array.from({length: 20}, (_, n) => n));
    const begun = server.seen.filter(({method}) => method === 'initialize');
    expect(begun.map(({raw}) => raw)).toEqual([first?.raw, first?.raw]);
    expect(begun[1]?.headers).not.toHaveProperty('mcp-session-id');
    expect(server.methods().filter(method => method === 'notifications/initialized')).toHaveLength(2);
    expect(lines.filter(line => line.includes('"method"'))).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    ]);
    expect(lines).toHaveLength(23);
  });

  test('is begun again also where the answer to that is in a stream that stays open', async () => {
    const server = await mcpServer({
      answers: {
        initialize: ({id}, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write(eventOf({jsonrpc: '2.0', id, result: {protocolVersion: VERSION}}));
        },
      },
    });
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    await request('echo', {});
    server.forget();
    expect(await request('echo', {b: 2})).toMatchObject({result: {b: 2}});
  });

  test('is begun again also where it is told by 400, as some servers do', async () => {
    let isKnown = false;
    const server = await mcpServer({
      answers: {
        echo: ({id}, response) => {
          if (isKnown) return sendEvents(response, {jsonrpc: '2.0', id, result: {}});
          isKnown = true;
          const error = {code: -32000, message: 'Bad Request: No valid session ID provided'};
          sendJson(response, {jsonrpc: '2.0', id: null, error}, 400);
        },
      },
    });
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('echo', {})).toHaveProperty('result');
    expect(server.methods().filter(method => method === 'initialize')).toHaveLength(2);
  });

  test('and forgets each time is not begun for ever', async () => {
    const server = await mcpServer({answers: {echo: says(404, 'session not found')}});
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('echo', {})).toMatchObject({error: {data: {code: 'platform-no-such-endpoint'}}});
    expect(server.methods().filter(method => method === 'initialize')).toHaveLength(2);
  });

  test('is begun again when the server’s own stream finds out', async () => {
    const answers: Record<string, Answer> = {
      GET: (_, response) => {
        response.writeHead(200, {'Content-Type': 'text/event-stream'});
        response.end('retry: 1\n\n');
        server.forget();
        answers.GET = says(404, 'session not found');
      },
    };
    const server = await mcpServer({answers});
    const {initialize} = await bridgeTo(server.origin);
    await initialize();
    await expect.poll(() => server.methods().filter(method => method === 'initialize').length).toBe(2);
    await expect.poll(() => server.methods().filter(method => method === 'GET').length).toBeGreaterThan(2);
  });
});

describe('a stream that breaks off before its answer', () => {
  test('is taken up where it was, as often as it tells something', async () => {
    let parts = 0;
    let id = 0;
    const server = await mcpServer({
      answers: {
        'tools/call': (message, response) => {
          id = message.id;
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write('id: 0\nretry: 1\ndata:\n\n', () => response.destroy());
        },
        GET: (_, response, {headers}) => {
          const last = headers['last-event-id'];
          if (last === undefined) return void response.writeHead(405).end();
          parts += 1;
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          const message = {jsonrpc: '2.0', ...(parts < 8 ? {method: 'notifications/progress'} : {id, result: {last}})};
          response.write(eventOf(message, String(parts)), () => response.destroy());
        },
      },
    });
    const {initialize, request, messages} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('tools/call', {name: 'a'})).toMatchObject({result: {last: '7'}});
    expect(messages().filter(({method}) => method === 'notifications/progress')).toHaveLength(7);
    expect(server.methods().filter(method => method === 'tools/call')).toHaveLength(1);
  });

  test.each([
    ['500', says(500, 'restarting')],
    ['503 with a time', says(503, '', {'Retry-After': '0'})],
    ['429', says(429, '')],
  ])('is taken up also when the server fails meanwhile: %s', async (_, fails) => {
    let [tries, id] = [0, 0];
    const server = await mcpServer({
      answers: {
        'tools/call': (message, response) => {
          id = message.id;
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write('id: 7\nretry: 1\ndata:\n\n', () => response.destroy());
        },
        GET: (message, response, seen) => {
          if (seen.headers['last-event-id'] === undefined) return void response.writeHead(405).end();
          tries += 1;
          if (tries < 4) return fails(message, response, seen);
          sendEvents(response, {jsonrpc: '2.0', id, result: {tries}});
        },
      },
    });
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('tools/call', {name: 'a'})).toMatchObject({result: {tries: 4}});
    expect(server.methods().filter(method => method === 'tools/call')).toHaveLength(1);
  });

  test('and is gone is answered with that', async () => {
    const server = await mcpServer({
      answers: {
        'tools/call': (_, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write('id: 0\nretry: 1\ndata:\n\n', () => response.destroy());
        },
      },
    });
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('tools/call', {name: 'a'})).toMatchObject({error: {data: {code: expect.any(String)}}});
  });
});

test('a connection that the server has dropped is made again', async () => {
  const server = await mcpServer({
    answers: {
      ping: ({id}, response) => {
        response.socket?.once('close', () => {});
        sendJson(response, {jsonrpc: '2.0', id, result: {}});
      },
      'resources/list': (_, response) => {
        drops += 1;
        if (drops === 1) response.destroy();
        else sendEvents(response, {jsonrpc: '2.0', id: 2, result: {}});
      },
    },
  });
  let drops = 0;
  const {initialize, request} = await bridgeTo(server.origin);
  await initialize();
  expect(await request('resources/list')).toHaveProperty('result');
  expect(drops).toBe(2);
});
