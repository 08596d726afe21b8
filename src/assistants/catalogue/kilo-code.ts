import type {Assistant} from '../assistant.ts';
import {json} from '../formats/formats.ts';
import {dottedNames} from '../names.ts';
import {inHome, inProject, type Place} from '../place.ts';
import {openCodeEntry} from './opencode.ts';

const names = ['kilo.json', 'kilo.jsonc'];

const userFiles = (place: Place) => names.map(name => inHome(place, '.config', 'kilo', name));

const projectFiles = (place: Place) => [
  inProject(place, 'kilo.json'),
  ...names.map(name => inProject(place, '.kilo', name)),
];

/** An OpenCode of its own. */
export const kiloCode: Assistant = {
  id: 'kilo-code',
  name: 'Kilo Code',
  files: (scope, place) => (scope === 'user' ? userFiles(place) : projectFiles(place)),
  alsoReads: (scope, place) => (scope === 'user' ? userFiles(place) : projectFiles(place)),
  traces: place => [inHome(place, '.config', 'kilo')],
  command: 'kilo',
  format: json('mcp'),
  entry: openCodeEntry,
  names: dottedNames,
  afterwards: () => ['Restart Kilo Code.'],
};
