import {expect, test} from 'vitest';
import {factoryDroid} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {machineWith} from './support/machine.ts';
import {moveToProject, testScopes} from './support/scopes.ts';
import {expectGoesOn, listing} from './support/two-calls.ts';

/** Settings with a custom model, for which Droid needs no account. */
const modelAt = (baseUrl: string) => ({
  customModels: [{model: 'scripted', displayName: 'Scripted', baseUrl, apiKey: 'none', provider: 'anthropic'}],
});

/**
 * Droid gives its model the tools of servers only after the model has searched for them, and does not wait for the
 * servers.
 */
const search = {
  tool: 'ToolSearch',
  input: {query: `select:platform-control-plane___${listing.tool}`},
  until: listing.tool,
};

await describeClient(factoryDroid, installed => {
  testScopes(installed, {
    assistant: 'factory-droid',
    chosen: {connectTimeout: 5000, disabledTools: ['delete_project']},
    seenAs: ['factory-cli', ['tools/list'], {asksFirst: true}],
    files: {user: '.factory/mcp.json', project: '.factory/mcp.json'},
    own: async (machine, scope) => {
      await machine.run(['mcp', 'add', 'mine', 'node', 'server.js']);
      if (scope === 'project') moveToProject(machine, '.factory/mcp.json', '.factory/mcp.json');
    },
    expectConnected: async machine => {
      const {code, stdout} = await machine.run(['mcp', 'list']);
      expect({code, stdout}).toEqual({
        code: 0,
        stdout: expect.stringMatching(/platform-control-plane .* connected/),
      });
      expect(stdout).toMatch(/platform-observability .* connected/);
      expect(stdout).toContain('mine ');
    },
  });

  test.for(['user', 'project'])(
    'goes on when the token ends between two calls, by the bridge, %s scope',
    async scope => {
      const machine = await machineWith(installed);
      await machine.connect('factory-droid', '--scope', scope);
      const talk = (url: string) => {
        machine.write('.factory/settings.json', JSON.stringify(modelAt(url)));
        return machine.run(['exec', '-m', 'custom:scripted', '--skip-permissions-unsafe', 'Begin.']);
      };
      await expectGoesOn(machine, talk, undefined, [search]);
    },
  );
});
