import {sha256} from '../../domain/fingerprint.ts';
import {type Assistant, wordNames} from '../assistant.ts';
import {commandLine} from '../formats/command-line.ts';
import {readerOf} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {toml} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place, programData} from '../place.ts';
import {entriesAt, type Rules} from '../rules.ts';
import {at, atFolder} from '../trust.ts';

/** Returns a path in the directory for an administrator's settings, which apply to everyone. */
export const codexSystem = (place: Place, name: string): string =>
  place.system === 'win32' ? join(place, programData(place), 'OpenAI', 'Codex', name) : join(place, '/etc/codex', name);

/** Seen with 0.169: if servers are listed, a server is allowed only if its name is listed with its identity. */
export const codexRules: Rules = {
  language: 'TOML',
  files: place => [codexSystem(place, 'requirements.toml'), codexSystem(place, 'config.toml')],
  gives: ([_, config]) => entriesAt(config, 'mcp_servers'),
  blocks: ([requirements], {name, connection}) => {
    const listed = at(requirements, 'mcp_servers');
    if (listed === undefined) return false;
    const identity = at(listed, name, 'identity');
    return connection.kind === 'command'
      ? at(identity, 'command') !== connection.command
      : at(identity, 'url') !== connection.url;
  },
};

const codexHome = (place: Place) => directoryIn(place, 'CODEX_HOME') ?? inHome(place, '.codex');

/** The command line, the editor extension and the desktop program share one file. */
export const codexCli: Assistant = {
  id: 'codex-cli',
  name: 'Codex CLI',
  files: (scope, place) => [
    scope === 'user' ? join(place, codexHome(place), 'config.toml') : inProject(place, '.codex', 'config.toml'),
  ],
  traces: place => [codexHome(place)],
  command: 'codex',
  format: toml('mcp_servers'),
  entry: {
    preserved: [
      'default_tools_approval_mode',
      'disabled_tools',
      'enabled_tools',
      'required',
      'startup_readiness',
      'startup_timeout_sec',
      'supports_parallel_tool_calls',
      'tool_input_schema_max_bytes',
      'tool_timeout_sec',
      'tools',
    ],
    preservedInOwnFile: ['env', 'env_vars', 'cwd'],
    off: ['enabled', false],
    shown: ['type', 'url', 'command', 'args', 'http_headers_helper'],
    header: entry => ({url: entry.url, http_headers: headersOf(entry)}),
    helper: ({url, command, system}) => ({url, http_headers_helper: commandLine(command, system)}),
    oauth: ({url, clientId}) => ({url, oauth: {client_id: clientId}}),
    command: program,
    read: readerOf({headers: ['http_headers'], helper: 'http_headers_helper', oauth: ['oauth', 'client_id']}),
  },
  // Older versions refuse an Authorization header from the helper, or do not know the key.
  helperSince: '0.152.0',
  // Codex listens on any port, or on the one that `mcp_oauth_callback_port` names. Seen with 0.169.
  redirectFor: url => `http://127.0.0.1/callback/${sha256(url, 'base64url').slice(0, 12)}`,
  names: wordNames,
  // Seen with 0.169: trust is looked up for the folder and for the root of its repository, but for no other parent.
  trust: {
    language: 'TOML',
    files: ({place}) => [join(place, codexHome(place), 'config.toml')],
    standing: ([config], {folder, repository = folder}) => {
      const levels = [folder, repository].map(one => at(atFolder(at(config, 'projects'), one), 'trust_level'));
      const level = levels.find(level => level !== undefined);
      if (level === undefined) return 'untrusted';
      return level === 'trusted' ? 'trusted' : 'refused';
    },
  },
  rules: codexRules,
  afterwards: (scope, method) => [
    ...(scope === 'project' ? ['Trust this folder when Codex asks; it ignores the file until then.'] : []),
    ...(method === 'oauth' ? ['Run codex mcp login NAME for each server.'] : []),
    'Start a new session of Codex.',
  ],
};
