import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome, inProject} from '../place.ts';

const common = {disabled: false, autoApprove: []};

export const kiro: Assistant = {
  id: 'kiro',
  name: 'Kiro',
  files: (scope, place) => [
    scope === 'user'
      ? inHome(place, '.kiro', 'settings', 'mcp.json')
      : inProject(place, '.kiro', 'settings', 'mcp.json'),
  ],
  traces: place => [inHome(place, '.kiro')],
  command: 'kiro-cli',
  format: json('mcpServers'),
  entry: {
    preserved: ['autoApprove', 'disabledTools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args', 'autoApprove'],
    header: entry => ({...remote(entry), ...common}),
    command: entry => ({...program(entry), ...common}),
    read: readerOf({}),
  },
  names: dottedNames,
  afterwards: scope => [
    ...(scope === 'project' ? ['Trust this workspace when Kiro asks; it ignores the file until then.'] : []),
    'Kiro connects as soon as the file is saved; its command line connects at its next start.',
  ],
};
