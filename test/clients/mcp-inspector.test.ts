import {expect, test} from 'vitest';
import {mcpInspector} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {expectSeen} from './support/expect-seen.ts';
import {machineWith} from './support/machine.ts';

await describeClient(mcpInspector, installed => {
  test('lists the tools of both servers through the bridge', async () => {
    const machine = await machineWith(installed);
    await machine.connect('generic', '--method', 'bridge', '--scope', 'project');
    const toolsOf = async (server: string): Promise<readonly string[]> => {
      const args = ['--cli', '--config', '.mcp.json', '--server', server, '--method', 'tools/list'];
      const {code, stdout, stderr} = await machine.run(args, {MCP_INSPECTOR_SECRET_STORE: 'memory'});
      expect({code, stderr}).toMatchObject({code: 0});
      return JSON.parse(stdout).tools.map(({name}: {readonly name: string}) => name);
    };
    expect(await toolsOf('platform-control-plane')).toContain('list_organizations');
    expect(await toolsOf('platform-observability')).toContain('query_component_logs');
    expectSeen(machine, 'inspector-cli');
  });
});
