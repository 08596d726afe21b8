import {describe, expect, test} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import {createSseParser, resumeDelay} from '../../src/mcp/response-stream.ts';

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
