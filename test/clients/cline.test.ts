import {expect, test} from 'vitest';
import {cline} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen, expectSeen} from './support/expect-seen.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {openAiModelFor} from './support/openai-model.ts';
import {testScopes} from './support/scopes.ts';
import {CLOSING, expectGoesOn, listing} from './support/two-calls.ts';

/** By default Cline starts a process for all its sessions, which outlives them. */
const alone = {CLINE_SESSION_BACKEND_MODE: 'local'};

/** Runs one prompt, answered by a model of the test. */
const talk = async (machine: Machine, url: string) => {
  await machine.run(['auth', '-p', 'openai', '-k', 'none', '-m', 'scripted', '-b', `${url}/v1`], alone);
  return machine.run(['Begin with it.'], alone);
};

await describeClient(cline, installed => {
  testScopes(installed, {
    assistant: 'cline',
    chosen: {timeout: 30, autoApprove: ['list_organizations']},
    seenAs: ['@cline/core'],
    files: {user: '.cline/data/settings/cline_mcp_settings.json'},
    own: ({run}) => run(['mcp', 'add', '--yes', 'mine', '--', 'node', 'server.js'], alone),
    // No command of the client connects, but a conversation does.
    expectConnected: async machine => {
      const model = await openAiModelFor([listing, {text: CLOSING}]);
      const {code, stdout} = await talk(machine, model.url);
      expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining(CLOSING)});
      expect(callsSeen(machine)).toEqual([['live', 200]]);
    },
  });

  test('goes on when the token ends between two calls, by the bridge', async () => {
    const machine = await machineWith(installed);
    await machine.connect('cline');
    await expectGoesOn(machine, url => talk(machine, url), openAiModelFor);
  });

  test('reads the file that a variable names', async () => {
    const machine = await machineWith(installed);
    const moved = {CLINE_MCP_SETTINGS_PATH: `${machine.home}/moved/servers.json`};
    await machine.connectWith(moved, 'cline');
    const model = await openAiModelFor([listing, {text: CLOSING}]);
    await machine.run(['auth', '-p', 'openai', '-k', 'none', '-m', 'scripted', '-b', `${model.url}/v1`], alone);
    expect(await machine.run(['Begin with it.'], {...alone, ...moved})).toMatchObject({code: 0});
    expectSeen(machine, '@cline/core');
  });
});
