import {describe, expect, test} from 'vitest';
import {createLines} from '../../src/bridge/lines.ts';

/** Returns the lines of these chunks, without and with the end of the stream. */
const linesOf = (...chunks: readonly (string | Buffer)[]) => {
  const found: string[] = [];
  const lines = createLines(line => found.push(line.toString('utf8')));
  for (const chunk of chunks) lines.push(Buffer.from(chunk));
  const before = [...found];
  lines.end();
  return {before, after: found.slice(before.length)};
};

describe('lines', () => {
  test.each<[string, readonly (string | Buffer)[], readonly string[]]>([
    ['that arrive together', ['one\ntwo\n'], ['one', 'two']],
    ['that arrive in pieces', ['o', 'n', 'e\ntw', 'o', '\n'], ['one', 'two']],
    ['whose end arrives by itself', ['one', '\n', 'two\n'], ['one', 'two']],
    ['with ends of Windows', ['one\r\ntwo\r\n'], ['one', 'two']],
    ['whose end of Windows is cut in two', ['one\r', '\ntwo\n'], ['one', 'two']],
    ['with a carriage return inside', ['o\rne\n'], ['o\rne']],
    ['that are empty', ['\n\none\n\r\n\ntwo\n'], ['one', 'two']],
    ['after a byte order mark', ['\uFEFFone\ntwo\n'], ['one', 'two']],
    ['after a byte order mark alone', ['\uFEFF\none\n'], ['one']],
    ['after a byte order mark that is cut in two', [Buffer.from([0xef]), Buffer.from([0xbb, 0xbf]), 'one\n'], ['one']],
    ['with the same character where it is no mark', ['one\n\uFEFFtwo\n'], ['one', '\uFEFFtwo']],
    ['with characters that are cut in two', [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], ['é']],
  ])('%s', (_, chunks, expected) => {
    expect(linesOf(...chunks)).toEqual({before: expected, after: []});
  });

  test('without an end are given when the stream ends', () => {
    expect(linesOf('one\ntw', 'o')).toEqual({before: ['one'], after: ['two']});
    expect(linesOf('one\r')).toEqual({before: [], after: ['one']});
  });

  test('that nothing stands in are none at the end of the stream either', () => {
    expect(linesOf()).toEqual({before: [], after: []});
    expect(linesOf('one\n\r')).toEqual({before: ['one'], after: []});
  });
});

test('a line stays what it was when later ones are read', () => {
  const found: Buffer[] = [];
  const lines = createLines(line => found.push(line));
  for (const chunk of ['on', 'e\ntw', 'o\nthr', 'ee\n']) lines.push(Buffer.from(chunk));
  expect(found.map(String)).toEqual(['one', 'two', 'three']);
});
