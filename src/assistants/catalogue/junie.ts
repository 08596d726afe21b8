import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dottedNames} from '../names.ts';
import {inHome, inProject} from '../place.ts';

export const junie: Assistant = {
  id: 'junie',
  name: 'JetBrains Junie',
  files: (scope, place) => [
    scope === 'user' ? inHome(place, '.junie', 'mcp', 'mcp.json') : inProject(place, '.junie', 'mcp', 'mcp.json'),
  ],
  traces: place => [inHome(place, '.junie')],
  format: json('mcpServers'),
  entry: {
    kept: ['alwaysAllow', 'disabledTools', 'timeout'],
    shown: ['type', 'url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: dottedNames,
  afterwards: () => ['Look at Settings, Tools, Junie, MCP Settings in the IDE; restart it if the servers do not show.'],
};
