import {expect, test} from 'vitest';
import {geminiCli} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {expectSeen} from './support/expect-seen.ts';
import {machineWith} from './support/machine.ts';

await describeClient(geminiCli, installed => {
  test.for(['auto', 'header'])('connects to both servers, method %s', async method => {
    const machine = await machineWith(installed);
    await machine.connect('gemini-cli', '--method', method);
    const {code, stderr} = await machine.run(['mcp', 'list'], {GEMINI_CLI_TRUST_WORKSPACE: 'true'});
    expect({code, stderr}).toEqual({code: 0, stderr: expect.stringMatching(/✓ platform-control-plane: .* Connected/)});
    expect(stderr).toMatch(/✓ platform-observability: .* Connected/);
    expectSeen(machine, 'mcp-test-client', ['ping']);
  });
});
