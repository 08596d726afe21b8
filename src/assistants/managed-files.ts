import {sha256} from '../domain/fingerprint.ts';
import {managedPath} from './catalogue/claude-code.ts';
import {codexSystem} from './catalogue/codex-cli.ts';
import {copilotSettings, VSCODE_POLICIES} from './catalogue/copilot-cli.ts';
import {tomlTable} from './editors/toml-tree.ts';
import {type HandedOut, jsonText, type Managed, type OwnRegistry, seenOnLinux} from './managed.ts';
import type {Place} from './place.ts';

/**
 * One file for Copilot's command line, its plugins and VS Code. It does not provide servers, so with either handling
 * people connect them themselves. Bridge entries are matched by their name, since the path of the program differs from
 * person to person.
 */
export const copilotManaged: Managed = {
  method: 'bridge',
  files: (place, servers) => [
    {
      path: copilotSettings(place),
      text: jsonText({allowedMcpServers: servers.flatMap(allowedIn)}),
      does: 'Lets everyone connect these servers, and no others, to GitHub Copilot and VS Code.',
      handling: ['servers', 'allow-list'],
      ...seenOnLinux(place, '1.0.102'),
    },
  ],
};

/** Returns the list entries that allow a server with any method, with all its tools or fewer. */
export const allowedIn = ({name, url}: HandedOut): readonly object[] => [
  {serverUrl: url},
  {serverUrl: `${url}?*`},
  {serverName: name},
];

/** A separate file in the directory, so that the administrator's other settings stay unchanged. */
const ALLOW_LIST = 'platform-setup.json';

/**
 * The entries start the bridge: it works with any version, and offers a tool to sign in while nobody is signed in.
 *
 * Entries that people connect themselves may run the helper or the bridge. The helper is matched by its address, with
 * or without the requested tools. The bridge is matched by its name, since the path of its program differs from person
 * to person.
 */
export const claudeCodeManaged: Managed = {
  method: 'bridge',
  files: (place, servers) => {
    const seen = seenOnLinux(place, '2.1.329');
    return [
      {
        path: managedPath(place, 'managed-mcp.json'),
        text: jsonText({mcpServers: Object.fromEntries(servers.map(({name, entry}) => [name, entry]))}),
        does: 'Gives everyone these servers in Claude Code. Nobody can add others.',
        handling: ['servers'],
        ...seen,
      },
      {
        path: managedPath(place, 'managed-settings.d', ALLOW_LIST),
        text: jsonText({allowManagedMcpServersOnly: true, allowedMcpServers: servers.flatMap(allowedIn)}),
        does: 'Lets everyone connect these servers, and no others, to Claude Code.',
        handling: ['allow-list'],
        ...seen,
      },
    ];
  },
};

/**
 * The entries start the bridge: it works with any version, and offers a tool to sign in while nobody is signed in.
 *
 * Codex merges a person's entry with the organisation's entry of the same name, key by key, and does not start if the
 * result has both an address and a program. So the organisation's entries have names of their own.
 *
 * `requirements.toml` lists one identity for each permitted name. For a server that the organisation provides, the
 * identity is the command of its entry. For a server that people connect themselves, it is the server's address,
 * reduced to the tools that the organisation allows, because the path of the program differs from person to person.
 */
export const codexManaged: Managed = {
  method: 'bridge',
  files: (place, servers) => [
    {
      path: codexSystem(place, 'config.toml'),
      text: tomlText(servers.map(({name, entry}) => [['mcp_servers', givenName(name)], entry])),
      does: 'Gives everyone these servers in Codex.',
      handling: ['servers'],
      ...seenOnLinux(place, SEEN),
    },
    {
      path: codexSystem(place, 'requirements.toml'),
      text: tomlText(servers.map(server => [['mcp_servers', givenName(server.name), 'identity'], identityOf(server)])),
      does: 'Stops people from using other servers in Codex.',
      handling: ['servers'],
      ...seenOnLinux(place, SEEN),
    },
    {
      path: codexSystem(place, 'requirements.toml'),
      text: tomlText(
        servers.map(({name, url, narrowed = url}) => [['mcp_servers', name, 'identity'], {url: narrowed}]),
      ),
      does: 'Lets everyone connect these servers, and no others, to Codex with the helper.',
      handling: ['allow-list'],
      ...seenOnLinux(place, SEEN),
    },
  ],
};

const SEEN = '0.169.0';

const givenName = (name: string) => `org-${name}`;

const identityOf = ({connection, url}: HandedOut): object =>
  connection.kind === 'command' ? {command: connection.command} : {url};

const tomlText = (tables: readonly (readonly [keys: readonly string[], values: object])[]): string =>
  tables.map(([keys, values]) => `${tomlTable(keys, values).join('\n')}\n`).join('\n');

/**
 * The policies do not provide servers, so with either handling people connect them themselves. A policy that names a
 * registry shows the registry's servers to people. No policy here restricts people to the registry (`ChatMCP`): VS Code
 * was seen to query the registry before it had read its installed servers, and then to use none of them.
 */
export const vscodeManaged: Managed = {
  method: 'bridge',
  files: (place, servers, registry) => [
    {
      ...documentOf(place, policiesFor(servers, registry)),
      does: 'Lets everyone connect these servers, and no others, to VS Code 1.130 or newer.',
      handling: ['servers', 'allow-list'],
      // The effect of these values was seen, but not that VS Code reads them from this place.
      evidence: 'documentation',
      seenWith: 'code-server 4.139.1',
    },
  ],
};

type Policies = Readonly<Record<string, string>>;

const policiesFor = (servers: readonly HandedOut[], registry?: OwnRegistry): Policies => {
  const names = registry ? servers.map(({name}) => ({serverName: `${registry.namespace}/${name}`})) : [];
  return {
    ChatAllowedMcpServers: ascii(JSON.stringify([...servers.flatMap(allowedIn), ...names])),
    ...(registry ? {McpGalleryServiceUrl: registry.url} : {}),
  };
};

/** Escapes all characters beyond ASCII, since the Windows registry or a profile might alter them. */
const ascii = (json: string) =>
  json.replaceAll(/[\u0080-\uffff]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

const documentOf = ({system}: Place, policies: Policies) => {
  if (system === 'win32') return {path: 'vscode.reg', text: regText(policies)};
  if (system === 'darwin') return {path: 'vscode.mobileconfig', text: profileText(policies)};
  return {path: VSCODE_POLICIES, text: jsonText(policies)};
};

/** Returns a document for `reg import`. */
const regText = (policies: Policies): string => {
  const lines = Object.entries(policies).map(([name, value]) => `"${name}"="${value.replaceAll(/["\\]/g, '\\$&')}"`);
  const key = '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Microsoft\\VSCode]';
  return ['Windows Registry Editor Version 5.00', '', key, ...lines, ''].join('\r\n');
};

/** Returns a configuration profile. It replaces an installed profile with the same identifiers. */
const profileText = (policies: Policies): string => {
  const payload = {
    ...policies,
    ...payloadOf('com.microsoft.VSCode', 'platform-setup.vscode.policies'),
  };
  const profile = {
    PayloadDisplayName: 'VS Code: MCP servers',
    PayloadScope: 'System',
    ...payloadOf('Configuration', 'platform-setup.vscode'),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
${pairsOf(payload, '      ')}
    </dict>
  </array>
${pairsOf(profile, '  ')}
</dict>
</plist>
`;
};

const payloadOf = (type: string, identifier: string) => ({
  PayloadIdentifier: identifier,
  PayloadType: type,
  PayloadUUID: uuidOf(identifier),
  PayloadVersion: 1,
});

const pairsOf = (values: Readonly<Record<string, string | number>>, indent: string) =>
  Object.entries(values)
    .map(([key, value]) => `${indent}<key>${key}</key>\n${indent}${plistValue(value)}`)
    .join('\n');

const plistValue = (value: string | number) =>
  typeof value === 'number' ? `<integer>${value}</integer>` : `<string>${escaped(value)}</string>`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the same UUID for the same identifier (RFC 9562 5.8). */
const uuidOf = (identifier: string): string => {
  const hex = sha256(identifier);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-').toUpperCase();
};

const all: Readonly<Record<string, Managed>> = {
  'claude-code': claudeCodeManaged,
  'codex-cli': codexManaged,
  'copilot-cli': copilotManaged,
  vscode: vscodeManaged,
};

/**
 * Returns how an organisation manages an assistant; undefined if no way is known. This is separate from the
 * descriptions of the assistants, since every command loads those.
 *
 * @param id of the assistant
 */
export const managedBy = (id: string): Managed | undefined => all[id];
