import {expect} from 'vitest';
import {auggie} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {testScopes} from './support/scopes.ts';

await describeClient(auggie, installed => {
  testScopes(installed, {
    assistant: 'auggie',
    chosen: {timeoutMs: 5000},
    // Auggie connects only in a conversation, which needs an account.
    seenAs: 'never',
    files: {user: '.augment/settings.json', project: '.augment/settings.json'},
    own: ({run}, scope) => {
      const add = ['mcp', 'add', 'mine', '--command', 'node', '--args', 'server.js'];
      return run([...add, ...(scope === 'project' ? ['--project'] : [])]);
    },
    expectConnected: async machine => {
      const {code, stdout} = await machine.run(['mcp', 'list']);
      expect({code, stdout}).toEqual({code: 0, stdout: expect.stringMatching(/✓ platform-control-plane /)});
      expect(stdout).toContain('✓ platform-observability ');
      expect(stdout).toContain('✓ mine ');
    },
  });
});
