import {type Assistant, wordNames} from '../assistant.ts';
import {commandLine} from '../formats/command-line.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, forEverybody, inHome, inProject, join, type Place} from '../place.ts';
import {entriesAt, isAbout, listedIn, type RuledEntry, type Rules} from '../rules.ts';
import {at, atFolder, type Trust, textsIn} from '../trust.ts';

/** Returns a path in the directory for an administrator's settings, which apply to everyone. */
export const managedPath = (place: Place, ...names: readonly string[]): string =>
  join(place, forEverybody(place, 'claude-code', 'ClaudeCode'), ...names);

/**
 * Seen with 2.1.329. If `managed-mcp.json` exists, every other server is blocked. Otherwise a server is blocked if any
 * list denies it, or if there are lists of allowed servers and none allows it. The person's own list of allowed servers
 * is used as well as the organisation's, unless the organisation forbids that (`allowManagedMcpServersOnly`). If a list
 * contains addresses, servers with an address are judged by these alone; the same applies to commands.
 */
export const claudeCodeRules: Rules = {
  language: 'JSON',
  files: place => {
    const moved = directoryIn(place, 'CLAUDE_CONFIG_DIR');
    return [
      managedPath(place, 'managed-mcp.json'),
      moved ? join(place, moved, 'settings.json') : inHome(place, '.claude', 'settings.json'),
      managedPath(place, 'managed-settings.json'),
    ];
  },
  directory: place => managedPath(place, 'managed-settings.d'),
  gives: ([servers]) => entriesAt(servers, 'mcpServers'),
  blocks: ([servers, own, ...settings], entry) => {
    if (servers !== undefined) return true;
    const all = [...settings, own];
    if (listedIn(all, 'deniedMcpServers')?.some(listed => isAbout(listed, entry))) return true;
    const isTheirsAlone = settings.some(one => at(one, 'allowManagedMcpServersOnly') === true);
    const allowed = listedIn(isTheirsAlone ? settings : all, 'allowedMcpServers');
    return allowed !== undefined && !isAllowed(allowed, entry);
  },
};

const isAllowed = (allowed: readonly unknown[], entry: RuledEntry): boolean => {
  const key = entry.connection.kind === 'command' ? 'serverCommand' : 'serverUrl';
  const judging = allowed.filter(listed => at(listed, key) !== undefined);
  return (judging.length > 0 ? judging : allowed).some(listed => isAbout(listed, entry));
};

/**
 * Seen with 2.1.329: a project's servers wait until the person trusts the folder, and each must be approved in one of
 * four files. The person's own settings may approve all servers everywhere, even in untrusted folders, but a helper
 * still does not run there. Trust in a parent folder has no effect.
 */
export const claudeCodeTrust: Trust = {
  language: 'JSON',
  forgets: 'claude mcp reset-project-choices',
  files: ({place, folder}) => {
    const moved = directoryIn(place, 'CLAUDE_CONFIG_DIR');
    return [
      join(place, moved ?? place.home, '.claude.json'),
      moved ? join(place, moved, 'settings.json') : inHome(place, '.claude', 'settings.json'),
      join(place, folder, '.claude', 'settings.json'),
      join(place, folder, '.claude', 'settings.local.json'),
    ];
  },
  standing: ([state, ...settings], {folder, names, method}) => {
    const project = atFolder(at(state, 'projects'), folder);
    const sources = [project, ...settings];
    const listed = (key: string) => sources.flatMap(one => textsIn(at(one, key)));
    const hasAll = (one: unknown) => at(one, 'enableAllProjectMcpServers') === true;
    if (names.some(name => listed('disabledMcpjsonServers').includes(name))) return 'refused';
    const isTrusted = at(project, 'hasTrustDialogAccepted') === true;
    if (!isTrusted && (!hasAll(settings[0]) || method === 'helper')) return 'untrusted';
    const approved = listed('enabledMcpjsonServers');
    return sources.some(hasAll) || names.every(name => approved.includes(name)) ? 'trusted' : 'unapproved';
  },
};

/**
 * The port on which Claude Code listens for its own sign-in, as registered in the platform's documentation. Without it,
 * Claude Code takes a free port.
 */
const CALLBACK_PORT = 8075;

export const claudeCode: Assistant = {
  id: 'claude-code',
  name: 'Claude Code',
  files: (scope, place) => {
    if (scope === 'project') return [inProject(place, '.mcp.json')];
    return [join(place, directoryIn(place, 'CLAUDE_CONFIG_DIR') ?? place.home, '.claude.json')];
  },
  traces: place => {
    const moved = directoryIn(place, 'CLAUDE_CONFIG_DIR');
    return moved ? [moved] : [inHome(place, '.claude.json'), inHome(place, '.claude')];
  },
  command: 'claude',
  // Claude Code does not start if its own file contains a comment.
  format: json('mcpServers', 'strict'),
  entry: {
    preserved: ['alwaysLoad', 'displayName', 'request_timeout_ms', 'timeout', 'toolPermissions', 'tools'],
    shown: ['type', 'url', 'command', 'args', 'headersHelper'],
    header: remoteHttp,
    helper: ({url, command, system}) => ({type: 'http', url, headersHelper: commandLine(command, system)}),
    oauth: ({url, clientId}) => ({type: 'http', url, oauth: {clientId, callbackPort: CALLBACK_PORT}}),
    command: entry => ({type: 'stdio', ...program(entry)}),
    read: readerOf({
      types: ['http', 'streamable-http'],
      helper: 'headersHelper',
      oauth: ['oauth', 'clientId'],
      commandTypes: [undefined, 'stdio'],
    }),
  },
  // Older versions do not run the helper again after a 401.
  helperSince: '2.1.248',
  // 2.1.248 does not resolve these names. It is not known which version after it was the first to do so.
  localhostSince: '2.1.300',
  redirects: [`http://localhost:${CALLBACK_PORT}/callback`],
  // Error message of 2.1.329: “OAuth token requests MUST use TLS (localhost / 127.0.0.1 / ::1 are exempt)”.
  signsInOverTls: true,
  names: wordNames,
  trust: claudeCodeTrust,
  rules: claudeCodeRules,
  // Seen with 2.1.331.
  defersTools: true,
  afterwards: (scope, method) => [
    'Start a new session of Claude Code, or reconnect with /mcp.',
    ...(method === 'oauth' ? ['In Claude Code, run /mcp, choose each server and authenticate.'] : []),
    ...(scope === 'project' ? ['Trust this folder when Claude Code asks, and approve the servers.'] : []),
    ...(scope === 'project' && method === 'helper' ? ['The helper runs only once you trust the folder.'] : []),
  ],
};
