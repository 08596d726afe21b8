import {closeSync, openSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {fullyWritten} from '../../../src/command-line/output/output.ts';
import {temporaryDirectory} from '../../support/place.ts';

test('a file gets every byte', async () => {
  const path = join(await temporaryDirectory(), 'out');
  const fd = openSync(path, 'w');
  onTestFinished(() => closeSync(fd));
  const text = 'größe '.repeat(100_000);
  const {write} = fullyWritten(new PassThrough(), fd, error => expect.unreachable(error.message));
  write(text);
  write('end');
  expect(readFileSync(path, 'utf8')).toBe(`${text}end`);
});

test('a failure is told once, and nothing is written after it', () => {
  const told: string[] = [];
  const tried: string[] = [];
  const write = (text: string) => {
    tried.push(text);
    throw new Error('The disk is full.');
  };
  const stream = Object.assign(new PassThrough(), {write});
  const out = fullyWritten(stream, -1, ({message}) => told.push(message));
  for (const text of ['one', 'two']) out.write(text);
  stream.emit('error', new Error('EPIPE'));
  expect({told, tried}).toEqual({told: ['The disk is full.'], tried: ['one']});
});

test('a reader that leaves is told, and is a failure of nobody', () => {
  const told: string[] = [];
  const stream = new PassThrough();
  fullyWritten(stream, -1, ({message}) => told.push(message));
  stream.emit('error', new Error('EPIPE'));
  expect(told).toEqual(['EPIPE']);
});
