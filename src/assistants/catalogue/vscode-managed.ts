import {sha256} from '../../domain/fingerprint.ts';
import {type HandedOut, jsonText, type Managed, type OwnRegistry} from '../managed.ts';
import type {Place} from '../place.ts';
import {allowedIn} from './copilot-managed.ts';
import {VSCODE_POLICIES} from './copilot-rules.ts';

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
