import {isWithin} from '../../domain/paths.ts';
import {parseJson} from '../../json.ts';
import {type Assistant, wordNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, forEverybody, inHome, inProject, join, type Place} from '../place.ts';
import {isAbout, listedIn, type Rules} from '../rules.ts';
import {at, textsIn} from '../trust.ts';

/** Returns the path of the settings that an enterprise puts on a machine for every Copilot client, as documented. */
export const copilotSettings = (place: Place): string =>
  join(place, forEverybody(place, 'github-copilot', 'GitHubCopilot'), 'managed-settings.json');

const isBlocked: Rules['blocks'] = ([settings], entry) => {
  const denied = listedIn([settings], 'deniedMcpServers') ?? [];
  if (denied.some(listed => isAbout(listed, entry))) return true;
  const allowed = listedIn([settings], 'allowedMcpServers');
  return allowed !== undefined && !allowed.some(listed => isAbout(listed, entry));
};

export const copilotRules: Rules = {language: 'JSON', files: place => [copilotSettings(place)], blocks: isBlocked};

/** The file with VS Code's policies on Linux. On macOS and Windows they are not in a file. */
export const VSCODE_POLICIES = '/etc/vscode/policy.json';

/** VS Code also has its own policies, in which a list is a string that contains JSON. */
export const vscodeRules: Rules = {
  language: 'JSON',
  files: place => [copilotSettings(place), ...(place.system === 'linux' ? [VSCODE_POLICIES] : [])],
  blocks: ([settings, policy], entry) => {
    if (at(policy, 'ChatMCP') === 'none') return true;
    const lists = {
      allowedMcpServers: listOf(at(policy, 'ChatAllowedMcpServers')),
      deniedMcpServers: listOf(at(policy, 'ChatDeniedMcpServers')),
    };
    return isBlocked([settings], entry) || isBlocked([lists], entry);
  },
};

const listOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
};

/** Copilot CLI does not use XDG_CONFIG_HOME. */
const directory = (place: Place) => directoryIn(place, 'COPILOT_HOME') ?? inHome(place, '.copilot');

const tools = {tools: ['*']};

/**
 * The port on which Copilot CLI listens while a person signs in. VS Code uses the same port, so one registered redirect
 * URI serves both.
 */
const REDIRECT_PORT = 33_418;

/** In a project, it shares `.mcp.json` with Claude Code, so the entries there have a form that both can read. */
export const copilotCli: Assistant = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  files: (scope, place) =>
    scope === 'user'
      ? [join(place, directory(place), 'mcp-config.json')]
      : [inProject(place, '.mcp.json'), inProject(place, '.github', 'mcp.json')],
  traces: place => [directory(place)],
  command: 'copilot',
  // The AWS deployment tool of the same name.
  namesake: /^copilot version:/m,
  format: json('mcpServers'),
  entry: {
    preserved: ['deferTools', 'filterMapping', 'timeout', 'tools'],
    shown: ['type', 'url', 'command', 'args', 'tools'],
    header: entry => ({...remoteHttp(entry), ...(entry.scope === 'user' ? tools : {})}),
    // Seen with 1.0.102, which signed in with such an entry, and renewed its tokens. It sends only the client ID,
    // without a secret.
    oauth: ({url, clientId, scope}) => ({
      ...{type: 'http', url, oauthClientId: clientId, oauthPublicClient: true, auth: {redirectPort: REDIRECT_PORT}},
      ...(scope === 'user' ? tools : {}),
    }),
    command: entry =>
      entry.scope === 'user' ? {type: 'local', ...program(entry), ...tools} : {type: 'stdio', ...program(entry)},
    read: readerOf({
      types: [undefined, 'http'],
      oauth: ['oauthClientId'],
      commandTypes: [undefined, 'local', 'stdio'],
    }),
  },
  redirects: [`http://127.0.0.1:${REDIRECT_PORT}/`],
  names: wordNames,
  // Seen with 1.0.102, with either spelling of the key. A folder below a trusted folder is trusted.
  trust: {
    language: 'JSON',
    files: ({place}) => [join(place, directory(place), 'config.json')],
    standing: ([config], {place, folder}) => {
      if (place.env.COPILOT_ALLOW_ALL === 'true') return 'trusted';
      const folders = ['trusted_folders', 'trustedFolders'].flatMap(key => textsIn(at(config, key)));
      return folders.some(one => isWithin(folder, one)) ? 'trusted' : 'untrusted';
    },
  },
  rules: copilotRules,
  // Seen with 1.0.102.
  defersTools: true,
  afterwards: (scope, method) => [
    ...(scope === 'project' ? ['Trust this folder when Copilot asks; it ignores the file until then.'] : []),
    'Start a new session of Copilot.',
    ...(method === 'oauth'
      ? ['Then sign in once for each server: Copilot opens your browser, and /mcp auth NAME opens it again.']
      : []),
  ],
};
