import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {headersOf} from '../formats/entries.ts';
import {yamlMap} from '../formats/formats.ts';
import {inHome, join, type Place, roaming} from '../place.ts';

/** The location of a project's servers is not certain, so only the person's file is written. */
const directory = (place: Place): string =>
  place.system === 'win32'
    ? join(place, roaming(place), 'Block', 'goose', 'config')
    : inHome(place, '.config', 'goose');

/** `timeout`: seconds that a call may take. */
const common = {enabled: true, timeout: 300};

export const goose: Assistant = {
  id: 'goose',
  name: 'Goose',
  files: (scope, place) => (scope === 'user' ? [join(place, directory(place), 'config.yaml')] : []),
  traces: place => [directory(place)],
  command: 'goose',
  // The database migration tool of the same name.
  namesake: /^goose version:/m,
  format: yamlMap('extensions'),
  entry: {
    preserved: ['available_tools', 'timeout'],
    preservedInOwnFile: ['envs', 'env_keys', 'cwd'],
    off: ['enabled', false],
    shown: ['name', 'description', 'type', 'uri', 'cmd', 'args'],
    header: entry => ({
      name: entry.name,
      description: '',
      type: 'streamable_http',
      uri: entry.url,
      headers: headersOf(entry),
      ...common,
    }),
    command: ({name, command, args, env = {}}) => ({
      name,
      description: '',
      type: 'stdio',
      cmd: command,
      args,
      envs: env,
      ...common,
    }),
    read: readerOf({
      url: ['uri'],
      types: ['streamable_http'],
      command: 'cmd',
      commandTypes: ['stdio'],
      env: 'envs',
    }),
  },
  names: dottedNames,
  afterwards: () => ['Start a new session of Goose.'],
};
