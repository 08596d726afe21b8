import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inProject} from '../place.ts';
import {codeUser} from './vscode.ts';

const ENDED = 'Roo Code was shut down in May 2026. Its fork Zoo Code continues; both are based on Cline.';

const storage = ['globalStorage', 'rooveterinaryinc.roo-cline'];

export const rooCode: Assistant = {
  id: 'roo-code',
  name: 'Roo Code',
  ended: ENDED,
  files: (scope, place) => [
    scope === 'user'
      ? codeUser(place, ...storage, 'settings', 'mcp_settings.json')
      : inProject(place, '.roo', 'mcp.json'),
  ],
  traces: place => [codeUser(place, ...storage)],
  format: json('mcpServers'),
  entry: {
    preserved: ['alwaysAllow', 'disabledTools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args', 'alwaysAllow'],
    header: entry => ({type: 'streamable-http', ...remote(entry), disabled: false, alwaysAllow: []}),
    command: entry => ({...program(entry), disabled: false, alwaysAllow: []}),
    read: readerOf({types: ['streamable-http'], commandTypes: [undefined, 'stdio']}),
  },
  names: dottedNames,
  afterwards: () => [
    'Roo Code reads the servers at once; press Refresh in its MCP panel if it does not show them.',
    ENDED,
  ],
};
