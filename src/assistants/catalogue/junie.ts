import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';

const directory = (place: Place) => directoryIn(place, 'JUNIE_HOME') ?? inHome(place, '.junie');

/** Its command line and the IDE plugin read the same file. */
export const junie: Assistant = {
  id: 'junie',
  name: 'JetBrains Junie',
  files: (scope, place) => [
    scope === 'user' ? join(place, directory(place), 'mcp', 'mcp.json') : inProject(place, '.junie', 'mcp', 'mcp.json'),
  ],
  traces: place => [directory(place)],
  command: 'junie',
  format: json('mcpServers'),
  entry: {
    preserved: ['alwaysAllow', 'disabledTools', 'timeout'],
    shown: ['type', 'url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: dottedNames,
  afterwards: () => [
    'Start Junie’s command line again. In the IDE, open Settings, Tools, Junie, MCP Settings; restart the IDE if the servers do not show.',
  ],
};
