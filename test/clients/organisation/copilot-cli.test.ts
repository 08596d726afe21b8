import {expect, test} from 'vitest';
import {copilotCli} from '../support/clients.ts';
import {modelAt, talk} from '../support/copilot-model.ts';
import {modelFor} from '../support/model.ts';
import {CLOSING, listing} from '../support/two-calls.ts';
import {describeManaged, type ManagedMachine, managedMachine} from './support/managed-machine.ts';

/** Runs a conversation with all servers that Copilot may start, and returns what the control plane's tool answered. */
const converse = async (machine: ManagedMachine) => {
  const model = await modelFor([listing, {text: CLOSING}]);
  expect(await machine.run(talk, modelAt(model.url))).toMatchObject({code: 0});
  return model.results();
};

await describeManaged(copilotCli, installed => {
  test.for(['bridge', 'header'])('lets everybody connect the servers by the %s, and no others', async method => {
    const machine = await managedMachine(installed);
    await machine.connect('copilot-cli', '--method', method);
    machine.addTo('.copilot/mcp-config.json', 'mcpServers', {mine: machine.stranger});
    await converse(machine);
    // Without the policy file Copilot connects to that server.
    const before = machine.strangers().length;
    expect(before).toBeGreaterThan(0);
    machine.roll('allow-list');
    for (const server of Object.values(machine.servers)) server.forget();
    expect(await converse(machine)).toEqual([expect.stringContaining('organizations')]);
    machine.expectToolsListed();
    expect(machine.strangers()).toHaveLength(before);
  });

  test('may have the servers of the list in settings of one’s own, and no more', async () => {
    const machine = await managedMachine(installed);
    machine.roll('allow-list');
    machine.write('.copilot/mcp-config.json', JSON.stringify({mcpServers: {mine: machine.stranger}}));
    machine.write('.copilot/settings.json', JSON.stringify({allowedMcpServers: [{serverName: 'mine'}]}));
    await converse(machine);
    expect(machine.strangers()).toEqual([]);
  });
});
