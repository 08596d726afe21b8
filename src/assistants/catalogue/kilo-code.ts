import type {Scope} from '../../domain/context.ts';
import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {json} from '../formats/formats.ts';
import {configHome, directoryIn, inProject, join, type Place} from '../place.ts';
import {openCodeEntry, openCodeRules} from './opencode.ts';

const names = ['kilo.json', 'kilo.jsonc'];

const openCodeNames = ['opencode.json', 'opencode.jsonc'];

const directory = (place: Place) => join(place, configHome(place), 'kilo');

const userFiles = (place: Place) => names.map(name => join(place, directory(place), name));

/** Kilo Code also reads the directory that `KILO_CONFIG_DIR` names. */
const moreFiles = (place: Place) => {
  const named = directoryIn(place, 'KILO_CONFIG_DIR');
  return named ? names.map(name => join(place, named, name)) : [];
};

const projectFiles = (place: Place) => [
  ...names.map(name => inProject(place, name)),
  ...names.map(name => inProject(place, '.kilo', name)),
];

/** The other files that it reads: with older names, in older places, and with the names of OpenCode’s files. */
const olderFiles = (place: Place, scope: Scope) => {
  if (scope === 'user') return ['config.json', ...openCodeNames].map(name => join(place, directory(place), name));
  return [
    ...openCodeNames.map(name => inProject(place, name)),
    ...openCodeNames.map(name => inProject(place, '.kilo', name)),
    ...names.map(name => inProject(place, '.kilocode', name)),
  ];
};

/** Its own sign-in was not seen to renew tokens. */
const {oauth: _, ...entry} = openCodeEntry;

/** A fork of OpenCode. */
export const kiloCode: Assistant = {
  id: 'kilo-code',
  name: 'Kilo Code',
  // If neither file exists, Kilo Code creates `kilo.jsonc`, which also takes precedence (seen with 7.7).
  files: (scope, place) => (scope === 'user' ? userFiles(place).toReversed() : projectFiles(place)),
  // Seen with 7.7.
  alsoReads: (scope, place) => [
    ...(scope === 'user' ? [...userFiles(place), ...moreFiles(place)] : projectFiles(place)),
    ...olderFiles(place, scope),
  ],
  traces: place => [directory(place)],
  command: 'kilo',
  format: json('mcp'),
  entry,
  names: dottedNames,
  rules: openCodeRules('kilo', [...names, ...openCodeNames]),
  afterwards: () => ['Restart Kilo Code.'],
};
