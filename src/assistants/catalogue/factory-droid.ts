import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dottedNames} from '../names.ts';
import {inProject, join} from '../place.ts';
import {droidDirectory, droidRules} from './droid-rules.ts';

export const factoryDroid: Assistant = {
  id: 'factory-droid',
  name: 'Factory Droid',
  files: (scope, place) => [
    scope === 'user' ? join(place, droidDirectory(place), 'mcp.json') : inProject(place, '.factory', 'mcp.json'),
  ],
  traces: place => [droidDirectory(place)],
  command: 'droid',
  // Seen with 0.225: it ignores a file that has a trailing comma or a byte order mark.
  format: json('mcpServers', 'comments', {refusesMark: true}),
  entry: {
    kept: ['connectTimeout', 'disabledTools', 'enabledTools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args'],
    // Like `--no-oauth`: Droid then reports a refusal as it is.
    header: entry => ({...remoteHttp(entry), oauth: false, disabled: false}),
    command: entry => ({type: 'stdio', ...program(entry), disabled: false}),
    // Droid takes an entry without a type for a program.
    read: readerOf({types: ['http'], commandTypes: [undefined, 'stdio']}),
  },
  names: dottedNames,
  rules: droidRules,
  // Seen with 0.215.
  defersTools: true,
  afterwards: () => ['Start Droid again; /mcp in it shows the servers.'],
};
