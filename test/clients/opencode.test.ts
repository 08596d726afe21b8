import {expect, test} from 'vitest';
import {openCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {expectSeen} from './support/expect-seen.ts';
import {machineWith} from './support/machine.ts';
import {scriptedModelAt} from './support/opencode-model.ts';
import {expectGoesOn} from './support/two-calls.ts';

const offline = {OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1'};

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
    await expectGoesOn(machine, url =>
      machine.run(['run', 'Begin.'], {...offline, OPENCODE_CONFIG_CONTENT: JSON.stringify(scriptedModelAt(url))}),
    );
  });
});
