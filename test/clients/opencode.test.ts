import {expect, test} from 'vitest';
import {openCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {expectSeen} from './support/expect-seen.ts';
import {testLifecycle} from './support/lifecycle.ts';
import {machineWith} from './support/machine.ts';
import {testOfferedTools} from './support/offered-tools.ts';
import {scriptedModelAt} from './support/opencode-model.ts';
import {moveToProject} from './support/scopes.ts';
import {expectGoesOn} from './support/two-calls.ts';

const offline = {OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1'};

await describeClient(openCode, installed => {
  testOfferedTools(installed, 'opencode', ({run}, url) =>
    run(['run', 'Begin.'], {...offline, OPENCODE_CONFIG_CONTENT: JSON.stringify(scriptedModelAt(url))}),
  );

  testLifecycle(installed, {
    assistant: 'opencode',
    files: {user: '.config/opencode/opencode.jsonc', project: 'opencode.json'},
    own: async (machine, scope) => {
      await machine.run(['mcp', 'add', 'mine', '--', 'node', 'server.js'], offline);
      if (scope === 'project') moveToProject(machine, '.config/opencode/opencode.jsonc', 'opencode.json');
    },
    chosen: {timeout: 5000},
  });

  test('connects to both servers by the file of a project', async () => {
    const machine = await machineWith(installed);
    await machine.connect('opencode', '--scope', 'project');
    const {code, stdout} = await machine.run(['mcp', 'list'], offline);
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('✓ platform-control-plane')});
    expectSeen(machine, 'opencode');
  });

  test.for(['auto', 'header'])('connects to both servers, method %s', async method => {
    const machine = await machineWith(installed);
    await machine.connect('opencode', '--method', method);
    const {code, stdout} = await machine.run(['mcp', 'list'], offline);
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('✓ platform-control-plane')});
    expect(stdout).toContain('✓ platform-observability');
    expectSeen(machine, 'opencode');
  });

  test('goes on when the token ends between two calls, by the bridge', async () => {
    const machine = await machineWith(installed);
    await machine.connect('opencode');
    await expectGoesOn(machine, url =>
      machine.run(['run', 'Begin.'], {...offline, OPENCODE_CONFIG_CONTENT: JSON.stringify(scriptedModelAt(url))}),
    );
  });
});
