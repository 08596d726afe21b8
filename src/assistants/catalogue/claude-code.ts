import type {Assistant} from '../assistant.ts';
import {commandLine} from '../formats/command-line.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {wordNames} from '../names.ts';
import {directoryIn, inHome, inProject, join} from '../place.ts';
import {claudeCodeTrust} from './claude-code-trust.ts';

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
  // A comment in its own file keeps it from starting.
  format: json('mcpServers', 'strict'),
  entry: {
    kept: ['timeout', 'alwaysAllow'],
    shown: ['type', 'url', 'command', 'args', 'headersHelper'],
    header: remoteHttp,
    helper: ({url, command, system}) => ({type: 'http', url, headersHelper: commandLine(command, system)}),
    command: entry => ({type: 'stdio', ...program(entry)}),
    read: readerOf({types: ['http', 'streamable-http'], helper: 'headersHelper', commandTypes: [undefined, 'stdio']}),
  },
  // Older ones do not ask the helper again after a 401.
  helperSince: '2.1.248',
  // 2.1.248 does not. Where it changed in between is not known.
  localhostSince: '2.1.300',
  // With --callback-port 8075; else the port is a free one.
  redirects: ['http://localhost:8075/callback'],
  names: wordNames,
  trust: claudeCodeTrust,
  afterwards: (scope, method) => [
    'Start a new session of Claude Code, or reconnect with /mcp.',
    ...(scope === 'project' ? ['Trust this folder when Claude Code asks, and approve the servers.'] : []),
    ...(scope === 'project' && method === 'helper' ? ['The helper does not run before the folder is trusted.'] : []),
  ],
};
