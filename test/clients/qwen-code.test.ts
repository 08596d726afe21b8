import {expect, test} from 'vitest';
import {qwenCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {testOfferedTools} from './support/offered-tools.ts';
import {testScopes} from './support/scopes.ts';
import {expectGoesOn} from './support/two-calls.ts';

const approve = async (machine: Machine) => {
  for (const name of ['platform-control-plane', 'platform-observability']) {
    await machine.run(['mcp', 'approve', name]);
  }
};

/** Gives the model all tools at once, not after a search. */
const settings = {tools: {toolSearch: {enabled: false}}};

const talk = (machine: Machine, url: string) =>
  machine.run(['-p', 'Begin.', '--yolo', '--auth-type', 'anthropic'], {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_MODEL: 'claude-sonnet-4',
  });

await describeClient(qwenCode, installed => {
  testOfferedTools(installed, 'qwen-code', talk);

  testScopes(installed, {
    assistant: 'qwen-code',
    chosen: {timeout: 5000, trust: true},
    seenAs: ['mcp-test-client', ['initialize']],
    files: {user: '.qwen/settings.json', project: '.qwen/settings.json'},
    own: async ({run}, scope) => {
      await run(['mcp', 'add', '--scope', scope, 'mine', 'node', 'server.js']);
      await run(['mcp', 'list']);
    },
    approve,
    expectConnected: async machine => {
      const {code, stdout} = await machine.run(['mcp', 'list']);
      expect({code, stdout}).toEqual({
        code: 0,
        stdout: expect.stringMatching(/platform-control-plane: .* - Connected/),
      });
      expect(stdout).toMatch(/platform-observability: .* - Connected/);
      expect(stdout).toMatch(/mine: /);
    },
  });

  test.for(['user', 'project'])(
    'goes on when the token ends between two calls, by the bridge, %s scope',
    async scope => {
      const machine = await machineWith(installed);
      machine.write('.qwen/settings.json', JSON.stringify(settings));
      await machine.connect('qwen-code', '--scope', scope);
      if (scope === 'project') await approve(machine);
      await expectGoesOn(machine, url => talk(machine, url));
    },
  );

  test('waits for approval of what a project names, as the diagnosis says', async () => {
    const machine = await machineWith(installed);
    await machine.connect('qwen-code', '--scope', 'project');
    const list = async () => (await machine.run(['mcp', 'list'])).stdout;
    expect(await list()).toMatch(/platform-control-plane: .* - Pending approval/);
    expect(await machine.diagnosis()).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringContaining('approval'),
    });
    await approve(machine);
    expect(await list()).toMatch(/platform-control-plane: .* - Connected/);
    expect(await machine.diagnosis()).toMatchObject({verdict: 'pass'});
  });
});
