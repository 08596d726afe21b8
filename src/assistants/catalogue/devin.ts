import type {Scope} from '../../domain/context.ts';
import type {Assistant} from '../assistant.ts';
import {wordNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {configHome, inProject, join, type Place, roaming} from '../place.ts';

const directory = (place: Place) => join(place, place.system === 'win32' ? roaming(place) : configHome(place), 'devin');

const fileIn = (scope: Scope, place: Place) =>
  scope === 'user' ? join(place, directory(place), 'mcp_config.json') : inProject(place, '.devin', 'mcp_config.json');

/** Devin Desktop (Windsurf until June 2026) and the Devin CLI. According to its documentation; not run here. */
export const devin: Assistant = {
  id: 'devin',
  name: 'Devin',
  files: (scope, place) => [fileIn(scope, place)],
  // The second file is the person's own, which git ignores.
  alsoReads: (scope, place) => [
    fileIn(scope, place),
    ...(scope === 'project' ? [inProject(place, '.devin', 'mcp_config.local.json')] : []),
  ],
  // The person can switch this off in Devin's settings.
  readsToo: scope => ['claude-code', 'opencode', scope === 'user' ? 'windsurf' : 'cursor'],
  traces: place => [directory(place)],
  command: 'devin',
  format: json('mcpServers'),
  entry: {
    preserved: ['disabledTools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: wordNames,
  afterwards: () => ['Restart Devin. In its CLI, switch a server on with devin mcp enable NAME.'],
};
