import {expect, test} from 'vitest';
import {copilotCli} from './support/clients.ts';
import {modelAt, talk} from './support/copilot-model.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen, expectSeen} from './support/expect-seen.ts';
import {testLifecycle} from './support/lifecycle.ts';
import {machineWith} from './support/machine.ts';
import {modelFor} from './support/model.ts';
import {testOfferedTools} from './support/offered-tools.ts';
import {moveToProject} from './support/scopes.ts';
import {CLOSING, expectGoesOn, listing, modelWithTwoCalls} from './support/two-calls.ts';

await describeClient(copilotCli, installed => {
  testOfferedTools(installed, 'copilot-cli', ({run}, url) => run(talk, modelAt(url)));

  testLifecycle(installed, {
    assistant: 'copilot-cli',
    files: {user: '.copilot/mcp-config.json', project: '.mcp.json'},
    own: async (machine, scope) => {
      await machine.run(['mcp', 'add', 'mine', '--', 'node', 'server.js']);
      if (scope === 'project') moveToProject(machine, '.copilot/mcp-config.json', '.mcp.json');
    },
    chosen: {deferTools: false, timeout: 5000},
  });

  const connected = async (method: string) => {
    const machine = await machineWith(installed);
    await machine.connect('copilot-cli', '--method', method);
    return machine;
  };

  test.for(['auto', 'header'])('lists and calls the tools, method %s', async method => {
    const machine = await connected(method);
    const model = await modelFor([listing, {text: CLOSING}]);
    const {code, stdout} = await machine.run(talk, modelAt(model.url));
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining(CLOSING)});
    expectSeen(machine, 'copilot-cli');
    expect(callsSeen(machine)).toEqual([['live', 200]]);
    expect(model.results()).toEqual([expect.stringContaining('organizations')]);
  });

  test('goes on when the token ends between two calls, by the bridge', async () => {
    const machine = await connected('bridge');
    await expectGoesOn(machine, url => machine.run(talk, modelAt(url)));
  });

  test('says that a header has ended', async () => {
    const machine = await connected('header');
    const model = await modelWithTwoCalls(machine);
    const {stdout} = await machine.run(talk, modelAt(model.url));
    expect(stdout).toContain('Re-authentication required');
    expect(callsSeen(machine, model.ended())).toEqual([
      ['ended', 200],
      ['ended', 401],
    ]);
  });

  test('waits for trust in the folder of a project, as the diagnosis says', async () => {
    const machine = await machineWith(installed);
    await machine.connect('copilot-cli', '--scope', 'project', '--method', 'bridge');
    const list = async () => (await machine.run(['mcp', 'list', '--json'])).stdout;
    expect(await list()).not.toContain('platform-control-plane');
    expect(await machine.diagnosis()).toMatchObject({verdict: 'warning', sentence: expect.stringContaining('trust')});
    machine.write('.copilot/config.json', JSON.stringify({trusted_folders: [machine.project]}));
    expect(await list()).toContain('platform-control-plane');
    expect(await machine.diagnosis()).toMatchObject({verdict: 'pass'});
  });
});
