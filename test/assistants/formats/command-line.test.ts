import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {commandLine} from '../../../src/assistants/formats/command-line.ts';

const odd = [
  '',
  'a b',
  "it's",
  '"quoted"',
  '$HOME `id` $(id)',
  'a\\b\\',
  '*?[x]',
  '; exit 1',
  '~',
  '-n',
  'a\nb',
  '%PATH%',
];

test.runIf(process.platform !== 'win32')('a POSIX shell gives every argument as it was', () => {
  const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const line = commandLine([process.execPath, '-e', print, '--', ...odd], 'linux');
  expect(JSON.parse(execFileSync('sh', ['-c', line], {encoding: 'utf8'}))).toEqual(odd);
});

test.each([
  ['C:\\node\\node.exe', 'C:\\node\\node.exe'],
  ['C:\\Program Files\\node.exe', '"C:\\Program Files\\node.exe"'],
  ['a & b', '"a & b"'],
  ['C:\\with space\\', '"C:\\with space\\\\"'],
  ['say "hi"', '"say \\"hi\\""'],
  ['', '""'],
])('on Windows %j is %s', (argument, quoted) => {
  expect(commandLine([argument], 'win32')).toBe(quoted);
});
