import {expect, test} from 'vitest';
import {amp} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {testScopes} from './support/scopes.ts';

/**
 * Amp begins a sign-in unless it has a key. Nothing on this machine checks the key. A conversation needs an account.
 */
const key = {AMP_API_KEY: 'none'};

const approve = async (machine: Machine) => {
  for (const name of ['platform-control-plane', 'platform-observability']) {
    await machine.run(['mcp', 'approve', name], key);
  }
};

const doctor = async (machine: Machine) => (await machine.run(['mcp', 'doctor'], key)).stdout;

await describeClient(amp, installed => {
  testScopes(installed, {
    assistant: 'amp',
    chosen: {includeTools: ['list_organizations']},
    seenAs: ['amp-mcp-client'],
    files: {user: '.config/amp/settings.json', project: '.amp/settings.json'},
    own: ({run}, scope) =>
      run(['mcp', 'add', ...(scope === 'project' ? ['--workspace'] : []), 'mine', '--', 'node', 'server.js']),
    approve,
    expectConnected: async machine => {
      const said = await doctor(machine);
      expect(said).toMatch(/platform-control-plane .*: connected \(.*list_organizations/);
      expect(said).toMatch(/platform-observability .*: connected/);
      expect(said).toContain('mine (');
    },
  });

  test('waits for approval of what a project names', async () => {
    const machine = await machineWith(installed);
    const said = await machine.connect('amp', '--scope', 'project');
    expect(said).toContain('run amp mcp approve NAME');
    expect(await doctor(machine)).toMatch(/platform-control-plane .*: awaiting approval/);
    const approval = {verdict: 'warning', sentence: expect.stringContaining('needs your approval')};
    expect(await machine.diagnosis()).toMatchObject(approval);
    await approve(machine);
    expect(await machine.diagnosis()).toMatchObject({verdict: 'pass'});
    expect(await doctor(machine)).toMatch(/platform-control-plane .*: connected/);
  });
});
