import {expect} from 'vitest';
import {qoder} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
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
});
