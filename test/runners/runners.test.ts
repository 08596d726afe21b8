import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {platformForTest} from '../e2e/support/platform.ts';
import {goTo} from '../e2e/support/wizard.ts';
import {commandsIn, typed} from '../support/printed-commands.ts';
import {openTerminal} from '../support/terminal/terminal.ts';
import {expectDone} from './support/expect-done.ts';
import {machineFor} from './support/machine.ts';
import {versions} from './support/registry.ts';
import {runners} from './support/runners.ts';
import {platformFor} from './support/set-up.ts';
import {toolsThrough} from './support/start-entry.ts';

describe.each(runners)('$name', runner => {
  test('shows the wizard, and the demonstration to its end', async () => {
    const machine = await machineFor(runner);
    await machine.prepare('first');
    // The product is fetched before the test waits for a screen.
    expectDone(await machine.start('first', ['--version']));
    const [command = '', ...words] = runner.start;
    const {SETUP_HOME: _, ...env} = machine.env('first');
    const open = (...more: readonly string[]) => {
      const terminal = openTerminal(command, [...words, ...more], {env, cwd: machine.project});
      onTestFinished(() => terminal.close());
      return terminal;
    };
    // This start does not wait for a sandbox, and none of its code was compiled before.
    const {flags} = await platformForTest();
    const wizard = open(...flags);
    await goTo(wizard, 'sign-in');
    wizard.press('ctrl-c');
    await wizard.exit;
    expect(wizard.transcript()).not.toContain('fault in platform-setup');

    const demonstration = open('demo');
    await goTo(demonstration, 'done');
    demonstration.press('enter');
    expect(await demonstration.exit).toBe(0);
  });

  test('prints commands that start it again, where the person stands', async () => {
    const machine = await machineFor(runner);
    await machine.prepare('first');
    const place = {cwd: machine.project, env: machine.env('first')};
    const status = await machine.start('first', ['status']);
    const own = /Nothing is set up yet\. Run (.+)\.$/m.exec(status.stdout)?.[1] ?? expect.fail(status.stdout);
    expect(own).not.toContain('npx setup');
    const {stdout} = await typed(`${own} --version`, place);
    expect(stdout).toContain(versions.first);
    const list = await machine.start('first', ['mcp', 'list']);
    const commands = commandsIn(`${status.stdout}${list.stdout}${list.stderr}`, own);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const ended = await typed(`${command} --help`, place);
      expect([command, ended.code]).toEqual([command, 0]);
      expect(ended.stdout).toContain(own);
    }
  });

  test('leaves entries that work without it, and follow an upgrade', async () => {
    const machine = await machineFor(runner);
    const {setUp, signIn} = await platformFor(machine);
    await machine.prepare('first');
    await setUp();
    const copyOf = (version: string) => join(machine.setupHome, 'programs', version, 'bin');
    const expectEntries = async (version: string) => {
      machine.clean();
      const entries = machine.entries();
      expect(entries).toHaveLength(2);
      for (const {command, args} of entries) {
        expect(command).toMatch(new RegExp(`^${copyOf(version)}/${runner.runtime}(\\.exe)?$`));
        expect(args).toContain(join(copyOf(version), 'setup.js'));
      }
      const [controlPlane = [], observability = []] = await Promise.all(
        entries.map(entry => toolsThrough(entry, machine)),
      );
      expect(controlPlane).toContain('list_projects');
      expect(observability.length).toBeGreaterThan(0);
    };
    await expectEntries(versions.first);

    await machine.prepare('second');
    await signIn('second');
    await expectEntries(versions.second);
  });
});
