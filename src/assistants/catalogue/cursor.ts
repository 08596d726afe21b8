import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome, inProject} from '../place.ts';

export const cursor: Assistant = {
  id: 'cursor',
  name: 'Cursor',
  files: (scope, place) => [
    scope === 'user' ? inHome(place, '.cursor', 'mcp.json') : inProject(place, '.cursor', 'mcp.json'),
  ],
  traces: place => [inHome(place, '.cursor')],
  // Its command line reads the same files. It is also installed as `agent`, but another program may have that name.
  command: 'cursor-agent',
  format: json('mcpServers'),
  entry: {
    preserved: ['alwaysAllow', 'autoApprove', 'disabledTools', 'timeout'],
    shown: ['type', 'url', 'command', 'args'],
    header: remote,
    oauth: ({url, clientId}) => ({url, auth: {CLIENT_ID: clientId}}),
    command: program,
    read: readerOf({oauth: ['auth', 'CLIENT_ID']}),
  },
  // Cursor now listens on loopback; older versions use the second URI.
  redirects: ['http://localhost:8787/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
  names: dottedNames,
  afterwards: (scope, method) => [
    'Switch the servers on in Cursor’s settings under MCP; reload the window if they do not show.',
    ...(scope === 'project'
      ? ['Trust this folder when Cursor’s command line asks; run cursor-agent mcp enable NAME here for each server.']
      : []),
    ...(method === 'oauth' ? ['Then press Connect beside each server to sign in.'] : []),
  ],
};
