import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runProgram} from '../clients/support/program.ts';
import {expectDone} from './support/expect-done.ts';
import {machineFor} from './support/machine.ts';
import {type Newest, versions} from './support/registry.ts';
import type {Runner} from './support/runners.ts';
import {platformFor} from './support/set-up.ts';
import {toolsThrough} from './support/start-entry.ts';

const npx: Runner = {name: 'npx', start: ['npx', '--yes', 'platform-setup'], runtime: 'node'};

test('setup upgrade has the entries start the newest version, and uninstall removes all versions', async () => {
  const machine = await machineFor(npx);
  const {setUp} = await platformFor(machine);
  await machine.prepare('first');
  await setUp();
  const programs = join(machine.setupHome, 'programs');
  const launcherOf = (version: string) => join(programs, version, 'bin', 'setup.js');
  const run = (newest: Newest, ...words: readonly string[]) =>
    runProgram(machine.entries()[0]?.command ?? '', [launcherOf(versions.first), ...words], {
      cwd: machine.project,
      env: machine.env(newest),
      timeout: 120_000,
    });

  // The working directory has a package of this name, and a setting with a registry that does not answer.
  mkdirSync(join(machine.project, 'node_modules/platform-setup'), {recursive: true});
  const evil = join(machine.project, 'node_modules/platform-setup/evil.js');
  writeFileSync(evil, `require('fs').writeFileSync(${JSON.stringify(join(machine.home, 'executed'))}, '')`);
  const manifest = {name: 'platform-setup', version: '99.0.0', bin: 'evil.js'};
  writeFileSync(join(machine.project, 'node_modules/platform-setup/package.json'), JSON.stringify(manifest));
  writeFileSync(join(machine.project, '.npmrc'), 'registry=http://127.0.0.1:1/\n');

  const same = await run('first', 'upgrade');
  expectDone(same);
  expect(same.stdout).toContain(`platform-setup ${versions.first} is the newest version.`);
  expect(machine.entries()[0]?.args).toContain(launcherOf(versions.first));

  const upgraded = await run('second', 'upgrade');
  expectDone(upgraded);
  expect(upgraded.stdout).toContain(
    `Upgrading from platform-setup ${versions.first} to ${versions.second}, from http://127.0.0.1:`,
  );
  expect(upgraded.stdout).toContain(`Assistants start platform-setup ${versions.second} now.`);
  for (const entry of machine.entries()) {
    expect(entry.args).toContain(launcherOf(versions.second));
    expect((await toolsThrough(entry, machine)).length).toBeGreaterThan(0);
  }

  expect(existsSync(join(machine.home, 'executed'))).toBe(false);

  // The older copy recognises what the newer one wrote.
  const doctor = await run('second', 'doctor', '--json');
  expect(doctor.stdout).toMatch(
    new RegExp(
      `"verdict":"pass","saw":"[^"]*mcp\\.json, by bridge: [^"]*; starts platform-setup ${versions.second} \\(`,
    ),
  );

  // The older copy still runs, for an assistant that was not restarted yet.
  expectDone(await run('second', 'uninstall', '--yes'));
  expect(existsSync(join(machine.project, '.mcp.json'))).toBe(false);
  expect(existsSync(machine.setupHome)).toBe(false);
});
