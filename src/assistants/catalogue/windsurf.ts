import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome} from '../place.ts';

/** From its documentation; true since June 2026. */
const ENDED =
  'Windsurf is now Devin Desktop. Only its legacy Cascade agent reads this file; for its other agents, connect Devin.';

export const windsurf: Assistant = {
  id: 'windsurf',
  name: 'Windsurf',
  ended: ENDED,
  // The second file is that of its JetBrains plugin.
  files: (scope, place) =>
    scope === 'user'
      ? [inHome(place, '.codeium', 'windsurf', 'mcp_config.json'), inHome(place, '.codeium', 'mcp_config.json')]
      : [],
  traces: place => [inHome(place, '.codeium', 'windsurf'), inHome(place, '.codeium', 'mcp_config.json')],
  format: json('mcpServers'),
  entry: {
    preserved: ['alwaysAllow', 'disabledTools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'serverUrl', 'command', 'args'],
    header: entry => ({serverUrl: entry.url, headers: headersOf(entry)}),
    command: program,
    read: readerOf({url: ['serverUrl']}),
  },
  names: dottedNames,
  afterwards: () => ['Press Refresh in Windsurf’s MCP panel, or restart it.', ENDED],
};
