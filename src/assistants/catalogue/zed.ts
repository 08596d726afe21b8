import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {configHome, directoryIn, inHome, inProject, join, type Place, roaming} from '../place.ts';

/** On macOS, Zed does not use the directory that most other programs use. */
const directory = (place: Place): string => {
  if (place.system === 'win32') return join(place, roaming(place), 'Zed');
  if (place.system === 'darwin') return inHome(place, '.config', 'zed');
  return join(place, directoryIn(place, 'FLATPAK_XDG_CONFIG_HOME') ?? configHome(place), 'zed');
};

export const zed: Assistant = {
  id: 'zed',
  name: 'Zed',
  files: (scope, place) => [
    scope === 'user' ? join(place, directory(place), 'settings.json') : inProject(place, '.zed', 'settings.json'),
  ],
  traces: place => [directory(place)],
  format: json('context_servers'),
  entry: {
    preserved: ['timeout', 'tools'],
    off: ['enabled', false],
    shown: ['type', 'url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: dottedNames,
  afterwards: () => ['Zed starts the servers by itself; the settings of its agent panel show whether they run.'],
};
