import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {createOutput} from '../../../src/command-line/output/output.ts';

const poison = '\u001B]52;c;cm0gLXJm\u0007\u009B2J\u202E';

test('text is inert, on its lines', () => {
  const stream = new PassThrough();
  createOutput(stream).write(`a${poison}b\n  c\n`);
  expect(String(stream.read())).toBe('a]52;c;cm0gLXJm2Jb\n  c\n');
});

test('JSON is one line, and says everything', () => {
  const stream = new PassThrough();
  createOutput(stream).writeJson({poison, line: 'a\nb'});
  const line = String(stream.read());
  expect(line).toMatch(/^[\u0020-\u007E]+\n$/);
  expect(JSON.parse(line)).toEqual({poison, line: 'a\nb'});
});
