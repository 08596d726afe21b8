import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {toml} from '../formats/formats.ts';
import {wordNames} from '../names.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';

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
    kept: [],
    off: ['enabled', false],
    shown: ['url', 'command', 'args'],
    header: entry => ({...remote(entry), enabled: true}),
    command: entry => ({...program(entry), enabled: true}),
    read: readerOf({}),
  },
  names: wordNames,
  afterwards: () => ['Start a new session of Grok Build; grok mcp doctor shows the servers.'],
};
