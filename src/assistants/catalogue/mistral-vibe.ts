import {isWithin} from '../../domain/paths.ts';
import type {Assistant} from '../assistant.ts';
import {wordNames} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {environment, headersOf} from '../formats/entries.ts';
import {tomlList} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';
import {at, textsIn} from '../trust.ts';

const directory = (place: Place) => directoryIn(place, 'VIBE_HOME') ?? inHome(place, '.vibe');

const read = readerOf({types: ['http', 'streamable-http'], commandTypes: ['stdio']});

export const mistralVibe: Assistant = {
  id: 'mistral-vibe',
  name: 'Mistral Vibe',
  files: (scope, place) => [
    scope === 'user' ? join(place, directory(place), 'config.toml') : inProject(place, '.vibe', 'config.toml'),
  ],
  traces: place => [directory(place)],
  command: 'vibe',
  // Other programs have the same name.
  namesake: /^(?!vibe \d)/,
  format: tomlList('mcp_servers'),
  entry: {
    preserved: ['disabled_tools', 'prompt', 'sampling_enabled', 'startup_timeout_sec', 'tool_timeout_sec'],
    off: ['disabled', true],
    shown: ['name', 'transport', 'url', 'command', 'args'],
    header: entry => ({transport: 'streamable-http', url: entry.url, headers: headersOf(entry)}),
    // It splits a command at its spaces if the command is a single string.
    command: ({command, args, env}) => ({
      transport: 'stdio',
      command: [command, ...args],
      ...environment('env', env),
    }),
    read: entry => read({...recordIn(entry), type: recordIn(entry)?.transport}),
  },
  names: wordNames,
  // According to Vibe's source, the answer for the nearest folder above the file decides.
  trust: {
    language: 'TOML',
    files: ({place}) => [join(place, directory(place), 'trusted_folders.toml')],
    standing: ([answers], {place, folder}) => {
      const own = join(place, folder, '.vibe');
      const [nearest] = (['trusted', 'untrusted'] as const)
        .flatMap(answer => textsIn(at(answers, answer)).map(path => ({answer, path})))
        .filter(({path}) => isWithin(own, path))
        .toSorted((one, other) => other.path.length - one.path.length);
      if (!nearest) return 'untrusted';
      return nearest.answer === 'trusted' ? 'trusted' : 'refused';
    },
  },
  afterwards: scope => [
    'Start a new session of Vibe.',
    ...(scope === 'project' ? ['Trust this folder when Vibe asks; it ignores the file until then.'] : []),
  ],
};
