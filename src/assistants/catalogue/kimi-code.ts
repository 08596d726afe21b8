import type {Assistant} from '../assistant.ts';
import {wordNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';

const directory = (place: Place) => directoryIn(place, 'KIMI_CODE_HOME') ?? inHome(place, '.kimi-code');

/** According to its documentation (customization/mcp.md); it has no command that writes an entry. */
export const kimiCode: Assistant = {
  id: 'kimi-code',
  name: 'Kimi Code',
  files: (scope, place) => [
    scope === 'user' ? join(place, directory(place), 'mcp.json') : inProject(place, '.kimi-code', 'mcp.json'),
  ],
  // Kimi Code also reads the `.mcp.json` in the root of the repository. This checks only the one in the project folder,
  // so it misses the other one if the project is a folder inside the repository.
  alsoReads: (scope, place) =>
    scope === 'user'
      ? [join(place, directory(place), 'mcp.json')]
      : [inProject(place, '.kimi-code', 'mcp.json'), inProject(place, '.mcp.json')],
  readsToo: scope => (scope === 'project' ? ['claude-code'] : []),
  traces: place => [directory(place)],
  command: 'kimi',
  format: json('mcpServers', 'strict'),
  entry: {
    preserved: ['disabledTools', 'enabledTools', 'startupTimeoutMs', 'toolTimeoutMs'],
    off: ['enabled', false],
    shown: ['url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: wordNames,
  afterwards: scope => [
    'Start a new session of Kimi Code.',
    ...(scope === 'project' ? ['Trust this folder when Kimi Code asks; it ignores the file until then.'] : []),
  ],
};
