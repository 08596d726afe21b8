import {describe, expect} from 'vitest';
import {chromiumPath, noChromium} from '../e2e/support/sign-in/chromium.ts';
import {codeServer} from './support/clients.ts';
import {openCodeWindow, startServer} from './support/code-window.ts';
import {describeClient} from './support/describe-client.ts';
import type {Machine} from './support/machine.ts';
import {testScopes} from './support/scopes.ts';

const files = {user: '.local/share/code-server/User/mcp.json', project: '.vscode/mcp.json'} as const;

/** The file as the editor lays it out. */
const mine =
  '{\n\t"servers": {\n\t\t"mine": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "true"\n\t\t}\n\t},\n\t"inputs": []\n}';

/** The editor needs no account to connect. A conversation needs an extension with a model. */
const expectConnected = async (machine: Machine) => {
  const page = await openCodeWindow(machine);
  const servers = {'platform-control-plane': 'controlPlane', 'platform-observability': 'observer'} as const;
  for (const [name, server] of Object.entries(servers)) {
    await startServer(page, name);
    const rpcs = () => machine.servers[server].seen().map(({rpc}) => rpc);
    await expect.poll(rpcs, {timeout: 60_000}).toContain('tools/list');
  }
};

await describeClient(codeServer, installed => {
  describe.skipIf(chromiumPath === undefined)(
    `in Chromium${chromiumPath === undefined ? `, left out: ${noChromium}` : ''}`,
    () => {
      testScopes(installed, {
        assistant: 'code-server',
        chosen: {sandboxEnabled: true},
        seenAs: ['code-server'],
        files,
        own: async ({write}, scope) => write(scope === 'user' ? files.user : `project/${files.project}`, mine),
        expectConnected,
      });
    },
  );
});
