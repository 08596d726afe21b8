import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {nodeVersion, runtimePath, wordsToStart} from '../../../src/ports/processes/runtime.ts';

const program = '/opt/platform-setup/bin/setup.js';

test('Node is given the launcher', () => {
  expect(wordsToStart(program)).toEqual([program]);
});

test('Deno is told to run it, and what it may do', () => {
  expect(wordsToStart(program, {versions: {node: '26.3.0', deno: '2.9.6'}})).toEqual(['run', '-A', program]);
});

test('Bun takes nothing from the working directory', () => {
  expect(wordsToStart(program, {versions: {node: '26.3.0', bun: '1.4.5'}})).toEqual([
    ...['--no-env-file', '--no-install'],
    `--config=${join(dirname(program), 'bunfig.toml')}`,
    `--tsconfig-override=${join(dirname(program), 'package.json')}`,
    program,
  ]);
});

test('the version of Node says what stands in for it', () => {
  expect(nodeVersion()).toBe(process.versions.node);
  expect(nodeVersion({versions: {node: '26.3.0', bun: '1.4.5'}})).toBe('26.3.0 (Bun 1.4.5)');
  expect(nodeVersion({versions: {node: '26.3.0', deno: '2.9.6'}})).toBe('26.3.0 (Deno 2.9.6)');
});

test('Bun is called by the name under which it runs programs', () => {
  const bin = join('/home', 'ann', '.bun', 'bin');
  const there = (path: string) => dirname(path) === bin;
  expect(runtimePath(join(bin, 'bunx'), there)).toBe(join(bin, 'bun'));
  expect(runtimePath(join(bin, 'bunx.exe'), there)).toBe(join(bin, 'bun.exe'));
  expect(runtimePath(join(bin, 'bun'), there)).toBe(join(bin, 'bun'));
  expect(runtimePath('/elsewhere/bunx', there)).toBe('/elsewhere/bunx');
  expect(runtimePath('/usr/bin/node', there)).toBe('/usr/bin/node');
});
