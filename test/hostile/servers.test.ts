import {createServer, type Socket} from 'node:net';
import {PassThrough} from 'node:stream';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createOutput} from '../../src/bridge/client-output.ts';
import {formatTable} from '../../src/command-line/output/format-table.ts';
import {listThrough} from '../../src/flows/assistants/verify-entries.ts';
import type {Channel, ChannelReply, ChannelRequest} from '../../src/mcp/channel.ts';
import {beginSession} from '../../src/mcp/client.ts';
import {follow} from '../../src/mcp/exchange.ts';
import {listen} from '../../src/mcp/listen.ts';
import {createRelay} from '../../src/mcp/relay.ts';
import {createSseParser} from '../../src/mcp/response-stream.ts';
import {createSession} from '../../src/mcp/session.ts';
import type {Clock, Conversation, Ports} from '../../src/ports/ports.ts';
import {noSignal} from '../support/flows.ts';
import {temporaryPorts} from '../support/place.ts';

const MEGABYTE = 1024 * 1024;
const url = new URL('https://api.acme.example/mcp');

/** Yields a stream in pieces of one size. */
async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

const reply = (body: string, type = 'text/event-stream'): ChannelReply => ({
  status: 200,
  header: name => (name === 'content-type' ? type : undefined),
  headerNames: () => ['content-type'],
  body: inPieces(body, 16 * 1024),
  endWithin: () => {},
  url,
});

describe('a stream of events', () => {
  const worst: readonly (readonly [string, string])[] = [
    ['data lines without data', 'data:\n'],
    ['data lines without a colon', 'data\n'],
    ['short data lines', 'data: x\r\n'],
    ['a line without an end', 'x'],
    ['a data line without an end', 'data: '],
  ];

  test.each(worst)(
    'counts the bytes of %s that it read, in however many pieces they come',
    async (_what, line) => {
      const parser = createSseParser();
      const text = line.repeat(MEGABYTE / line.length);
      let most = 0;
      for await (const chunk of inPieces(text, 64)) {
        parser.push(chunk);
        most = Math.max(most, parser.pending);
      }
      expect(most).toBeGreaterThan(MEGABYTE * 0.8);
    },
    2_000,
  );

  test.each([
    ['comments', ':\n\n'],
    ['events without data', 'event: x\n\n'],
    ['unknown fields', 'x\n\n'],
    ['identifiers', 'id: 1\n\n'],
    ['empty lines', '\n'],
  ])(
    'holds nothing of %s',
    async (_what, line) => {
      const parser = createSseParser();
      for await (const chunk of inPieces(line.repeat(MEGABYTE / line.length), 64)) parser.push(chunk);
      expect(parser.pending).toBeLessThan(100);
    },
    2_000,
  );
});

/** Creates a clock whose pauses end at once, and which ends the run after some of them. */
const countingClock = (most: number) => {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async ms => {
      waits.push(ms);
      if (waits.length >= most) throw new Error('enough');
    },
  };
  return {clock, waits};
};

const messageOf = (id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n`;

/** Starts a server that breaks off each stream after the same text, and records its requests. */
const brokenStreams = (words: string, most: number) => {
  const {clock, waits} = countingClock(most);
  const asked: ChannelRequest[] = [];
  const channel: Channel = {
    call: async request => {
      asked.push(request);
      return reply(words);
    },
  };
  const session = createSession(channel, {revived: () => {}, log: () => {}, clock}, noSignal);
  return {channel, session, clock, waits, asked};
};

/** A call and the server's own stream, each until it gives up. */
const streams = {
  'a call': async (words: string, most: number) => {
    const {waits, asked, ...at} = brokenStreams(words, most);
    const open = new Map([['1', {id: '1', method: 'tools/call'}]]);
    const flight = {controller: new AbortController(), cancelled: false};
    const elsewhere = {isOpen: false, waiting: new Map()};
    const ended = await follow(reply(words), open, async () => true, flight, {...at, elsewhere}).catch(String);
    return {waits, asked, ended};
  },
  'the stream of the server itself': async (words: string, most: number) => {
    const {waits, asked, ...at} = brokenStreams(words, most);
    const output = createOutput(new PassThrough().resume());
    const elsewhere = {isOpen: false, waiting: new Map()};
    const ended = await listen({...at, output, elsewhere}, noSignal).catch(String);
    return {waits, asked, ended};
  },
};

describe.each(Object.entries(streams))('%s that is broken off again and again', (_name, run) => {
  test('is not taken up without a pause, not even the first time', async () => {
    const {waits} = await run(`retry: 0\n${messageOf()}id: 1\n\n`, 5);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
    expect(waits).toHaveLength(5);
  });

  test.each([
    ['an event with only an identifier', 'retry: 0\nid: 1\n\n'],
    ['another identifier without data', 'retry: 0\nid: 1\ndata:\n\n'],
    ['a message that was said before', `retry: 0\n${messageOf('1')}`],
    ['several messages that were said before', `retry: 0\n${messageOf('1')}${messageOf('2')}`],
    ['what is no message', 'retry: 0\nid: 1\ndata: hello\n\n'],
    ['nothing', ''],
  ])('waits longer each time while it says %s', async (_what, words) => {
    const {waits} = await run(words, 12);
    expect(waits.slice(1)).toEqual(waits.slice(1).toSorted((one, other) => one - other));
    // A call that cannot be continued ends at once.
    expect(waits.at(-1) ?? 10_000).toBeGreaterThanOrEqual(10_000);
  });

  test.each([
    ['beyond Latin-1', 'ключ-\u{1F511}', Buffer.from('ключ-\u{1F511}').toString('latin1')],
    ['with an escape sequence', 'a\u001b[31m', undefined],
    ['with DEL', 'a\u007f', undefined],
    ['with NUL', 'a\u0000', undefined],
    ['longer than any header', 'a'.repeat(100_000), undefined],
  ])('is taken up after an identifier %s, as HTML has it, or without one', async (_what, id, sent) => {
    const {asked, ended} = await run(messageOf(id), 3);
    expect(String(ended)).not.toContain('TypeError');
    for (const {headers} of asked.slice(1)) {
      expect(headers['last-event-id']).toBe(sent);
      expect(headers['last-event-id'] ?? '').toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
    }
  });
});

test('a call is given up when a server has said nothing new a dozen times', async () => {
  const {asked, ended} = await streams['a call']('retry: 0\nid: 1\n\n', 100);
  expect([asked.length, ended]).toEqual([12, expect.stringContaining('ended its response without an answer')]);
});

/** Starts a server that answers every request with the same bytes. */
const answeringWith = async (bytes: string): Promise<URL> => {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {}).once('data', () => socket.write(bytes));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`);
};

const switching = ['', 'Connection: Upgrade\r\n', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'].map(
  headers => `HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`,
);

/** The ways in which a call is made. */
const calls = {
  'a whole answer': (url: URL, {http}: Ports) => http.send({method: 'GET', url}, {signal: noSignal, report: () => {}}),
  'what a library asks for': (url: URL, {http}: Ports) => http.fetch({signal: noSignal, report: () => {}})(url),
  'a message to an MCP server': (url: URL, {http}: Ports) =>
    http.open({method: 'POST', url, headers: {}, body: Buffer.from('{}')}, {signal: noSignal, report: () => {}}),
  'a stream of an MCP server': (url: URL, {http}: Ports) =>
    http.open({method: 'GET', url, headers: {}, isAwaited: true}, {signal: noSignal, report: () => {}}),
};

describe.each(Object.entries(calls))('a call that is answered with 101: %s', (_name, call) => {
  test.each(switching)(
    'fails, and does not wait (%j)',
    async bytes => {
      const url = await answeringWith(bytes);
      await expect(call(url, await temporaryPorts())).rejects.toMatchObject({
        code: 'platform-invalid-answer',
        message: expect.stringContaining(`${url.href} answered 101`),
      });
    },
    5_000,
  );
});

describe('a list of tools', () => {
  const toolsOf = (...pages: readonly (readonly string[])[]) =>
    pages.map((names, page) => ({
      tools: names.map(name => ({name, description: name, inputSchema: {}})),
      ...(page < pages.length - 1 ? {nextCursor: 'next'} : {}),
    }));

  /** Lists the tools of a server with these pages. */
  const listed = async (pages: readonly object[]) => {
    const sent: string[] = [];
    let page = 0;
    const conversation: Conversation = {
      send: line => void sent.push(line),
      next: async () => {
        const {id, method} = JSON.parse(sent.findLast(line => line.includes('"id"')) ?? '{}');
        const result = method === 'initialize' ? {protocolVersion: '2025-11-25'} : pages[page++];
        return JSON.stringify({jsonrpc: '2.0', id, result});
      },
      close: async () => {},
    };
    return (await beginSession(conversation)).listTools();
  };

  test('is laid out with what fits of a name of a megabyte', async () => {
    const rows = Array.from({length: 300}, (_, at) => [at === 7 ? 'é'.repeat(MEGABYTE) : `tool-${at}`, 'x'.repeat(at)]);
    for (const width of [undefined, 80]) expect((await formatTable(rows, width)).length).toBeLessThan(MEGABYTE);
  });

  test('is laid out however many there are', async () => {
    const rows = Array.from({length: 200_000}, () => ['a', 'b']);
    expect(await formatTable(rows, 80)).toContain('a   b\n');
  });

  test('is given up when its pages together are longer than any list', async () => {
    const page = Array.from({length: 100}, () => 'x'.repeat(MEGABYTE / 100));
    await expect(listed(toolsOf(...Array.from({length: 50}, () => page)))).rejects.toThrow(/longer than 16 MiB/);
    await expect(listed(toolsOf(page, page))).resolves.toHaveLength(200);
  });

  test('is given up when it has more tools than any assistant takes', async () => {
    const page = Array.from({length: 6_000}, (_, at) => String(at));
    await expect(listed(toolsOf(page, page))).rejects.toThrow(/more than 10,000 tools/);
  });
});

/** Creates an assistant that reads when the test says, and many answers at once for it. */
const answersAtOnce = async (count: number, answer: (id: number) => ChannelReply) => {
  let read = 0;
  const counted = async function* (body: AsyncIterable<Buffer>) {
    for await (const chunk of body) {
      read += chunk.length;
      yield chunk;
    }
  };
  const channel: Channel = {
    call: async ({body}) => {
      const {id} = JSON.parse(String(body));
      const reply = answer(id);
      return {...reply, body: counted(reply.body)};
    },
  };
  const {promise: drained, resolve: readAll} = Promise.withResolvers<void>();
  const written: number[] = [];
  const output = {
    write: (message: Buffer) => {
      written.push(message.length);
      return drained;
    },
  };
  const {clock} = countingClock(1);
  const failed: string[] = [];
  const relay = createRelay({
    ...{channel, output, clock, listens: false, log: () => {}, onIdle: () => {}},
    failed: failure => void failed.push(failure.code),
  });
  for (let id = 1; id <= count; id += 1) {
    relay.take(Buffer.from(JSON.stringify({jsonrpc: '2.0', id, method: 'tools/call', params: {name: 'a'}})));
  }
  /** Resolves when nothing more is read. */
  const atRest = async () => {
    let before = -1;
    while (before !== read) {
      before = read;
      for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
    }
  };
  return {relay, written, failed, readAll, atRest, read: () => read};
};

/** Returns an answer of two megabytes, as one message or as an event. */
const large = (id: number, type: string) => {
  const message = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"x":"${'x'.repeat(2 * MEGABYTE)}"}}`;
  return reply(type === 'application/json' ? message : `data: ${message}\n\n`, type);
};

describe.each(['application/json', 'text/event-stream'])(
  'answers of 2 MB to an assistant that does not read (%s)',
  type => {
    test('are held up to one limit together, and none is lost', async () => {
      const {written, failed, readAll, atRest, read} = await answersAtOnce(60, id => large(id, type));
      await atRest();
      expect(read()).toBeLessThan(70 * MEGABYTE);
      expect(read()).toBeGreaterThan(60 * MEGABYTE);
      readAll();
      await expect.poll(() => written.length).toBe(60);
      expect(failed).toEqual([]);
    });

    test('are not read any more once the bridge ends', async () => {
      const {relay, atRest, read} = await answersAtOnce(60, id => large(id, type));
      await atRest();
      await relay.close();
      await atRest();
      expect(read()).toBeLessThan(80 * MEGABYTE);
    });
  },
);

test.each([
  ['a line break', {Authorization: 'Bearer a\r\nX-Injected: yes'}],
  ['an escape sequence', {Authorization: 'Bearer a\u001b[31m'}],
  ['a letter beyond Latin-1', {Authorization: 'Bearer ключ'}],
  ['a name that is none', {'X Injected\n': 'yes'}],
])('an entry with a header that cannot be sent fails as an entry: %s', async (_what, headers) => {
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  const entry = {kind: 'header', url: 'http://127.0.0.1:49999/mcp', headers} as const;
  await expect(listThrough(entry, run)).rejects.toMatchObject({
    code: 'local-entry-failed',
    message: expect.stringMatching(/^The entry for http:\/\/127\.0\.0\.1:49999\/mcp has a header [^\p{Cc}]+$/u),
  });
});
