import type {Assistant} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {anyNames} from '../names.ts';
import {inProject} from '../place.ts';

const read = readerOf({headers: ['transport', 'headers']});

/** Any MCP client that reads the platform's own shape: `mcp.json` in the project directory (platform access 2.5). */
export const generic: Assistant = {
  id: 'generic',
  name: 'MCP JSON',
  files: (scope, place) => (scope === 'project' ? [inProject(place, 'mcp.json')] : []),
  traces: () => [],
  format: json('mcpServers'),
  entry: {
    kept: ['alwaysAllow', 'autoApprove', 'disabledTools', 'excludeTools', 'includeTools', 'timeout', 'tools', 'trust'],
    shown: ['type', 'url', 'command', 'args', 'name', 'description'],
    header: entry => ({url: entry.url, transport: {type: 'http', headers: headersOf(entry)}}),
    command: program,
    read: entry => {
      const connection = read(entry);
      const isOther = connection?.kind === 'header' && recordIn(recordIn(entry)?.transport)?.type !== 'http';
      return isOther ? undefined : connection;
    },
  },
  names: anyNames,
  afterwards: () => ['Restart the client that reads mcp.json.'],
};
