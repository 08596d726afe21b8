import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

const program = join(import.meta.dirname, 'support/read-worst.ts');

test.each([
  ['as it is', []],
  ['frozen', ['frozen']],
])('no document reaches the prototype of all objects, which is %s', async (_how, args) => {
  const {stdout} = await promisify(execFile)(process.execPath, [program, ...args]);
  expect(JSON.parse(stdout)).toEqual([]);
});
