import {expect, test} from 'vitest';
import {kiloCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {machineWith} from './support/machine.ts';
import {testOfferedTools} from './support/offered-tools.ts';
import {scriptedModelAt} from './support/opencode-model.ts';
import {moveToProject, testScopes} from './support/scopes.ts';
import {expectGoesOn} from './support/two-calls.ts';

const ownFiles = {user: '.config/kilo/kilo.jsonc', project: 'kilo.jsonc'};

await describeClient(kiloCode, installed => {
  testOfferedTools(installed, 'kilo-code', ({run}, url) =>
    run(['run', 'Begin.'], {KILO_CONFIG_CONTENT: JSON.stringify(scriptedModelAt(url))}),
  );

  testScopes(installed, {
    assistant: 'kilo-code',
    chosen: {timeout: 5000},
    seenAs: ['kilo'],
    files: {user: '.config/kilo/kilo.jsonc', project: 'kilo.json'},
    ownFiles,
    own: async (machine, scope) => {
      await machine.run(['mcp', 'add', 'mine', '--url', 'http://127.0.0.1:1/mcp']);
      if (scope === 'project') moveToProject(machine, ownFiles.user, ownFiles.project);
    },
    expectConnected: async machine => {
      const {code, stdout, stderr} = await machine.run(['mcp', 'list']);
      expect({code, stdout, stderr}).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('✓ platform-control-plane'),
      });
      expect(stdout).toContain('✓ platform-observability');
      expect(stdout).toContain('mine');
    },
  });

  test.for(['user', 'project'])(
    'goes on when the token ends between two calls, by the bridge, %s scope',
    async scope => {
      const machine = await machineWith(installed);
      await machine.connect('kilo-code', '--scope', scope);
      await expectGoesOn(machine, url =>
        machine.run(['run', 'Begin.'], {KILO_CONFIG_CONTENT: JSON.stringify(scriptedModelAt(url))}),
      );
    },
  );
});
