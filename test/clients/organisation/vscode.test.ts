import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {chromiumPath, noChromium} from '../../e2e/support/sign-in/chromium.ts';
import {serve} from '../../support/server.ts';
import {codeServer} from '../support/clients.ts';
import {listServers, openCodeWindow, startServer} from '../support/code-window.ts';
import {describeManaged, type ManagedMachine, managedMachine} from './support/managed-machine.ts';

// code-server reads no policies from any file. It gets the same values as settings, with the same effect.
const settings: Readonly<Record<string, string>> = {
  ChatAllowedMcpServers: 'chat.mcp.allowedServers',
  ChatMCP: 'chat.mcp.access',
  McpGalleryServiceUrl: 'chat.mcp.gallery.serviceUrl',
};

const file = '.local/share/code-server/User/mcp.json';

/** Writes policies into code-server's settings. */
const apply = (machine: ManagedMachine, policies: Readonly<Record<string, string>>) => {
  const values = Object.entries(policies).map(([name, value]) => {
    expect(settings).toHaveProperty(name);
    return [settings[name], value.startsWith('[') ? JSON.parse(value) : value];
  });
  machine.write('.local/share/code-server/User/settings.json', JSON.stringify(Object.fromEntries(values)));
};

const toolsListed = async (machine: ManagedMachine, name: 'controlPlane' | 'observer') =>
  expect.poll(() => machine.servers[name].seen().map(({rpc}) => rpc), {timeout: 60_000}).toContain('tools/list');

/** Serves the kit's registry without the observer's documents, and records the requests. */
const registryOf = async (machine: ManagedMachine) => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const {pathname} = new URL(request.url ?? '', 'http://registry');
    const isThere = !pathname.includes('observability') && machine.hasKitFile(`registry${pathname}/index.json`);
    asked.push(`${pathname} ${isThere ? 200 : 404}`);
    const headers = {'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*'};
    response.writeHead(isThere ? 200 : 404, headers);
    response.end(isThere ? machine.kitFile(`registry${pathname}/index.json`) : '');
  });
  return {url, asked};
};

await describeManaged(codeServer, installed => {
  test('has a policy of each of these names', () => {
    const package_ = join(installed.bin, '..', 'code-server');
    const program = readFileSync(join(package_, 'lib/vscode/out/vs/code/browser/workbench/workbench.js'), 'utf8');
    for (const name of Object.keys(settings)) expect(program).toContain(`policy:{name:"${name}"`);
  });

  const title = chromiumPath === undefined ? `in Chromium, left out: ${noChromium}` : 'in Chromium';
  describe.skipIf(chromiumPath === undefined)(title, () => {
    const machineWith = () => managedMachine(installed);

    test('starts any server without a policy', async () => {
      const machine = await machineWith();
      await machine.connect('code-server');
      machine.addTo(file, 'servers', {mine: machine.stranger});
      await startServer(await openCodeWindow(machine.plain), 'mine');
      await expect.poll(machine.strangers, {timeout: 60_000}).not.toEqual([]);
    });

    test('lets everybody connect the servers, and no others', async () => {
      const machine = await machineWith();
      await machine.connect('code-server');
      machine.addTo(file, 'servers', {mine: machine.stranger});
      apply(machine, JSON.parse(machine.kitFile('machines/allow-list/linux/etc/vscode/policy.json')));
      const page = await openCodeWindow(machine.plain);
      // The answer of one of these servers shows that the first server has had enough time.
      await startServer(page, 'mine');
      for (const name of ['controlPlane', 'observer'] as const) {
        await startServer(page, name === 'observer' ? 'platform-observability' : 'platform-control-plane');
        await toolsListed(machine, name);
      }
      expect(machine.strangers()).toEqual([]);
    });

    test('starts no server where a policy switches them off', async () => {
      const machine = await machineWith();
      await machine.connect('code-server');
      apply(machine, {ChatMCP: 'none'});
      expect(await listServers(await openCodeWindow(machine.plain))).toEqual([]);
      machine.expectNothingAsked();
    });

    test('starts what the registry has, where a policy names it and allows nothing else', async () => {
      const machine = await machineWith();
      const registry = await registryOf(machine);
      apply(machine, {ChatMCP: 'registry', McpGalleryServiceUrl: registry.url});
      const page = await openCodeWindow(machine.plain);
      // It looks up an entry that is added while it is open. Entries from before are not looked up at each start.
      await expect.poll(() => registry.asked, {timeout: 60_000}).toContain('/v0.1/servers 200');
      await machine.connect('code-server');
      await expect
        .poll(() => registry.asked.toSorted(), {timeout: 60_000})
        .toEqual(
          expect.arrayContaining([
            '/v0.1/servers/platform-control-plane/versions/latest 200',
            '/v0.1/servers/platform-observability/versions/latest 404',
          ]),
        );
      await startServer(page, 'platform-control-plane');
      await toolsListed(machine, 'controlPlane');
      expect(await listServers(page)).toEqual(['platform-control-plane']);
      expect(machine.servers.observer.seen()).toEqual([]);
    });
  });
});
