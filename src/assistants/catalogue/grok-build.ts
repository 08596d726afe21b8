import {isWithin} from '../../domain/paths.ts';
import type {Assistant} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {toml} from '../formats/formats.ts';
import {wordNames} from '../names.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';
import {at} from '../trust.ts';

const directory = (place: Place) => directoryIn(place, 'GROK_HOME') ?? inHome(place, '.grok');

/** As its own `grok mcp add` of 1.0.41 writes it. */
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
    kept: ['expose_image_base64', 'startup_timeout_sec', 'tool_timeout_sec', 'tool_timeouts'],
    off: ['enabled', false],
    shown: ['url', 'command', 'args'],
    header: entry => ({...remote(entry), enabled: true}),
    command: entry => ({...program(entry), enabled: true}),
    read: readerOf({}),
  },
  names: wordNames,
  // Seen with 1.0.41: it starts nothing that a project names before its folder is trusted, which counts below it, too, within
  // one repository.
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
  // By its own guide, 1.0.41.
  defersTools: true,
  afterwards: scope => [
    ...(scope === 'project' ? ['Trust this folder when Grok Build asks; it starts no server of it until then.'] : []),
    'Start a new session of Grok Build; grok mcp doctor shows the servers.',
  ],
};
