import {describe, expect, test} from 'vitest';
import {bridgeTo, modern} from './support/bridge.ts';
import {eventOf, mcpServer, sendEvents, sendJson, VERSION} from './support/mcp-server.ts';

describe('the handshake of 2025', () => {
  test('opens a session, whose headers every later message carries', async () => {
    const server = await mcpServer();
    const {initialize, request} = await bridgeTo(server.origin);
    expect(await initialize()).toMatchObject({result: {protocolVersion: VERSION}});
    expect(await request('echo', {a: 1})).toMatchObject({result: {a: 1}});
    const [first, second, ...later] = server.seen;
    expect(first?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer access-0',
    });
    expect(first?.headers).not.toHaveProperty('mcp-session-id');
    expect(second?.method).toBe('notifications/initialized');
    const [session] = server.sessions;
    for (const one of [second, ...later]) {
      expect(one?.headers).toMatchObject({'mcp-session-id': session, 'mcp-protocol-version': VERSION});
      expect(one?.headers).not.toHaveProperty('mcp-method');
    }
  });

  test('is heard by the server before what comes after it', async () => {
    let confirm = () => {};
    const server = await mcpServer({
      answers: {
        'notifications/initialized': (_, response) => {
          confirm = () => void response.writeHead(202).end();
        },
      },
    });
    const {initialize, request, until} = await bridgeTo(server.origin);
    await initialize();
    const answered = request('echo', {});
    await expect.poll(() => server.methods()).toContain('notifications/initialized');
    expect(server.methods()).not.toContain('echo');
    confirm();
    await answered;
    expect(await until(({id}) => id === 2)).toHaveProperty('result');
  });

  test('begun anew by the assistant, takes the new session', async () => {
    const server = await mcpServer();
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    await initialize();
    await request('echo', {});
    expect(server.last('echo').headers['mcp-session-id']).toBe([...server.sessions].at(-1));
    expect(server.seen.filter(({method}) => method === 'initialize')[1]?.headers).not.toHaveProperty('mcp-session-id');
  });
});

describe('the era of 2026', () => {
  test('has headers from the message, and no session', async () => {
    const server = await mcpServer({
      answers: {
        'tools/list': ({id}, response) => {
          const inputSchema = {type: 'object', properties: {region: {type: 'string', 'x-mcp-header': 'Region'}}};
          sendJson(response, {jsonrpc: '2.0', id, result: {tools: [{name: 'deploy', inputSchema}]}});
        },
      },
    });
    const {request} = await bridgeTo(server.origin);
    await request('tools/list', modern());
    await request('tools/call', modern({name: 'deploy', arguments: {region: 'eu'}}));
    const {headers} = server.last('tools/call');
    expect(headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'deploy',
      'mcp-param-region': 'eu',
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(server.methods()).toEqual(['tools/list', 'tools/call']);
  });

  test('has no tools that ask for headers in a wrong way, and the others of the answer as they were', async () => {
    const good = {name: 'good', inputSchema: {type: 'object'}};
    const inputSchema = {type: 'object', properties: {a: {type: 'string', 'x-mcp-header': 'a b'}}};
    const server = await mcpServer({
      answers: {
        'tools/list': ({id}, response) =>
          sendJson(response, {jsonrpc: '2.0', id, result: {tools: [{name: 'bad', inputSchema}, good], ttlMs: 7}}),
      },
    });
    const {initialize, request, logs} = await bridgeTo(server.origin);
    expect((await request('tools/list', modern())).result).toEqual({tools: [good], ttlMs: 7});
    expect(logs).toEqual(['The bridge leaves out the tool bad: x-mcp-header of a is not a valid header name.']);
    // The earlier era does not know `x-mcp-header`, so no tool is left out.
    await initialize();
    expect((await request('tools/list')).result.tools).toHaveLength(2);
  });

  test('is one that an older server does not know, which an assistant is told that begins by a handshake then', async () => {
    const server = await mcpServer({
      answers: {'server/discover': (_, response) => void response.writeHead(400).end('Bad Request: no session')},
    });
    const {request, initialize} = await bridgeTo(server.origin);
    expect(await request('server/discover', modern({}, 'claude-code'))).toMatchObject({error: {code: -32601}});
    expect(await initialize()).toHaveProperty('result');
  });

  test('cancels by closing the stream', async () => {
    let closed = () => {};
    const isClosed = new Promise<void>(resolve => {
      closed = resolve;
    });
    const server = await mcpServer({
      answers: {
        'tools/call': (_, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'}).flushHeaders();
          response.once('close', closed);
        },
      },
    });
    const {send, notify, request, messages} = await bridgeTo(server.origin);
    send({jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: modern({name: 'a'})});
    await expect.poll(() => server.methods()).toEqual(['tools/call']);
    notify('notifications/cancelled', modern({requestId: 'slow'}));
    await isClosed;
    await request('echo', modern());
    expect(server.methods()).toEqual(['tools/call', 'echo']);
    expect(messages().map(({id}) => id)).toEqual([1]);
  });
});

describe('messages', () => {
  test('pass as they are, in both directions', async () => {
    const odd =
      '{"id":"é\\u00e9", "jsonrpc" : "2.0","method":"x/unknown","params":{"big":12345678901234567890,"e":1e400}}';
    const back = '{ "jsonrpc":"2.0","result":{"big":12345678901234567890, "s":"\\u00e9\\/"},"id":"é\\u00e9"}';
    const server = await mcpServer({
      answers: {
        'x/unknown': (_, response) =>
          void response.writeHead(200, {'Content-Type': 'application/json; charset=utf-8'}).end(back),
      },
    });
    const {initialize, send, until, lines} = await bridgeTo(server.origin);
    await initialize();
    send(odd);
    await until(({id}) => id === 'éé');
    expect(server.last('x/unknown').raw).toBe(odd);
    expect(lines.at(-1)).toBe(back);
  });

  test('that a server breaks into lines come on one', async () => {
    const server = await mcpServer({
      answers: {
        pretty: ({id}, response) => {
          const text = JSON.stringify({jsonrpc: '2.0', id, result: {a: [1]}}, null, 2).replaceAll('\n', '\r\n');
          response.writeHead(200, {'Content-Type': 'application/json'}).end(text);
        },
        events: ({id}, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.end(`data: {"jsonrpc":"2.0",\ndata: "id":${id},\ndata: "result":{}}\n\n`);
        },
      },
    });
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    expect(await request('pretty')).toMatchObject({result: {a: [1]}});
    expect(await request('events')).toMatchObject({result: {}});
  });

  test('of progress come as they happen', async () => {
    let finish = () => {};
    const server = await mcpServer({
      answers: {
        'tools/call': ({id}, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write(eventOf({jsonrpc: '2.0', method: 'notifications/progress', params: {progress: 1}}));
          finish = () => void response.end(eventOf({jsonrpc: '2.0', id, result: {}}));
        },
      },
    });
    const {initialize, request, until} = await bridgeTo(server.origin);
    await initialize();
    const answer = request('tools/call', {name: 'a'});
    await until(({method}) => method === 'notifications/progress');
    finish();
    expect(await answer).toHaveProperty('result');
  });

  test('that the server asks are answered by the assistant, also while it waits itself', async () => {
    let asked: (result: object) => void = () => {};
    const server = await mcpServer({
      answers: {
        'tools/call': ({id}, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write(eventOf({jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: {message: 'Which?'}}));
          asked = result => void response.end(eventOf({jsonrpc: '2.0', id, result}));
        },
      },
    });
    const {initialize, request, until, send} = await bridgeTo(server.origin);
    await initialize();
    const answer = request('tools/call', {name: 'a'});
    await until(({method}) => method === 'elicitation/create');
    send({jsonrpc: '2.0', id: 'q', result: {action: 'accept'}});
    await expect.poll(() => server.seen.find(({message}) => message?.id === 'q')?.message.result).toBeTruthy();
    asked({done: true});
    expect(await answer).toMatchObject({result: {done: true}});
  });

  test('that the server sends by itself come through its own stream', async () => {
    const server = await mcpServer({
      answers: {
        GET: (_, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'});
          response.write(eventOf({jsonrpc: '2.0', method: 'notifications/tools/list_changed'}));
        },
      },
    });
    const {initialize, until} = await bridgeTo(server.origin);
    await initialize();
    await until(({method}) => method === 'notifications/tools/list_changed');
    expect(server.last('GET').headers).toMatchObject({accept: 'text/event-stream', 'mcp-protocol-version': VERSION});
  });

  test('that cancel are passed on before 2026, and no answer is made up', async () => {
    let end = () => {};
    const server = await mcpServer({
      answers: {
        'tools/call': (_, response) => {
          response.writeHead(200, {'Content-Type': 'text/event-stream'}).flushHeaders();
          end = () => void response.end();
        },
      },
    });
    const {initialize, send, notify, request, messages} = await bridgeTo(server.origin);
    await initialize();
    send({jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: {name: 'a'}});
    await expect.poll(() => server.methods()).toContain('tools/call');
    notify('notifications/cancelled', {requestId: 'slow'});
    await expect.poll(() => server.methods()).toContain('notifications/cancelled');
    end();
    await request('echo', {});
    expect(messages().map(({id}) => id)).toEqual([1, 2]);
  });

  test('that were cancelled fail in silence', async () => {
    let fail = () => {};
    const server = await mcpServer({
      answers: {
        'tools/call': (_, response) => {
          fail = () => void response.writeHead(500).end();
        },
      },
    });
    const {initialize, send, notify, request, messages} = await bridgeTo(server.origin);
    await initialize();
    send({jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: {name: 'a'}});
    await expect.poll(() => server.methods()).toContain('tools/call');
    notify('notifications/cancelled', {requestId: 'slow'});
    await expect.poll(() => server.methods()).toContain('notifications/cancelled');
    fail();
    await request('echo', {});
    await request('echo', {});
    expect(messages().map(({id}) => id)).toEqual([1, 2, 3]);
  });

  test('in a batch are one request to the server', async () => {
    const server = await mcpServer();
    const {initialize, send, until, logs} = await bridgeTo(server.origin);
    await initialize();
    send('[{"jsonrpc":"2.0","id":"a","method":"echo"},{"jsonrpc":"2.0","id":"b","method":"echo"}]');
    // The server does not answer arrays. The bridge still answers each request in one.
    expect(await until(({id}) => id === 'a')).toMatchObject({error: {data: {code: 'platform-mcp-failed'}}});
    expect(await until(({id}) => id === 'b')).toHaveProperty('error');
    expect(logs).toEqual([]);
  });

  test('that are malformed are refused one by one, and the rest goes on', async () => {
    const server = await mcpServer();
    const {initialize, send, request, messages} = await bridgeTo(server.origin);
    await initialize();
    for (const line of ['{"jsonrpc":', '\u0000\u0001', '', '   ', '{"a":1}']) send(line);
    expect(await request('echo', {b: 2})).toMatchObject({result: {b: 2}});
    const errors = messages().filter(({error}) => error);
    expect(errors.map(({id, error}) => [id, error.code])).toEqual([
      [null, -32700],
      [null, -32700],
      [null, -32700],
      [null, -32600],
    ]);
  });

  test('that are malformed are answered by their own id, in a batch as well, and the rest of that goes on', async () => {
    const server = await mcpServer();
    const {initialize, send, until} = await bridgeTo(server.origin);
    await initialize();
    send('{"jsonrpc":"2.0","id":"single","method":"echo","params":[1]}');
    expect(await until(({id}) => id === 'single')).toMatchObject({error: {code: -32600}});
    send('[{"jsonrpc":"2.0","id":"bad","method":7},{"jsonrpc":"2.0","id":"good","method":"echo"}]');
    expect(await until(({id}) => id === 'bad')).toMatchObject({error: {code: -32600}});
    expect(await until(({id}) => id === 'good')).toBeDefined();
    expect(server.seen.at(-1)?.message).toEqual([{jsonrpc: '2.0', id: 'good', method: 'echo'}]);
  });

  test('of 12 MB pass both ways', async () => {
    const server = await mcpServer();
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    const text = 'é'.repeat(6_000_000);
    const {result} = await request('echo', {text});
    expect(result.text === text).toBe(true);
  });

  test('go many at once, and each answer to its request', async () => {
    const waiting: (() => void)[] = [];
    const server = await mcpServer({
      answers: {
        'tools/call': ({id, params}, response) => {
          waiting.push(() => sendEvents(response, {jsonrpc: '2.0', id, result: params}));
          if (waiting.length === 60) for (const answer of waiting.toReversed()) answer();
        },
      },
    });
    const {initialize, request} = await bridgeTo(server.origin);
    await initialize();
    const answers = await Promise.all(Array.from({length: 60}, (_, n) => request('tools/call', {name: 'a', n})));
    expect(answers.map(({result}) => result.n)).toEqual(Array.from({length: 60}, (_, n) => n));
  });
});
