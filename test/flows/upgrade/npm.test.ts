import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {findNewest, findRegistry, runVersion} from '../../../src/flows/upgrade.ts';
import type {ProcessResult} from '../../../src/ports/ports.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryDirectory, temporaryPorts} from '../../support/place.ts';

/** Sets up a machine whose npm answers in this way, and records what is started on it. */
const machine = async (
  answer: ProcessResult,
  {beside, onPath = '/bin/npm'}: {beside?: string; onPath?: string | null} = {},
) => {
  const directory = await temporaryDirectory();
  const node = join(directory, 'bin', 'node');
  if (beside !== undefined) {
    const script = join(directory, beside, 'node_modules/npm/bin/npm-cli.js');
    await mkdir(dirname(script), {recursive: true});
    await writeFile(script, '');
  }
  const started: {command: string; args: readonly string[]; timeout: number; environment?: string}[] = [];
  const {files, processes} = await temporaryPorts();
  const ports = {
    files,
    processes: {
      ...processes,
      find: async (name: string) => (name === 'npm' ? (onPath ?? undefined) : undefined),
      run: async (command: string, args: readonly string[], options: {timeout: number; environment?: string}) => {
        started.push({
          command,
          args,
          timeout: options.timeout,
          ...(options.environment ? {environment: options.environment} : {}),
        });
        return answer;
      },
    },
  };
  return {directory, node, started, input: {node, signal: noSignal}, ports};
};

const exited = (stdout: string, code = 0, stderr = ''): ProcessResult => ({outcome: 'exited', code, stdout, stderr});

test('the newest version is the one that npm names, with the settings of the person’s shell', async () => {
  const {started, input, ports} = await machine(exited('"1.2.3"\n'));
  expect(await findNewest(input, ports)).toBe('1.2.3');
  expect(started).toEqual([
    {
      command: '/bin/npm',
      args: ['view', 'platform-setup@latest', 'version', '--json'],
      timeout: 60_000,
      environment: 'shell',
    },
  ]);
});

test('the registry is the one of npm’s configuration, shown without its credentials', async () => {
  const {started, input, ports} = await machine(exited('https://ann:secret@npm.acme.example/all/?x=1\n'));
  expect(await findRegistry(input, ports)).toBe('https://npm.acme.example/all/');
  expect(started).toMatchObject([{args: ['config', 'get', 'registry'], environment: 'shell'}]);
});

test.each(['', 'undefined\n', 'file:///tmp/x\n'])('%j is no registry', async said => {
  const {input, ports} = await machine(exited(said));
  await expect(findRegistry(input, ports)).rejects.toMatchObject({code: 'local-npm-failed'});
});

test.each(['10.20.30', '1.2.3-rc.12', '1.2.3+build-5'])('%s is a version', async version => {
  const {input, ports} = await machine(exited(JSON.stringify(version)));
  expect(await findNewest(input, ports)).toBe(version);
});

test.each(['bin', 'lib'])('npm is run by this Node where it lies beside it: %s', async beside => {
  const {directory, node, started, input, ports} = await machine(exited('"1.2.3"'), {beside});
  await findNewest(input, ports);
  const script = join(directory, beside, 'node_modules/npm/bin/npm-cli.js');
  expect(started).toMatchObject([
    {command: node, args: [script, 'view', 'platform-setup@latest', 'version', '--json']},
  ]);
});

test.each([
  ['no npm', {outcome: 'missing'} as const, 'newest: it is not installed.'],
  ['an npm that hangs', {outcome: 'timed-out'} as const, 'newest: it did not answer in time.'],
  [
    'an npm that fails',
    exited('', 1, 'npm warn x\nnpm error code E404\nnpm error 404 not found\n'),
    'newest: npm error code E404.',
  ],
  ['an npm that fails without a word', exited('', 1), 'newest.'],
  [
    'an npm that says why in a sentence',
    exited('', 1, '  npm error Not in v1.2 of this. \n'),
    'newest: npm error Not in v1.2 of this.',
  ],
  ['no JSON', exited('1.2.3'), 'newest.'],
  ['no version', exited('"latest"'), 'newest.'],
  ['several versions', exited('["1.2.3"]'), 'newest.'],
  ['a version with more behind it', exited('"1.2.3 --registry=http://evil.example"'), 'newest.'],
  ['a version with something before it', exited('"--version 1.2.3"'), 'newest.'],
  ['a version from a failure', exited('"1.2.3"', 1), 'newest.'],
])('%s is an error that says so', async (_, answer, expected) => {
  const {input, ports} = await machine(answer);
  await expect(findNewest(input, ports)).rejects.toMatchObject({
    code: 'local-npm-failed',
    message: `npm does not say which version is the ${expected}`,
  });
});

test('where npm is not on PATH either, nothing is started', async () => {
  const {started, input, ports} = await machine(exited('"1.2.3"'), {onPath: null});
  await expect(findNewest(input, ports)).rejects.toMatchObject({
    message: expect.stringContaining('it is not installed'),
  });
  expect(started).toEqual([]);
});

test('a version is fetched by its number, and how it ended is told', async () => {
  const {started, input, ports} = await machine(exited('done\n', 4, 'why\n'));
  expect(await runVersion('1.2.3', ['upgrade', '--offline'], input, ports)).toEqual(exited('done\n', 4, 'why\n'));
  expect(started).toMatchObject([
    {
      args: ['exec', '--yes', '--package=platform-setup@1.2.3', '--', 'platform-setup', 'upgrade', '--offline'],
      timeout: 600_000,
    },
  ]);
});

test('a version that never ends is an error', async () => {
  const {input, ports} = await machine({outcome: 'timed-out'});
  await expect(runVersion('1.2.3', [], input, ports)).rejects.toMatchObject({
    code: 'local-npm-failed',
    message: 'npm did not run platform-setup 1.2.3: it did not answer in time.',
  });
});
