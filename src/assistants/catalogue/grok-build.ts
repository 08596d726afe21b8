import {isWithin} from '../../domain/paths.ts';
import type {Assistant} from '../assistant.ts';
import {wordNames} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {toml} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';
import {at} from '../trust.ts';

const directory = (place: Place) => directoryIn(place, 'GROK_HOME') ?? inHome(place, '.grok');

/** The form that its own `grok mcp add` writes (1.0.41). */
export const grokBuild: Assistant = {
  id: 'grok-build',
  name: 'Grok Build',
  files: (scope, place) => [
    scope === 'user' ? join(place, directory(place), 'config.toml') : inProject(place, '.grok', 'config.toml'),
  ],
  // Seen with 1.0.41.
  readsToo: () => ['claude-code'],
  traces: place => [directory(place)],
  command: 'grok',
  format: toml('mcp_servers'),
  entry: {
    preserved: ['expose_image_base64', 'startup_timeout_sec', 'tool_timeout_sec', 'tool_timeouts'],
    off: ['enabled', false],
    shown: ['url', 'command', 'args'],
    header: entry => ({...remote(entry), enabled: true}),
    command: entry => ({...program(entry), enabled: true}),
    read: readerOf({}),
  },
  names: wordNames,
  // Seen with 1.0.41: it starts no server of a project before the folder is trusted. Trust also applies to the folders
  // below, within one repository.
  trust: {
    language: 'TOML',
    files: ({place}) => [join(place, directory(place), 'trusted_folders.toml')],
    standing: ([answers], {place, folder, repository = folder}) => {
      if (place.env.GROK_FOLDER_TRUST === '0') return 'trusted';
      const [nearest] = Object.entries(recordIn(at(answers, 'folders')) ?? {})
        .filter(([path]) => isWithin(folder, path) && isWithin(path, repository))
        .toSorted(([one], [other]) => other.length - one.length);
      if (!nearest) return 'untrusted';
      return at(nearest[1], 'trusted') === true ? 'trusted' : 'refused';
    },
  },
  // According to its own guide (1.0.41).
  defersTools: true,
  afterwards: scope => [
    ...(scope === 'project' ? ['Trust this folder when Grok Build asks; it starts no server here until then.'] : []),
    'Start a new session of Grok Build; grok mcp doctor shows the servers.',
  ],
};
