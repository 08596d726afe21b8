import {expect, test} from 'vitest';
import {openCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen, expectSeen} from './support/expect-seen.ts';
import {machineWith} from './support/machine.ts';
import {CLOSING, modelWithTwoCalls} from './support/two-calls.ts';

const offline = {OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1'};

/** Settings beside the file that was written: a model of one's own. */
const modelAt = (url: string) => ({
  model: 'scripted/model',
  provider: {
    scripted: {
      npm: '@ai-sdk/anthropic',
      options: {baseURL: `${url}/v1`, apiKey: 'none'},
      models: {model: {name: 'model', tool_call: true}},
    },
  },
});

await describeClient(openCode, installed => {
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
    const model = await modelWithTwoCalls(machine);
    const {code, stdout} = await machine.run(['run', 'Begin.'], {
      ...offline,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(modelAt(model.url)),
    });
    expect({code, stdout}).toEqual({code: 0, stdout: `${CLOSING}\n`});
    expect(callsSeen(machine, model.ended())).toEqual([
      ['ended', 200],
      ['live', 200],
    ]);
  });
});
