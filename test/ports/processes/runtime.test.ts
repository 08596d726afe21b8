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
    '--config=/opt/platform-setup/bin/bunfig.toml',
    '--tsconfig-override=/opt/platform-setup/bin/package.json',
    program,
  ]);
});

test('the version of Node says what stands in for it', () => {
  expect(nodeVersion()).toBe(process.versions.node);
  expect(nodeVersion({versions: {node: '26.3.0', bun: '1.4.5'}})).toBe('26.3.0 (Bun 1.4.5)');
  expect(nodeVersion({versions: {node: '26.3.0', deno: '2.9.6'}})).toBe('26.3.0 (Deno 2.9.6)');
});

test('Bun is called by the name under which it runs programs', () => {
  const there = (path: string) => path.startsWith('/home/ann/.bun/bin/');
  expect(runtimePath('/home/ann/.bun/bin/bunx', there)).toBe('/home/ann/.bun/bin/bun');
  expect(runtimePath('/home/ann/.bun/bin/bunx.exe', there)).toBe('/home/ann/.bun/bin/bun.exe');
  expect(runtimePath('/home/ann/.bun/bin/bun', there)).toBe('/home/ann/.bun/bin/bun');
  expect(runtimePath('/elsewhere/bunx', there)).toBe('/elsewhere/bunx');
  expect(runtimePath('/usr/bin/node', there)).toBe('/usr/bin/node');
});
