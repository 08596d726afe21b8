import {isWithin} from '../../domain/paths/same-path.ts';
import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {wordNames} from '../names.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';
import {at, textsIn} from '../trust.ts';
import {copilotRules} from './copilot-rules.ts';

/** It does not follow XDG_CONFIG_HOME. */
const directory = (place: Place) => directoryIn(place, 'COPILOT_HOME') ?? inHome(place, '.copilot');

const tools = {tools: ['*']};

/** In a project it shares `.mcp.json` with Claude Code, and so writes what both read. */
export const copilotCli: Assistant = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  files: (scope, place) =>
    scope === 'user'
      ? [join(place, directory(place), 'mcp-config.json')]
      : [inProject(place, '.mcp.json'), inProject(place, '.github', 'mcp.json')],
  traces: place => [directory(place)],
  command: 'copilot',
  // The deployment tool of AWS.
  namesake: /^copilot version:/m,
  format: json('mcpServers'),
  entry: {
    kept: ['deferTools', 'filterMapping', 'timeout', 'tools'],
    shown: ['type', 'url', 'command', 'args', 'tools'],
    header: entry => ({...remoteHttp(entry), ...(entry.scope === 'user' ? tools : {})}),
    command: entry =>
      entry.scope === 'user' ? {type: 'local', ...program(entry), ...tools} : {type: 'stdio', ...program(entry)},
    read: readerOf({types: [undefined, 'http'], commandTypes: [undefined, 'local', 'stdio']}),
  },
  names: wordNames,
  // Seen with 1.0.102, in either spelling; what lies below a trusted folder is trusted.
  trust: {
    language: 'JSON',
    files: ({place}) => [join(place, directory(place), 'config.json')],
    standing: ([config], {place, folder}) => {
      if (place.env.COPILOT_ALLOW_ALL === 'true') return 'trusted';
      const folders = ['trusted_folders', 'trustedFolders'].flatMap(key => textsIn(at(config, key)));
      return folders.some(one => isWithin(folder, one)) ? 'trusted' : 'untrusted';
    },
  },
  rules: copilotRules,
  // Seen with 1.0.102.
  defersTools: true,
  afterwards: scope => [
    ...(scope === 'project' ? ['Trust this folder when Copilot asks; it ignores the file until then.'] : []),
    'Start a new session of Copilot.',
  ],
};
