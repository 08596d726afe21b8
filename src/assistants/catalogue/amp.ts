import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dottedNames} from '../names.ts';
import {inHome, inProject} from '../place.ts';

export const amp: Assistant = {
  id: 'amp',
  name: 'Amp',
  files: (scope, place) => [
    scope === 'user' ? inHome(place, '.config', 'amp', 'settings.json') : inProject(place, '.amp', 'settings.json'),
  ],
  traces: place => [inHome(place, '.config', 'amp')],
  command: 'amp',
  // One key with a dot in it.
  format: json('amp.mcpServers'),
  entry: {
    kept: ['includeTools', 'timeout'],
    shown: ['type', 'url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: dottedNames,
  afterwards: scope => [
    'Restart Amp.',
    ...(scope === 'project' ? ['Approve the servers when Amp asks about this folder.'] : []),
  ],
};
