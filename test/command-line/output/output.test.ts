import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {createOutput} from '../../../src/command-line/output/output.ts';

const poison = '\u001B]52;c;cm0gLXJm\u0007\u009B2J\u202E';

test('text is inert, on its lines', () => {
  const stream = new PassThrough();
  createOutput(stream).write(`a${poison}b\n  c\n`);
  expect(String(stream.read())).toBe('a]52;c;cm0gLXJm2Jb\n  c\n');
});

test('in ASCII typographic signs have plain ones in their place, and columns stay', () => {
  const stream = new PassThrough();
  createOutput(stream, true).write(
    '  --in HOST,…             “Hosts” that aren’t\n  --other                 › Others…\n',
  );
  expect(String(stream.read())).toBe(
    '  --in HOST,...           "Hosts" that aren\'t\n  --other                 > Others...\n',
  );
});

test('in ASCII JSON says everything too', () => {
  const stream = new PassThrough();
  const value = {name: 'größe 𝒳', quoted: '“a”'};
  createOutput(stream, true).writeJson(value);
  const line = String(stream.read());
  expect(line).toMatch(/^[\x20-\x7E]+\n$/);
  expect(JSON.parse(line)).toEqual(value);
});

test('JSON is one line, and says everything', () => {
  const stream = new PassThrough();
  createOutput(stream).writeJson({poison, line: 'a\nb'});
  const line = String(stream.read());
  expect(line).toMatch(/^[\u0020-\u007E]+\n$/);
  expect(JSON.parse(line)).toEqual({poison, line: 'a\nb'});
});
