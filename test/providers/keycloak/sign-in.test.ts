import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {expect, onTestFinished, test} from 'vitest';
import type {Representation} from '../support/admin.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {type Machine, machineAt} from '../support/person.ts';
import {ann} from '../support/realm.ts';

const account = 'ann@acme.example';
const once = {revokeRefreshToken: true, refreshTokenMaxReuse: 0};
const pkce = {attributes: {'pkce.code.challenge.method': 'S256'}};

const situations: readonly [string, {readonly realm?: Representation; readonly client?: Representation}][] = [
  ['as it comes', {}],
  ['that takes each refresh token once', {realm: once}],
  ['that demands PKCE', {client: pkce}],
  ['that demands PKCE and takes each refresh token once', {realm: once, client: pkce}],
];

describeKeycloak('a person', () => {
  test.each(situations)(
    'signs in at a Keycloak %s, connects an assistant, renews and signs out',
    async (_, options) => {
      const machine = await machineAt(options);
      const {setup, store, controlPlane, administration} = machine;
      const {last, page} = await machine.login();
      expect(last).toMatchObject({type: 'done', account, identityProvider: 'keycloak', issuer: machine.issuer});
      expect(await page.innerText('body')).toContain('You are signed in');
      const first = store.only();

      const project = join(machine.surroundings.home, 'project');
      mkdirSync(project);
      await setup(['mcp', 'connect', 'generic', '--yes', '--method', 'bridge', '--project', project]);
      expect(await callThroughEntry(project, machine)).toBe('ann');
      expect(await setup(['mcp', 'call', 'control-plane', 'who_am_i'])).toContain('ann');

      const renewed = (await setup(['token', '--renew'])).trim();
      expect(renewed).not.toBe(first.accessToken);
      const second = store.only();
      expect(second).toMatchObject({accessToken: renewed, account});
      expect(second.rotates).toBe(true);
      // A renewal by another process, hours later.
      store.expire();
      const third = (await setup(['token'])).trim();
      expect([first.accessToken, renewed]).not.toContain(third);
      expect(await callThroughEntry(project, machine)).toBe('ann');
      expect(controlPlane.refused).toEqual([]);
      expect(controlPlane.taken.at(-1)).toMatchObject({preferred_username: ann.username, aud: controlPlane.audience});

      const {id} = await administration.user(ann.username);
      const sessions = () => administration.get<readonly unknown[]>(`/users/${id}/sessions`);
      expect(await sessions()).toHaveLength(1);
      await setup(['logout']);
      expect(await sessions()).toEqual([]);
      expect(await machine.run(['token'])).toMatchObject({code: 4, stdout: ''});
    },
  );
});

/** Starts the server of a project's entry as an assistant does, and returns the answer of the platform's tool. */
const callThroughEntry = async (project: string, {surroundings: {env, temporary}}: Machine): Promise<string> => {
  const {mcpServers} = JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8'));
  const [entry] = Object.values<{readonly command: string; readonly args: string[]}>(mcpServers);
  const {command, args} = entry ?? expect.fail('No entry was written.');
  const client = new Client({name: 'assistant', version: '1.0.0'});
  await client.connect(new StdioClientTransport({command, args, env, cwd: temporary}));
  onTestFinished(() => client.close());
  const {tools} = await client.listTools();
  expect(tools.map(({name}) => name)).toEqual(['who_am_i']);
  const {content} = await client.callTool({name: 'who_am_i', arguments: {}});
  const [said] = content as readonly {readonly text?: string}[];
  return said?.text ?? '';
};
