import {getStaticTOMLValue, parseTOML} from 'toml-eslint-parser';
import {describe, expect, test} from 'vitest';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {claudeCode} from '../../../src/assistants/catalogue/claude-code.ts';
import {codexCli} from '../../../src/assistants/catalogue/codex-cli.ts';
import {copilotCli} from '../../../src/assistants/catalogue/copilot-cli.ts';
import {vscode} from '../../../src/assistants/catalogue/vscode.ts';
import type {Connection} from '../../../src/assistants/connection.ts';
import {managedBy} from '../../../src/assistants/managed-files.ts';
import type {System} from '../../../src/assistants/place.ts';
import {places} from '../catalogue/golden.ts';
import {filesFor, handedOut, program, rulesOn, serve, url} from './handed-out.ts';

const valuesOf = ({path, text}: {readonly path: string; readonly text: string}): unknown =>
  path.endsWith('.toml') ? getStaticTOMLValue(parseTOML(text)) : JSON.parse(text);

const named = (assistant: Assistant, handling: 'servers' | 'allow-list') =>
  Object.fromEntries(filesFor(assistant, handling).map(file => [file.path, valuesOf(file)]));

const bridge = {command: program.command, args: [...program.args, ...serve]};

test('Claude Code has the servers from one file, or a list of those that people may connect', () => {
  expect(named(claudeCode, 'servers')).toEqual({
    '/etc/claude-code/managed-mcp.json': {mcpServers: {'acme-control-plane': {type: 'stdio', ...bridge}}},
  });
  expect(named(claudeCode, 'allow-list')).toEqual({
    '/etc/claude-code/managed-settings.d/platform-setup.json': {
      allowManagedMcpServersOnly: true,
      allowedMcpServers: [{serverUrl: url}, {serverUrl: `${url}?*`}, {serverName: 'acme-control-plane'}],
    },
  });
});

test('Codex has the servers under names that nobody else writes, and a list of all that count', () => {
  expect(named(codexCli, 'servers')).toEqual({
    '/etc/codex/config.toml': {mcp_servers: {'org-acme-control-plane': bridge}},
    '/etc/codex/requirements.toml': {
      mcp_servers: {'org-acme-control-plane': {identity: {command: program.command}}},
    },
  });
  expect(named(codexCli, 'allow-list')).toEqual({
    '/etc/codex/requirements.toml': {mcp_servers: {'acme-control-plane': {identity: {url}}}},
  });
});

test('Copilot has the same list, however it is gone about', () => {
  const list = [{serverUrl: url}, {serverUrl: `${url}?*`}, {serverName: 'acme-control-plane'}];
  for (const handling of ['servers', 'allow-list'] as const) {
    expect(named(copilotCli, handling)).toEqual({
      '/etc/github-copilot/managed-settings.json': {allowedMcpServers: list},
    });
  }
});

describe('VS Code has a list in a text', () => {
  const list = [{serverUrl: url}, {serverUrl: `${url}?*`}, {serverName: 'acme-control-plane'}];
  const registry = {url: 'https://mcp.acme.example', namespace: 'com.acme'};
  const documentOn = (system: System, name = 'acme-control-plane') => {
    const [document, ...others] =
      managedBy(vscode.id)?.files(places[system], [handedOut(vscode, name)], registry) ?? [];
    expect(others).toEqual([]);
    return document?.text ?? '';
  };

  test('in its policies', () => {
    const [document] = filesFor(vscode, 'allow-list');
    expect(document?.path).toBe('/etc/vscode/policy.json');
    const {ChatAllowedMcpServers, ...others} = JSON.parse(document?.text ?? '');
    expect(JSON.parse(ChatAllowedMcpServers)).toEqual(list);
    expect(others).toEqual({});
  });

  test('with what people install from the organisation’s registry', () => {
    const {ChatAllowedMcpServers, ...others} = JSON.parse(documentOn('linux'));
    expect(JSON.parse(ChatAllowedMcpServers)).toEqual([...list, {serverName: 'com.acme/acme-control-plane'}]);
    expect(others).toEqual({McpGalleryServiceUrl: registry.url});
  });

  // Backslashes, quotes and characters beyond ASCII must survive JSON and each system's format around it.
  const odd = 'aç"\\&<b';
  const names = (json: string) => JSON.parse(json).flatMap((one: {serverName?: string}) => one.serverName ?? []);

  test('in the registry of Windows', () => {
    const text = documentOn('win32', odd);
    const lines = text.split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      'Windows Registry Editor Version 5.00',
      '',
      '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Microsoft\\VSCode]',
    ]);
    const values = lines.slice(3, -1).map(line => /^"(\w+)"="(.*)"$/.exec(line)?.slice(1) ?? []);
    expect(values.map(([name]) => name)).toEqual(['ChatAllowedMcpServers', 'McpGalleryServiceUrl']);
    expect(names((values[0]?.[1] ?? '').replaceAll(/\\(.)/g, '$1'))).toEqual([odd, `com.acme/${odd}`]);
    expect(text).toMatch(/^[\x00-\x7f]*$/);
  });

  test('in a profile of macOS', () => {
    const text = documentOn('darwin', odd);
    const value = (key: string) => new RegExp(`<key>${key}</key>\\s*<string>(.*)</string>`).exec(text)?.[1] ?? '';
    const json = value('ChatAllowedMcpServers')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    expect(names(json)).toEqual([odd, `com.acme/${odd}`]);
    expect(text.match(/<string>com\.microsoft\.VSCode<\/string>|<string>Configuration<\/string>/g)).toHaveLength(2);
    const ids = text.match(/<string>[\dA-F]{8}-[\dA-F]{4}-8[\dA-F]{3}-8[\dA-F]{3}-[\dA-F]{12}<\/string>/g) ?? [];
    expect(new Set(ids).size).toBe(2);
    // A profile has the same IDs as an older one, so that it replaces the older one.
    expect(documentOn('darwin', 'b').match(/<string>[\dA-F]{8}-.*/g)).toEqual(ids);
  });
});

// As the clients themselves behaved in test/clients/organisation.
describe('this program takes the list of people’s servers as the client does', () => {
  const own: Connection = {kind: 'command', command: '/home/ann/node', args: ['/home/ann/setup.js', ...serve], env: {}};
  const helper = (address: string): Connection => ({kind: 'helper', url: address, helper: 'x'});

  test.each([
    [claudeCode, [helper(url), helper(`${url}?toolsets=a,b`), own]],
    [copilotCli, [helper(url), helper(`${url}?toolsets=a,b`), own]],
    [vscode, [helper(url), helper(`${url}?toolsets=a,b`), own]],
    [codexCli, [helper(url)]],
  ] as const)('$0.name', async (assistant, connections) => {
    const {blockedBy} = await rulesOn(filesFor(assistant, 'allow-list'), assistant);
    for (const connection of connections) {
      expect(blockedBy({name: 'acme-control-plane', connection})).toBeUndefined();
    }
    for (const connection of [helper('https://api.other.example/mcp'), helper(`${url}/x`), own]) {
      expect(blockedBy({name: 'other', connection})).toMatch(/^[\\/]etc[\\/]/);
    }
  });

  test('Codex, but for the bridge and fewer tools', async () => {
    const {blockedBy} = await rulesOn(filesFor(codexCli, 'allow-list'), codexCli);
    for (const connection of [own, helper(`${url}?toolsets=a,b`)]) {
      expect(blockedBy({name: 'acme-control-plane', connection})).toBe('/etc/codex/requirements.toml');
    }
  });

  test.each([claudeCode, codexCli])('$name, as connected where it has them from the organisation', async assistant => {
    const wanted = {server: 'control-plane', label: 'acme-control-plane', url} as const;
    const files = filesFor(assistant, 'servers');
    const [file] = files;
    const {providedBy} = await rulesOn(files, assistant);
    expect(providedBy(wanted, 'acme')).toMatchObject({
      path: file?.path,
      name: expect.stringContaining('acme-control-plane'),
    });
    expect(providedBy({...wanted, server: 'observability', url: `${url}2`}, 'acme')).toBeUndefined();
    expect(providedBy(wanted, 'other')).toBeUndefined();
    const people = await rulesOn(filesFor(assistant, 'allow-list'), assistant);
    expect(people.providedBy(wanted, 'acme')).toBeUndefined();
  });

  test('Codex, not as connected where its requirements do not list what it is given', async () => {
    const [config] = filesFor(codexCli, 'servers');
    const [, requirements] = filesFor(codexCli, 'servers');
    if (!config || !requirements) throw new Error('Codex has two files.');
    const {providedBy} = await rulesOn([config, {...requirements, text: '[mcp_servers]\n'}], codexCli);
    expect(providedBy({server: 'control-plane', label: 'acme-control-plane', url}, 'acme')).toBeUndefined();
  });

  test.each([claudeCode, codexCli])('$name, where it has all servers from the organisation', async assistant => {
    const {blockedBy} = await rulesOn(filesFor(assistant, 'servers'), assistant);
    for (const connection of [helper(url), own]) {
      expect(blockedBy({name: 'acme-control-plane', connection})).toMatch(/^[\\/]etc[\\/]/);
    }
  });
});

describe.each(allAssistants.filter(({id}) => managedBy(id)))('$name', assistant => {
  test.each(['linux', 'darwin', 'win32'] as const)('has files in places of the machine on %s', system => {
    const place = places[system];
    const managed = managedBy(assistant.id);
    for (const file of managed?.files(place, [handedOut(assistant)]) ?? []) {
      expect(file.path.startsWith(place.home)).toBe(false);
      expect(file.path).toMatch(
        system === 'win32' ? /^C:\\Program|^[\w-]+\.reg$/ : /^\/(etc|Library)\/|^[\w-]+\.mobileconfig$/,
      );
      expect(file.does).toMatch(/^[A-Z].*\.$/);
      expect(file.handling).not.toEqual([]);
      if (file.evidence === 'run') expect(file.seenWith).toMatch(/^\d+\.\d+/);
      if (system !== 'linux') expect(file.evidence).toBe('documentation');
    }
  });

  test('has each file once in either way', () => {
    for (const handling of ['servers', 'allow-list'] as const) {
      const paths = filesFor(assistant, handling).map(({path}) => path);
      expect(paths).not.toEqual([]);
      expect(new Set(paths).size).toBe(paths.length);
    }
  });
});
