import {expect, test} from 'vitest';
import {createLines} from '../../src/bridge/lines.ts';

/** The lines of chunks that come one after the other; the stream ends after the last. */
const linesOf = (...chunks: readonly (string | Buffer)[]) => {
  const lines: string[] = [];
  const {push, end} = createLines(line => lines.push(line.toString()));
  for (const chunk of chunks) push(Buffer.from(chunk));
  end();
  return lines;
};

test.each<[string, readonly string[], readonly string[]]>([
  ['a line', ['one\n'], ['one']],
  ['several lines in one chunk', ['one\ntwo\n'], ['one', 'two']],
  ['a line in several chunks', ['o', 'n', 'e\ntw', 'o\n'], ['one', 'two']],
  ['a chunk that ends with a line, and one that begins a new one', ['one\n', 'two\n'], ['one', 'two']],
  ['the end of a line in a chunk of its own', ['one', '\n'], ['one']],
  ['a last line without an end', ['one\ntwo'], ['one', 'two']],
  ['ends as Windows has them', ['one\r\ntwo\r', '\nthree\r'], ['one', 'two', 'three']],
  ['a carriage return inside', ['o\rne\n'], ['o\rne']],
  ['empty lines', ['\n\r\n\none\n\n'], ['one']],
  ['nothing', [], []],
])('%s', (_what, chunks, expected) => {
  expect(linesOf(...chunks)).toEqual(expected);
});

test('a byte order mark before the first line is no part of it', () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  expect(linesOf(mark, 'one\n')).toEqual(['one']);
  expect(linesOf(Buffer.concat([mark, Buffer.from('one\n')]))).toEqual(['one']);
  expect(linesOf('one\n', Buffer.concat([mark, Buffer.from('two\n')]))).toEqual(['one', '\uFEFFtwo']);
  expect(linesOf(mark)).toEqual([]);
});

test('what follows is cut as if nothing had been before', () => {
  const lines: string[] = [];
  const {push, end} = createLines(line => lines.push(line.toString()));
  push(Buffer.from('one'));
  end();
  end();
  push(Buffer.from('two\n'));
  expect(lines).toEqual(['one', 'two']);
});
