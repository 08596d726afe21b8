import {describe, expect, test} from 'vitest';
import type {Assistant} from '../../src/assistants/assistant.ts';
import {auggie} from '../../src/assistants/catalogue/auggie.ts';
import {claudeCode} from '../../src/assistants/catalogue/claude-code.ts';
import {cline} from '../../src/assistants/catalogue/cline.ts';
import {codexCli} from '../../src/assistants/catalogue/codex-cli.ts';
import {copilotCli} from '../../src/assistants/catalogue/copilot-cli.ts';
import {crush} from '../../src/assistants/catalogue/crush.ts';
import {factoryDroid} from '../../src/assistants/catalogue/factory-droid.ts';
import {geminiCli} from '../../src/assistants/catalogue/gemini-cli.ts';
import {kiloCode} from '../../src/assistants/catalogue/kilo-code.ts';
import {openCode} from '../../src/assistants/catalogue/opencode.ts';
import {vscode} from '../../src/assistants/catalogue/vscode.ts';
import type {Connection} from '../../src/assistants/connection.ts';
import {isAbout, ruleMaker} from '../../src/assistants/rules.ts';
import {places} from './catalogue/golden.ts';

const url = 'http://127.0.0.1:1/mcp';
const remote = {name: 'acme-control-plane', connection: {kind: 'oauth', url, clientId: 'a'}} as const;
const bridge = {
  name: 'acme-bridge',
  connection: {kind: 'command', command: '/usr/bin/node', args: ['x.js', 'mcp'], env: {}} satisfies Connection,
};

/** Returns which of the two servers a client uses with these files. */
const used = ({rules}: Assistant, ...values: readonly unknown[]) =>
  [remote, bridge].flatMap(entry => (rules?.blocks(values, entry) ? [] : [entry.name]));

const both = [remote.name, bridge.name];

// The servers that 2.1.329 lists with these files: one with an address, and one that it starts.
describe('Claude Code', () => {
  const managed = (settings: object, own?: object) => used(claudeCode, undefined, own, settings);
  const named = (...names: readonly string[]) => names.map(serverName => ({serverName}));

  test.each([
    ['nothing', undefined, both],
    ['other settings', {model: 'opus'}, both],
    ['another server by its name', named('github'), []],
    ['none', [], []],
    ['both by name', named(...both), both],
    ['one by address, the other by name', [{serverUrl: 'http://127.0.0.1:1/*'}, ...named(bridge.name)], both],
    ['another address, and this one by name', [{serverUrl: 'https://x.example.com/*'}, ...named(remote.name)], []],
    ['the command', [{serverCommand: ['/usr/bin/node', 'x.js', 'mcp']}], [bridge.name]],
    ['another command, and this one by name', [{serverCommand: ['npx']}, ...named(bridge.name)], []],
  ])('may use what an organisation allows: %s', (_, allowed, names) => {
    expect(managed(Array.isArray(allowed) ? {allowedMcpServers: allowed} : (allowed ?? {}))).toEqual(names);
  });

  test('may not use what is denied, whatever is allowed', () => {
    const deny = (...denied: readonly object[]) =>
      managed({deniedMcpServers: denied, allowedMcpServers: named(...both)});
    expect(deny(...named(bridge.name))).toEqual([remote.name]);
    expect(deny({serverUrl: 'http://127.0.0.1*'})).toEqual([bridge.name]);
    expect(deny({serverCommand: ['/usr/bin/node', 'x.js', 'mcp']})).toEqual([remote.name]);
  });

  test('has its servers from one file alone where there is one', () => {
    expect(used(claudeCode, {mcpServers: {}}, undefined, {allowedMcpServers: named(...both)})).toEqual([]);
  });

  test('minds the person’s own list, beside the organisation’s, unless that forbids it', () => {
    const own = {allowedMcpServers: named('github')};
    expect(managed({}, own)).toEqual([]);
    expect(managed({allowManagedMcpServersOnly: true}, own)).toEqual(both);
    expect(managed({allowedMcpServers: named(bridge.name)}, own)).toEqual([bridge.name]);
    expect(managed({allowManagedMcpServersOnly: true}, {deniedMcpServers: named(remote.name)})).toEqual([bridge.name]);
  });

  test('minds every file of the directory for more of them', () => {
    expect(used(claudeCode, undefined, undefined, {}, {}, {allowedMcpServers: named('github')})).toEqual([]);
    expect(claudeCode.rules?.directory?.(places.linux)).toBe('/etc/claude-code/managed-settings.d');
  });
});

// What 0.169 reports about the same two servers.
test.each([
  ['no servers', {allowed_approval_policies: ['on-request']}, both],
  ['an empty list', {mcp_servers: {}}, []],
  ['another', {mcp_servers: {docs: {identity: {command: 'x'}}}}, []],
  ['the one that it starts', {mcp_servers: {'acme-bridge': {identity: {command: '/usr/bin/node'}}}}, [bridge.name]],
  ['the one that it starts, by another program', {mcp_servers: {'acme-bridge': {identity: {command: 'npx'}}}}, []],
  ['the one with an address', {mcp_servers: {'acme-control-plane': {identity: {url}}}}, [remote.name]],
  ['an address with a slash more', {mcp_servers: {'acme-control-plane': {identity: {url: `${url}/`}}}}, []],
])('Codex uses what its requirements list: %s', (_, requirements, names) => {
  expect(used(codexCli, requirements)).toEqual(names);
});

test('Copilot’s clients may use what any entry of the list is about, and nothing that is denied', () => {
  for (const client of [copilotCli, vscode]) {
    expect(used(client, undefined)).toEqual(both);
    expect(used(client, {allowedMcpServers: []})).toEqual([]);
    expect(used(client, {allowedMcpServers: [{serverUrl: 'http://127.0.0.1:1/*'}, {serverName: 'x'}]})).toEqual([
      remote.name,
    ]);
    expect(used(client, {deniedMcpServers: [{serverName: remote.name}]})).toEqual([bridge.name]);
  }
});

test('VS Code uses nothing where a policy switches servers off', () => {
  expect(used(vscode, undefined, {ChatMCP: 'none'})).toEqual([]);
  expect(used(vscode, undefined, {ChatMCP: 'all'})).toEqual(both);
});

test('VS Code uses what the lists in its policies let it use, as text or not', () => {
  const named = [{serverName: remote.name}];
  for (const list of [named, JSON.stringify(named)]) {
    expect(used(vscode, undefined, {ChatAllowedMcpServers: list})).toEqual([remote.name]);
    expect(used(vscode, undefined, {ChatDeniedMcpServers: list})).toEqual([bridge.name]);
  }
  expect(used(vscode, {allowedMcpServers: []}, {ChatAllowedMcpServers: named})).toEqual([]);
  expect(used(vscode, undefined, {ChatAllowedMcpServers: '['})).toEqual(both);
});

test('Cline minds what its organisation has configured for the project', () => {
  const with_ = (remoteConfig: object) => used(cline, {source: 'cloud', version: '1', remoteConfig});
  expect(with_({})).toEqual(both);
  expect(with_({blockPersonalRemoteMCPServers: true})).toEqual([bridge.name]);
  expect(with_({mcpMarketplaceEnabled: false})).toEqual([remote.name]);
  expect(with_({allowedMCPServers: [{id: 'github'}]})).toEqual([remote.name]);
  expect(with_({allowedMCPServers: [{id: bridge.name}]})).toEqual(both);
});

describe('Gemini CLI', () => {
  const own = (mcp: object) => used(geminiCli, {mcp});
  const system = (values: object, person = {}, defaults = {}) => used(geminiCli, person, defaults, values);

  test('uses what every list allows, the person’s too, and nothing that one excludes', () => {
    expect(own({})).toEqual(both);
    expect(own({allowed: [remote.name]})).toEqual([remote.name]);
    expect(own({excluded: [remote.name]})).toEqual([bridge.name]);
    expect(system({mcp: {allowed: []}})).toEqual([]);
    expect(system({mcp: {allowed: [remote.name]}}, {mcp: {allowed: [bridge.name]}})).toEqual([]);
    expect(system({mcp: {allowed: both}}, {}, {mcp: {excluded: [bridge.name]}})).toEqual([remote.name]);
  });

  test('takes no notice of the case of a name, nor of spaces around it', () => {
    expect(system({mcp: {allowed: [' ACME-Bridge ']}})).toEqual([bridge.name]);
  });

  test('goes by what the system settings say of an entry', () => {
    expect(system({mcpServers: {[bridge.name]: {httpUrl: 'https://x.example.com'}}})).toEqual([remote.name]);
    expect(geminiCli.rules?.gives?.([{mcpServers: {a: 1}}, {mcpServers: {b: 2}}, {mcpServers: {c: 3}}])).toEqual({
      b: 2,
      c: 3,
    });
  });

  test('has its system settings where a variable names them, and the defaults beside them', () => {
    const env = {GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/srv/gemini/settings.json'};
    expect(geminiCli.rules?.files({...places.linux, env}).slice(1)).toEqual([
      '/srv/gemini/system-defaults.json',
      '/srv/gemini/settings.json',
    ]);
  });
});

describe.each([
  [openCode, 'mcp', {enabled: false}, {command: ['/usr/bin/node', 'x.js', 'mcp']}],
  [kiloCode, 'mcp', {enabled: false}, {command: ['/usr/bin/node', 'x.js', 'mcp']}],
  [auggie, 'mcpServers', {disabled: true}, {command: '/usr/bin/node', args: ['x.js', 'mcp']}],
] as const)('$name', (client, key, off, same) => {
  const given = (name: string, entry: object) => used(client, {[key]: {[name]: entry}});

  test('does not use what is switched off or led elsewhere for everybody', () => {
    expect(used(client, undefined)).toEqual(both);
    expect(given('github', off)).toEqual(both);
    expect(given(remote.name, off)).toEqual([bridge.name]);
    expect(given(bridge.name, off)).toEqual([remote.name]);
    expect(given(remote.name, {url: 'https://x.example.com/mcp'})).toEqual([bridge.name]);
    expect(given(bridge.name, {url})).toEqual([remote.name]);
    expect(given(bridge.name, {command: same.command.constructor === Array ? ['npx'] : 'npx'})).toEqual([remote.name]);
  });

  test('uses what is the same for everybody', () => {
    expect(given(remote.name, {url})).toEqual(both);
    expect(given(bridge.name, same)).toEqual(both);
    expect(given(bridge.name, {timeout: 1})).toEqual(both);
  });

  test('is given the servers that stand there', () => {
    expect(client.rules?.gives?.([{[key]: {a: {url}}}])).toEqual({a: {url}});
  });
});

describe('Factory Droid', () => {
  const policy = (...allowlist: readonly string[]) => ({mcpPolicy: {enabled: true, allowlist}});

  test.each([
    ['a host', ['127.0.0.1'], [remote.name]],
    ['an address for its host', ['http://127.0.0.1:9/other'], [remote.name]],
    ['an address of another kind', ['ftp://127.0.0.1/'], []],
    ['a part of the command', ['usr-bin'], [bridge.name]],
    ['an argument', ['X.js'], [bridge.name]],
    ['nothing', [], []],
    ['what says nothing', ['', '--'], []],
  ])('uses what the policy lists: %s', (_, listed, names) => {
    expect(used(factoryDroid, policy(...listed))).toEqual(names);
  });

  test('takes a host for those below it', () => {
    const server = {name: 'a', connection: {kind: 'oauth', url: 'https://mcp.acme.example./x', clientId: 'a'}} as const;
    const isBlocked = (listed: string) => factoryDroid.rules?.blocks([policy(listed)], server);
    expect(['acme.example', 'ACME.example.', 'cme.example'].map(isBlocked)).toEqual([false, false, true]);
  });

  test('uses everything where the policy is off, and goes by the person’s own only then', () => {
    expect(used(factoryDroid, {mcpPolicy: {enabled: false, allowlist: []}})).toEqual(both);
    expect(used(factoryDroid, {}, policy('127.0.0.1'))).toEqual([remote.name]);
    expect(used(factoryDroid, policy('127.0.0.1'), policy('node'))).toEqual([remote.name]);
  });
});

test.each([claudeCode, codexCli, copilotCli, vscode, factoryDroid, geminiCli, openCode, kiloCode, auggie])(
  '$name has them in a place of the machine, on each system',
  ({rules}) => {
    const outside = Object.values(places).map(place =>
      rules?.files(place).find(path => ruleMaker(path, rules, place) === 'your organisation'),
    );
    expect(outside).toEqual([
      expect.stringMatching(/^\/etc\//),
      expect.stringMatching(/^\/(etc|Library)\//),
      expect.stringMatching(/^C:\\Program/),
    ]);
  },
);

describe('an address fits', () => {
  const fits = (serverUrl: string, address = 'https://api.acme.example/mcp') =>
    isAbout({serverUrl}, {name: 'a', connection: {kind: 'header', url: address, headers: {}}});

  test.each([
    'https://api.acme.example/mcp',
    '*',
    'https://*.acme.example/*',
    'https://api.acme.example/*',
    'https://*acme*/mcp',
    'https://api.acme.example/mcp*',
  ])('%s', pattern => {
    expect(fits(pattern)).toBe(true);
  });

  test.each([
    'https://api.acme.example',
    'https://api.acme.example/mcp/*',
    'http://*',
    '*/mcp2',
    'https://*.other.example/*',
    'https://api.acme.example/mcp*mcp',
    '',
  ])('not %s', pattern => {
    expect(fits(pattern)).toBe(false);
  });
});

test('rules in the home are the person’s own', () => {
  const place = {home: '/home/ann'};
  expect(ruleMaker('/home/ann/.claude/settings.json', claudeCode.rules, place)).toBe('your own settings');
  expect(ruleMaker('/home/annabel/x.json', claudeCode.rules, place)).toBe('your organisation');
});

test('rules that an organisation keeps in a project are its own, also in a project in the home', () => {
  const place = {...places.linux, project: `${places.linux.home}/app`};
  const [path = ''] = cline.rules?.files(place) ?? [];
  expect(path).toContain(place.project);
  expect(ruleMaker(path, cline.rules, place)).toBe('your organisation');
});

// As its source merges them: the person's members take precedence over those of the file for everybody.
describe('Crush', () => {
  test('has what is switched off for everybody switched off', () => {
    expect(used(crush, undefined)).toEqual(both);
    expect(used(crush, {mcp: {[bridge.name]: {disabled: true}}})).toEqual([remote.name]);
    expect(used(crush, {mcp: {[bridge.name]: {type: 'stdio', command: 'x'}}})).toEqual(both);
  });

  test('has the servers of that file without anything of the person’s', () => {
    const given = {type: 'http', url};
    expect(crush.rules?.gives?.([{mcp: {[remote.name]: given}}])).toEqual({[remote.name]: given});
    expect(crush.rules?.files(places.linux)).toEqual(['/etc/crush/crush.json']);
    expect(crush.rules?.files(places.win32)).toEqual([]);
  });
});
