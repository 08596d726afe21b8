import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {qoder} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {machineWith} from './support/machine.ts';
import {testScopes} from './support/scopes.ts';

await describeClient(qoder, installed => {
  testScopes(installed, {
    assistant: 'qoder',
    seenAs: ['mcp-test-client', ['ping']],
    files: {user: '.qoder/settings.json', project: '.mcp.json'},
    chosen: {timeout: 5000},
    own: ({run}, scope) => run(['mcp', 'add', '-s', scope, 'mine', 'node', 'server.js']),
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

  test('asks its helper once, also when the token is refused, so no entry relies on it', async () => {
    const machine = await machineWith(installed);
    const {home, token, servers} = machine;
    const asked = join(home, 'asked');
    const headers = JSON.stringify({Authorization: `Bearer ${token()}`});
    machine.write('helper.sh', `echo asked >> '${asked}'\necho '${headers}'\n`);
    const helper = `sh ${join(home, 'helper.sh')}`;
    const url = `${servers.controlPlane.url}/mcp`;
    await machine.run(['mcp', 'add', '-s', 'user', '-t', 'http', '--headers-helper', helper, 'mine', url]);
    expect((await machine.run(['mcp', 'list'])).stdout).toMatch(/mine: .* - Connected/);
    expect(readFileSync(asked, 'utf8')).toBe('asked\n');
    servers.controlPlane.end(token());
    expect((await machine.run(['mcp', 'list'])).stdout).not.toMatch(/mine: .* - Connected/);
    expect(readFileSync(asked, 'utf8')).toBe('asked\nasked\n');
  });
});
