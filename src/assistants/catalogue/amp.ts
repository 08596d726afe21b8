import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dottedNames} from '../names.ts';
import {configHome, inProject, join, type Place} from '../place.ts';

const directory = (place: Place) => join(place, configHome(place), 'amp');

/** Where both are there it reads the first alone, so that is not made beside the second. */
const names = ['settings.json', 'settings.jsonc'];

export const amp: Assistant = {
  id: 'amp',
  name: 'Amp',
  files: (scope, place) =>
    names.map(name => (scope === 'user' ? join(place, directory(place), name) : inProject(place, '.amp', name))),
  traces: place => [directory(place)],
  command: 'amp',
  // One key with a dot in it.
  format: json('amp.mcpServers', 'lenient', {refusesMark: true}),
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
    ...(scope === 'project' ? ['In this folder, run amp mcp approve NAME for each of the servers.'] : []),
  ],
};
