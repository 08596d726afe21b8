import {expect, test} from 'vitest';
import {grokBuild} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {testScopes} from './support/scopes.ts';

const doctor = async ({run}: Machine) => (await run(['mcp', 'doctor'])).stdout;

const approve = async ({write, project}: Machine) =>
  write('.grok/trusted_folders.toml', `[folders."${project}"]\ntrusted = true\ndecided_at = 1\n`);

await describeClient(grokBuild, installed => {
  testScopes(installed, {
    assistant: 'grok-build',
    chosen: {startup_timeout_sec: 20},
    // Grok Build's client name contains the server's name.
    seenAs: [expect.stringMatching(/^grok-shell-platform-/)],
    files: {user: '.grok/config.toml', project: '.grok/config.toml'},
    own: ({run}, scope) => run(['mcp', 'add', '--scope', scope, 'mine', '--', 'node', 'server.js']),
    approve,
    expectConnected: async machine => {
      const said = await doctor(machine);
      for (const name of ['platform-control-plane', 'platform-observability', 'mine']) expect(said).toContain(name);
      expect(said).toContain('Found 2 healthy, 1 failing');
    },
  });

  test('waits for trust in the folder of a project, as the diagnosis says', async () => {
    const machine = await machineWith(installed);
    await machine.connect('grok-build', '--scope', 'project', '--method', 'bridge');
    expect(await doctor(machine)).toMatch(/folder untrusted/);
    expect(await machine.diagnosis()).toMatchObject({verdict: 'warning', sentence: expect.stringContaining('trust')});
    await approve(machine);
    expect(await doctor(machine)).toContain('Found 2 healthy');
    expect(await machine.diagnosis()).toMatchObject({verdict: 'pass'});
  });

  test('has the servers by the entries of Claude Code alone', async () => {
    const machine = await machineWith(installed);
    await machine.connect('claude-code', '--method', 'bridge');
    expect(await doctor(machine)).toMatch(/~\/\.claude\.json +2 servers[\s\S]*Found 2 healthy/);
    await machine.connect('grok-build');
    expect(await doctor(machine)).toMatch(/~\/\.claude\.json +0 servers[\s\S]*Found 2 healthy/);
  });
});
