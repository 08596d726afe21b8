import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dottedNames} from '../names.ts';
import {applicationData, join} from '../place.ts';

/** Starts programs only: an address in its file is skipped. */
export const claudeDesktop: Assistant = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  files: (scope, place) =>
    scope === 'user' ? [join(place, applicationData(place), 'Claude', 'claude_desktop_config.json')] : [],
  traces: place => [join(place, applicationData(place), 'Claude')],
  format: json('mcpServers'),
  entry: {
    kept: ['alwaysAllow', 'timeout'],
    shown: ['type', 'url', 'command', 'args'],
    command: program,
    read: readerOf({url: []}),
  },
  names: dottedNames,
  afterwards: () => ['Quit Claude Desktop and start it again.'],
};
