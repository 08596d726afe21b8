import type {Assistant} from '../assistant.ts';
import {anyNames, wordNames} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {headersOf, program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inProject} from '../place.ts';

const nested = readerOf({headers: ['transport', 'headers']});
const flat = readerOf({types: [undefined, 'http']});

/** Reads either shape, since an entry of one shape may replace an entry of the other. */
const read = (entry: unknown) => {
  const transport = recordIn(entry)?.transport;
  if (transport === undefined) return flat(entry);
  return recordIn(transport)?.type === 'http' ? nested(entry) : undefined;
};

const preserved = [
  ...['alwaysAllow', 'autoApprove', 'disabledTools', 'excludeTools', 'includeTools', 'timeout', 'tools', 'trust'],
];

/**
 * Any other MCP client: `.mcp.json` in the project, the file of Claude Code that most other clients read as well, with
 * entries in Claude Code's form.
 */
export const generic: Assistant = {
  id: 'generic',
  name: 'MCP JSON',
  files: (scope, place) => (scope === 'project' ? [inProject(place, '.mcp.json')] : []),
  traces: () => [],
  format: json('mcpServers'),
  entry: {
    preserved,
    shown: ['type', 'url', 'command', 'args', 'name', 'description'],
    header: remoteHttp,
    command: entry => ({type: 'stdio', ...program(entry)}),
    read,
  },
  names: wordNames,
  afterwards: () => ['Restart the assistant that reads .mcp.json.'],
};

/** `mcp.json` in the shape that the platform documents, which holds a token (platform access 2.5). */
export const documented: Assistant = {
  ...generic,
  id: 'documented',
  name: 'MCP JSON (documented)',
  files: (scope, place) => (scope === 'project' ? [inProject(place, 'mcp.json')] : []),
  entry: {
    ...generic.entry,
    header: entry => ({url: entry.url, transport: {type: 'http', headers: headersOf(entry)}}),
    command: program,
  },
  names: anyNames,
  prefers: 'header',
  afterwards: () => [
    'Restart the program that reads mcp.json. Most assistants do not read this shape: it is for programs that follow the platform’s documentation.',
  ],
};
