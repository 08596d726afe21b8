import type {Assistant} from '../assistant.ts';
import {wordNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome, inProject} from '../place.ts';

/**
 * The form that its own `qodercli mcp add` writes (1.1.52). A project's file is that of Claude Code. Qoder knows
 * `headersHelper` too, but was seen to run the helper only once: a refused token stays refused, so no entry relies on
 * it.
 */
export const qoder: Assistant = {
  id: 'qoder',
  name: 'Qoder',
  files: (scope, place) => [
    scope === 'user' ? inHome(place, '.qoder', 'settings.json') : inProject(place, '.mcp.json'),
  ],
  traces: place => [inHome(place, '.qoder')],
  command: 'qodercli',
  format: json('mcpServers', 'strict'),
  entry: {
    preserved: ['timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args'],
    header: entry => ({...remote(entry), type: 'http'}),
    command: program,
    read: readerOf({types: ['http'], commandTypes: [undefined, 'stdio']}),
  },
  names: wordNames,
  afterwards: scope => [
    'Start a new session of Qoder.',
    ...(scope === 'project' ? ['Approve the servers when Qoder asks.'] : []),
  ],
};
