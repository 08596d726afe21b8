import {copyFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryDirectory} from '../support/place.ts';
import {type Machine, machineFor} from './support/machine.ts';
import {versions} from './support/registry.ts';
import type {Runner} from './support/runners.ts';
import {platformFor} from './support/set-up.ts';
import {toolsThrough} from './support/start-entry.ts';

const npx: Runner = {name: 'npx', start: ['npx', '--yes', 'platform-setup'], runtime: 'node'};

/** Copies the Node of the tests to another path. */
const nodeAt = (path: string) => {
  mkdirSync(dirname(path), {recursive: true});
  try {
    linkSync(process.execPath, path);
  } catch {
    copyFileSync(process.execPath, path);
  }
};

const expectTools = async (machine: Machine) => {
  for (const entry of machine.entries()) expect((await toolsThrough(entry, machine)).length).toBeGreaterThan(0);
};

test.each([
  ['that a version manager replaces', '.nvm/versions/node/v24.1.0/bin'],
  ['in npm’s cache', '.npm/_npx/1a2b/node_modules/node/bin'],
  ['of a project', 'project/node_modules/node/bin'],
])('a Node %s goes, and the entries stay', async (_where, below) => {
  const elsewhere = await temporaryDirectory();
  nodeAt(join(elsewhere, below, 'node'));
  const machine = await machineFor(npx, [join(elsewhere, below)]);
  const {setUp} = await platformFor(machine);
  await machine.prepare('first');
  await setUp();
  rmSync(elsewhere, {recursive: true});
  machine.clean();
  expect(machine.entries()[0]?.command).toBe(join(machine.setupHome, 'programs', versions.first, 'bin', 'node'));
  await expectTools(machine);
});

test('a Node that has a name that stays is named so, and its upgrade followed', async () => {
  const brew = await temporaryDirectory();
  const [bin, cellar] = [join(brew, 'bin'), join(brew, 'Cellar', 'node')];
  mkdirSync(bin);
  nodeAt(join(cellar, '24.1.0', 'bin', 'node'));
  symlinkSync('../Cellar/node/24.1.0/bin/node', join(bin, 'node'));
  const machine = await machineFor(npx, [bin]);
  const {setUp} = await platformFor(machine);
  await machine.prepare('first');
  await setUp();
  expect(machine.entries().map(({command}) => command)).toEqual([join(bin, 'node'), join(bin, 'node')]);
  renameSync(join(cellar, '24.1.0'), join(cellar, '24.2.0'));
  rmSync(join(bin, 'node'));
  symlinkSync('../Cellar/node/24.2.0/bin/node', join(bin, 'node'));
  machine.clean();
  await expectTools(machine);
});
