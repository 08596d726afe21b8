import {SETUP} from '../../setup-command.ts';
import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {yamlList} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';

/** Continue refuses a file without these three members. */
const HEAD = 'name: Platform\nversion: 1.0.0\nschema: v1\n';

const directory = (place: Place) => directoryIn(place, 'CONTINUE_GLOBAL_DIR') ?? inHome(place, '.continue');

/** According to its last release, 2.0.0 of June 2026. */
const ENDED = 'Continue had its last release in June 2026 and is no longer developed.';

/** Continue keeps its servers in a list, and ignores `headers` at the top level of an entry. */
export const continueDev: Assistant = {
  id: 'continue',
  name: 'Continue',
  ended: ENDED,
  files: (scope, place) => [
    scope === 'user'
      ? join(place, directory(place), 'config.yaml')
      : inProject(place, '.continue', 'mcpServers', 'platform-setup.yaml'),
  ],
  losesByNew: scope => (scope === 'user' ? 'its built-in models' : undefined),
  traces: place => [directory(place)],
  command: 'cn',
  format: yamlList('mcpServers', HEAD),
  entry: {
    preserved: ['timeout'],
    shown: ['name', 'type', 'url', 'command', 'args'],
    header: entry => ({type: 'streamable-http', url: entry.url, requestOptions: {headers: headersOf(entry)}}),
    command: program,
    read: readerOf({
      types: ['streamable-http'],
      headers: ['requestOptions', 'headers'],
      commandTypes: [undefined, 'stdio'],
    }),
  },
  names: dottedNames,
  // Seen with version 1.5.47 of the command line.
  afterwards: scope => [
    scope === 'user'
      ? 'Reload the window, or start Continue’s command line again.'
      : `Reload the window. Continue’s command line, cn, does not read this file: for it, run ${SETUP} mcp connect continue --scope user.`,
    'Use Continue in its Agent mode.',
  ],
};
