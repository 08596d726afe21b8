import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome, inProject} from '../place.ts';

export const antigravity: Assistant = {
  id: 'antigravity',
  name: 'Antigravity',
  // Older versions read the second file.
  files: (scope, place) =>
    scope === 'user'
      ? [
          inHome(place, '.gemini', 'config', 'mcp_config.json'),
          inHome(place, '.gemini', 'antigravity', 'mcp_config.json'),
        ]
      : [inProject(place, '.agents', 'mcp_config.json')],
  traces: place => [inHome(place, '.gemini', 'config'), inHome(place, '.gemini', 'antigravity')],
  command: 'agy',
  format: json('mcpServers'),
  entry: {
    preserved: ['disabledTools', 'timeout', 'trust'],
    off: ['disabled', true],
    shown: ['type', 'url', 'serverUrl', 'command', 'args'],
    header: entry => ({serverUrl: entry.url, headers: headersOf(entry)}),
    command: program,
    read: readerOf({url: ['serverUrl', 'url']}),
  },
  names: dottedNames,
  afterwards: () => ['Press Refresh under Manage MCP Servers in Antigravity, or restart it.'],
};
