import type {Assistant} from '../assistant.ts';
import {commandLine} from '../formats/command-line.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {wordNames} from '../names.ts';
import {directoryIn, inHome, inProject, join} from '../place.ts';
import {claudeCodeRules} from './claude-code-rules.ts';
import {claudeCodeTrust} from './claude-code-trust.ts';

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
    kept: ['alwaysLoad', 'displayName', 'request_timeout_ms', 'timeout', 'toolPermissions', 'tools'],
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
  // 2.1.248 does not. The version in between that changed this is not known.
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
    ...(scope === 'project' && method === 'helper' ? ['The helper does not run before the folder is trusted.'] : []),
  ],
};
