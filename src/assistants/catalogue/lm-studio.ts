import type {Assistant} from '../assistant.ts';
import {wordNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome} from '../place.ts';

/** According to its documentation; not run here. It has no file for a project. */
export const lmStudio: Assistant = {
  id: 'lm-studio',
  name: 'LM Studio',
  files: (scope, place) => (scope === 'user' ? [inHome(place, '.lmstudio', 'mcp.json')] : []),
  traces: place => [inHome(place, '.lmstudio')],
  format: json('mcpServers', 'strict'),
  entry: {
    preserved: ['timeout'],
    shown: ['url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: wordNames,
  afterwards: () => ['In LM Studio, switch the servers on under Program, Install.'],
};
