import type {Assistant} from '../assistant.ts';
import {wordNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome, inProject} from '../place.ts';

/** According to its source code (warpdotdev/warp, app/src/ai/mcp); not run here. */
export const warp: Assistant = {
  id: 'warp',
  name: 'Warp',
  files: (scope, place) => [
    scope === 'user' ? inHome(place, '.warp', '.mcp.json') : inProject(place, '.warp', '.mcp.json'),
  ],
  readsToo: () => ['claude-code', 'codex-cli'],
  traces: place => [inHome(place, '.warp')],
  format: json('mcpServers', 'strict'),
  entry: {
    preserved: [],
    preservedInOwnFile: ['env', 'working_directory'],
    shown: ['url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: wordNames,
  afterwards: () => ['In Warp, allow the servers under Settings, MCP servers.'],
};
