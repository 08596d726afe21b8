import {type Assistant, dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {inHome, inProject, join, type Place, programData} from '../place.ts';
import {entriesForEveryone, isOverruled, type Rules} from '../rules.ts';

const key = 'mcpServers';

/** Seen with 0.36: an entry in the settings for everyone replaces the person's own entry of the same name. */
export const auggieRules: Rules = {
  language: 'JSON',
  files: place => [
    place.system === 'win32'
      ? join(place, programData(place), 'augment', 'settings.json')
      : join(place, '/etc/augment/settings.json'),
  ],
  gives: values => entriesForEveryone(values, key),
  blocks: (values, entry) => isOverruled(values, key, entry, ['disabled', true]),
};

const directory = (place: Place) => inHome(place, '.augment');

const settings = 'settings.json';

/**
 * Returns the project's file, and the file beside it that the person keeps out of the repository. The second takes
 * precedence.
 */
const projectFiles = (place: Place) =>
  [settings, 'settings.local.json'].map(name => inProject(place, '.augment', name));

export const auggie: Assistant = {
  id: 'auggie',
  name: 'Auggie',
  files: (scope, place) => [
    scope === 'user' ? inHome(place, '.augment', settings) : inProject(place, '.augment', settings),
  ],
  alsoReads: (scope, place) => (scope === 'user' ? [inHome(place, '.augment', settings)] : projectFiles(place)),
  traces: place => [directory(place)],
  command: 'auggie',
  // Seen with 0.36: it ignores a file that has a byte order mark.
  format: json('mcpServers', 'lenient', {refusesMark: true}),
  entry: {
    preserved: ['timeoutMs', 'useShellInterpolation'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args'],
    header: remoteHttp,
    command: entry => ({type: 'stdio', ...program(entry)}),
    read: readerOf({types: ['http'], commandTypes: [undefined, 'stdio']}),
  },
  names: dottedNames,
  rules: auggieRules,
  afterwards: () => ['Restart Auggie.'],
};
