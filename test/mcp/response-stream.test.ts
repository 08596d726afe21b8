import {setImmediate} from 'node:timers/promises';
import {describe, expect, test, vi} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import type {ChannelReply} from '../../src/mcp/channel.ts';
import {createHeldAnswers, createSseParser, readAnswer, readOn, resumeDelay} from '../../src/mcp/response-stream.ts';

const parse = (...chunks: readonly (string | Buffer)[]) => {
  const parser = createSseParser();
  const events = chunks.flatMap(chunk => parser.push(Buffer.from(chunk as string)));
  const told = events.map(({data, type}) => [type, data.toString()]);
  return {told, lastEventId: parser.lastEventId, retry: parser.retry};
};

/** The stream, its events, and the state afterwards. */
const streams: readonly [string, string, readonly (readonly [string, string])[], {id?: string; retry?: number}?][] = [
  ['one event', 'data: a\n\n', [['', 'a']]],
  ['a type', 'event: message\ndata: a\n\n', [['message', 'a']]],
  [
    'a type that is gone with its event',
    'event: x\ndata: a\n\ndata: b\n\n',
    [
      ['x', 'a'],
      ['', 'b'],
    ],
  ],
  [
    'CRLF',
    'event: m\r\ndata: a\r\n\r\ndata: b\r\n\r\n',
    [
      ['m', 'a'],
      ['', 'b'],
    ],
  ],
  [
    'CR alone',
    'data: a\r\rdata: b\r\r',
    [
      ['', 'a'],
      ['', 'b'],
    ],
  ],
  [
    'all line ends mixed',
    'data: a\r\n\ndata: b\n\r\ndata: c\r\n\r\n',
    [
      ['', 'a'],
      ['', 'b'],
      ['', 'c'],
    ],
  ],
  ['several data lines', 'data: {\ndata:  "a": 1\ndata: }\n\n', [['', '{\n "a": 1\n}']]],
  [
    'only the first space is left out',
    'data:  a\n\ndata:b\n\n',
    [
      ['', ' a'],
      ['', 'b'],
    ],
  ],
  ['comments', ': keep-alive\n\n:\ndata: a\n: again\n\n', [['', 'a']]],
  [
    'unknown fields and names without a value',
    'foo: bar\ndata\nx\n\ndata: a\n\n',
    [
      ['', ''],
      ['', 'a'],
    ],
  ],
  [
    'an id for what follows',
    'id: 1\ndata: a\n\ndata: b\n\n',
    [
      ['', 'a'],
      ['', 'b'],
    ],
    {id: '1'},
  ],
  ['an id without data', 'id: 7\nretry: 250\ndata:\n\n', [['', '']], {id: '7', retry: 250}],
  [
    'an id that is taken back',
    'id: 1\ndata: a\n\nid\ndata: b\n\n',
    [
      ['', 'a'],
      ['', 'b'],
    ],
  ],
  ['an id with a NUL', 'id: 1\n\nid: a\0b\n\n', [], {id: '1'}],
  ['an id of an event that did not end', 'id: 1\n\nid: 2\ndata: a\n', [], {id: '1'}],
  ['a retry that is no number', 'retry: 10\n\nretry: 1e9\nretry: -1\n\n', [], {retry: 10}],
  [
    'a byte order mark',
    '\uFEFFdata: a\n\ndata: \uFEFFb\n\n',
    [
      ['', 'a'],
      ['', '\uFEFFb'],
    ],
  ],
  ['an event that does not end', 'data: a\n\ndata: b', [['', 'a']]],
  ['characters of up to four bytes', 'data: é€😀\n\n', [['', 'é€😀']]],
  ['nothing', '', []],
];

describe('a stream of events', () => {
  test.each(streams)('with %s', (_, text, told, {id = '', retry} = {}) => {
    expect(parse(text)).toEqual({told, lastEventId: id, retry});
  });

  test.each(streams)('in chunks of every size, with %s', (_, text, told, {id = '', retry} = {}) => {
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks = Array.from({length: Math.ceil(bytes.length / size)}, (_unused, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(parse(...chunks)).toEqual({told, lastEventId: id, retry});
    }
  });
});

const busy = (retryAfter: number) => new SetupError('platform-busy', 'Busy.', {about: {retryAfter}});

test.each<[number, number | undefined, unknown, number]>([
  [0, undefined, undefined, 1_000],
  [1, undefined, undefined, 1_500],
  [20, undefined, undefined, 30_000],
  [0, 3_000, undefined, 3_000],
  [1, 3_000, undefined, 4_500],
  [0, 0, undefined, 250],
  [2, 1, undefined, 562.5],
  [0, 1, busy(7_000), 7_000],
  [0, 9_000, busy(7_000), 9_000],
  [0, 1, busy(3_600_000), 30_000],
  [0, 1, new Error('No.'), 250],
])('after %d tries, with the wish %j and what it broke with (%s), it waits for %d ms', (tries, wish, broke, wait) => {
  expect(resumeDelay(tries, wish, broke)).toBe(wait);
});

const url = new URL('http://api.acme.example/mcp');
const MIB = 1024 * 1024;

type Parts = readonly (string | Buffer | Error)[];

/** Returns an answer whose body comes in these parts; an error among them breaks it off. */
const replyOf = (parts: Parts, headers: Readonly<Record<string, string>> = {}, status = 200) => {
  const endWithin = vi.fn();
  let read = 0;
  const reply: ChannelReply = {
    status,
    url,
    header: name => ({'content-type': 'text/event-stream', ...headers})[name.toLowerCase()],
    headerNames: () => [],
    endWithin,
    body: (async function* () {
      for (const part of parts) {
        read += 1;
        if (part instanceof Error) throw part;
        yield Buffer.from(part as string);
      }
    })(),
  };
  return {reply, endWithin, read: () => read};
};

const json = {'content-type': 'Application/JSON; charset=utf-8'};

/** Collects what is delivered; `isMessage` says whether it is a message. */
const collecting = (isMessage: (text: string) => boolean = () => true) => {
  const got: string[] = [];
  const deliver = async (message: Buffer) => {
    got.push(message.toString());
    return isMessage(message.toString());
  };
  return {got, deliver};
};

describe('an answer of JSON', () => {
  test('is one message, whatever parts it comes in', async () => {
    const {got, deliver} = collecting();
    await readAnswer(replyOf(['{"a"', ':', '1}'], json).reply, deliver);
    expect(got).toEqual(['{"a":1}']);
  });

  test('that is no message is a failure', async () => {
    const {deliver} = collecting(() => false);
    await expect(readAnswer(replyOf(['1'], json).reply, deliver)).rejects.toMatchObject({
      code: 'platform-invalid-answer',
      message: 'http://api.acme.example/mcp returned JSON that is not an MCP message.',
    });
  });

  test('that announces too much is not read', async () => {
    const {reply, endWithin, read} = replyOf(['1'], {...json, 'content-length': String(65 * MIB)});
    await expect(readAnswer(reply, collecting().deliver)).rejects.toMatchObject({
      code: 'platform-invalid-answer',
      message: 'http://api.acme.example/mcp returned 65 MiB in one message; the limit is 64 MiB.',
    });
    expect(endWithin).toHaveBeenCalledExactlyOnceWith(0);
    expect(read()).toBe(0);
  });

  test('that announces as much as the limit, or becomes larger without saying so, is measured as it comes', async () => {
    const part = Buffer.alloc(32 * MIB, 'x');
    const {got, deliver} = collecting();
    await readAnswer(replyOf([part, part], {...json, 'content-length': String(64 * MIB)}).reply, deliver);
    expect(got[0]).toHaveLength(64 * MIB);
    const {reply, read} = replyOf([part, part, 'x', 'never read'], json);
    await expect(readAnswer(reply, deliver)).rejects.toMatchObject({
      message: expect.stringContaining('returned more than 64 MiB in one message; the limit is 64 MiB.'),
    });
    expect(read()).toBe(3);
    expect(got).toHaveLength(1);
  });
});

describe('an answer of another type', () => {
  test('is a failure that names the type', async () => {
    const {reply} = replyOf(['hello'], {'content-type': 'text/plain'});
    await expect(readAnswer(reply, collecting().deliver)).rejects.toMatchObject({
      code: 'platform-mcp-failed',
      message: 'http://api.acme.example/mcp returned text/plain instead of an MCP reply.',
    });
    await expect(readAnswer(replyOf([], {'content-type': ''}).reply, collecting().deliver)).rejects.toMatchObject({
      message: expect.stringContaining('returned no content type instead of an MCP reply.'),
    });
  });

  test('that is a page is one of a portal, known by its beginning', async () => {
    const {reply, read} = replyOf(['<html><title>Sign in</title>', 'more'], {'content-type': 'text/html'});
    await expect(readAnswer(reply, collecting().deliver)).rejects.toMatchObject({
      code: 'network-portal',
      message: expect.stringContaining('“Sign in”'),
    });
    expect(read()).toBe(1);
  });
});

describe('a stream', () => {
  test('gives the data of its messages, and nothing of other events', async () => {
    const {got, deliver} = collecting();
    const events = [
      'data: a\n\n',
      'event: message\ndata: b\n\n',
      'event: other\ndata: c\n\n',
      'data\n\n',
      'data: d\n\n',
    ];
    await readAnswer(replyOf([events.join('')]).reply, deliver);
    expect(got).toEqual(['a', 'b', 'd']);
  });

  test('tells the identifiers of the messages in each part, and none of what is no message', async () => {
    const {deliver} = collecting(text => text !== 'no');
    const heard = vi.fn();
    await readAnswer(replyOf(['id: 1\ndata: a\n\ndata: b\n\nid: 3\ndata: no\n\n', 'id: 4\n\n']).reply, deliver, heard);
    expect(heard.mock.calls.map(([, messages]) => messages)).toEqual([['1', undefined], []]);
    expect(heard.mock.lastCall?.[0]).toMatchObject({lastEventId: '4'});
  });

  test('with an event above the limit is a failure', async () => {
    const part = Buffer.alloc(33 * MIB, 'x');
    await expect(readAnswer(replyOf(['data: ', part, part, 'x']).reply, collecting().deliver)).rejects.toMatchObject({
      code: 'platform-invalid-answer',
      message: expect.stringContaining('returned more than 64 MiB in one message'),
    });
  });

  test('ignores an identifier that no header can carry, and one that is too long for it', async () => {
    const heard = vi.fn();
    const longest = 'x'.repeat(4 * 1024);
    const ids = [longest, `${longest}x`, 'a\u0007', 'a\u007F'];
    await readAnswer(replyOf(ids.map(id => `id: ${id}\ndata: a\n\n`)).reply, collecting().deliver, heard);
    expect(heard.mock.calls.map(([, messages]) => messages)).toEqual([
      [longest],
      [undefined],
      [undefined],
      [undefined],
    ]);
    expect(heard.mock.lastCall?.[0]).toMatchObject({lastEventId: longest});
  });

  test('holds as much as is not delivered yet, and nothing at its end', async () => {
    const held: (readonly [string, number])[] = [];
    const share = {
      grow: (bytes: number) => void held.push(['grow', bytes]),
      shrink: (bytes: number) => void held.push(['shrink', bytes]),
    };
    await readAnswer(replyOf(['data: abc\n\n', 'data: de']).reply, collecting().deliver, () => {}, share as never);
    expect(held).toEqual([
      ['grow', 3],
      ['shrink', 0],
      ['grow', 8],
      ['shrink', 8],
      ['shrink', 0],
    ]);
  });
});

describe('all answers together', () => {
  const signal = new AbortController().signal;
  /** Whether it still waits once everything that is due has happened. */
  const pending = async (grown: Promise<void> | undefined) =>
    (await Promise.race([grown?.then(() => 'on') ?? 'on', setImmediate('waits')])) === 'waits';

  test('hold as much as the limit at once; above it one goes on, and the others wait for it', async () => {
    const {share} = createHeldAnswers();
    const [one, other] = [share(signal), share(signal)];
    expect(one.grow(32 * MIB)).toBeUndefined();
    expect(other.grow(32 * MIB)).toBeUndefined();
    // Above the limit, the first one that grows may go on.
    expect(one.grow(33 * MIB)).toBeUndefined();
    expect(one.grow(60 * MIB)).toBeUndefined();
    const waiting = other.grow(33 * MIB);
    expect(await pending(waiting)).toBe(true);
    // It held too much, and still does: the other one waits.
    one.shrink(40 * MIB);
    expect(await pending(waiting)).toBe(true);
    one.shrink(0);
    await waiting;
    expect(other.grow(64 * MIB)).toBeUndefined();
  });

  test('go on as soon as they hold no more than the limit', async () => {
    const {share} = createHeldAnswers();
    const [one, other] = [share(signal), share(signal)];
    expect(one.grow(60 * MIB)).toBeUndefined();
    expect(one.grow(65 * MIB)).toBeUndefined();
    const waiting = other.grow(33 * MIB);
    expect(await pending(waiting)).toBe(true);
    one.shrink(31 * MIB);
    await waiting;
    // Nothing is counted twice.
    expect(other.grow(33 * MIB)).toBeUndefined();
    other.shrink(0);
    expect(one.grow(64 * MIB)).toBeUndefined();
  });

  test('let another one go on above the limit once the first is at its end', async () => {
    const {share} = createHeldAnswers();
    const [one, other, third] = [share(signal), share(signal), share(signal)];
    expect(one.grow(65 * MIB)).toBeUndefined();
    const waiting = other.grow(65 * MIB);
    expect(await pending(waiting)).toBe(true);
    one.shrink(0);
    await waiting;
    expect(await pending(third.grow(1))).toBe(true);
  });

  test('wait no longer than somebody wants', async () => {
    const {share} = createHeldAnswers();
    const stop = new AbortController();
    share(signal).grow(65 * MIB);
    const waiting = share(stop.signal).grow(1);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({name: 'AbortError'});
  });
});

describe('a stream that breaks off', () => {
  const signal = new AbortController().signal;

  /** Reads streams in turn until there is none left, and records where each begins and each pause. */
  const resume = async (streams: readonly Parts[], most = Number.POSITIVE_INFINITY) => {
    const opened: Readonly<Record<string, string>>[] = [];
    const slept: number[] = [];
    const asked: (readonly [unknown, boolean])[] = [];
    const {got, deliver} = collecting();
    const clock = {sleep: async (ms: number) => void slept.push(ms)};
    await readOn(
      async where => {
        opened.push(where);
        const parts = streams[opened.length - 1];
        return parts && replyOf(parts).reply;
      },
      deliver,
      (broke, isResumable) => {
        asked.push([broke, isResumable]);
        return opened.length < most;
      },
      {clock: clock as never, held: createHeldAnswers()},
      signal,
    );
    return {opened, slept, asked, got};
  };

  test('begins again where it was, with a pause as the server wishes', async () => {
    const broke = new Error('broken');
    const {opened, slept, asked, got} = await resume([
      ['retry: 2000\nid: ä1\ndata: a\n\n', broke],
      ['data: b\n\n'],
      [],
    ]);
    expect(opened).toEqual([{}, {'last-event-id': 'Ã¤1'}, {'last-event-id': 'Ã¤1'}, {'last-event-id': 'Ã¤1'}]);
    expect(got).toEqual(['a', 'b']);
    expect(asked).toEqual([
      [broke, true],
      [undefined, true],
      [undefined, true],
    ]);
    expect(slept).toEqual([2_000, 2_000, 3_000]);
  });

  test('is not resumable without a position', async () => {
    const {asked, slept} = await resume([['data: a\n\n'], []], 2);
    expect(asked).toEqual([
      [undefined, false],
      [undefined, false],
    ]);
    expect(slept).toEqual([1_000]);
  });

  test('is given up after twelve times without anything new: what came before is nothing new', async () => {
    const again = ['id: 1\ndata: a\n\n'];
    const {asked} = await resume(
      Array.from({length: 14}, () => again),
      14,
    );
    expect(asked.map(([, isResumable]) => isResumable)).toEqual([...Array(12).fill(true), false, false]);
    const news = await resume(
      Array.from({length: 14}, (_, index) => [`id: ${index}\ndata: a\n\n`]),
      14,
    );
    expect(news.asked.map(([, isResumable]) => isResumable)).toEqual(Array(14).fill(true));
    expect(new Set(news.slept)).toEqual(new Set([1_000]));
  });

  test('waits at least as long as the server that refuses it says', async () => {
    const busy = new SetupError('platform-busy', 'Busy.', {about: {retryAfter: 9_000}});
    expect((await resume([['id: 1\n\n', busy]])).slept).toEqual([9_000]);
  });
});
