import {expect, test} from 'vitest';
import {openCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {expectSeen} from './support/expect-seen.ts';
import {machineWith} from './support/machine.ts';

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
});
