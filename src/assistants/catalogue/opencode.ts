import {type Assistant, type CommandEntry, dottedNames, type EntryShape, type HeaderEntry} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {environment, headersOf} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {configHome, directoryIn, forEverybody, inProject, join, type Place, programData} from '../place.ts';
import {entriesForEveryone, isOverruled, type Rules} from '../rules.ts';

const key = 'mcp';

/**
 * Returns the rules in the directory for everyone, which OpenCode and its forks read last. Each program has a directory
 * of its own name. Seen with OpenCode 1.18 and Kilo Code 7.7: each of the files is read, and overrides the person's and
 * the project's files.
 */
export const openCodeRules = (name: string, files: readonly string[]): Rules => ({
  language: 'JSON',
  files: place => files.map(file => join(place, managedDirectory(place, name), file)),
  gives: values => entriesForEveryone(values, key),
  blocks: (values, entry) => isOverruled(values, key, entry, ['enabled', false]),
});

const managedDirectory = (place: Place, name: string) =>
  place.system === 'win32' ? join(place, programData(place), name) : forEverybody(place, name, name);

/**
 * A program and its arguments form one list. With `oauth: false`, OpenCode reports a refusal as it is. One invalid
 * entry keeps OpenCode from starting.
 */
export const openCodeEntry: EntryShape = {
  preserved: ['timeout', 'tools'],
  preservedInOwnFile: ['environment', 'cwd'],
  off: ['enabled', false],
  shown: ['type', 'url', 'command', 'args'],
  header: (entry: HeaderEntry) => ({
    type: 'remote',
    url: entry.url,
    enabled: true,
    oauth: false,
    headers: headersOf(entry),
  }),
  oauth: ({url, clientId}) => ({type: 'remote', url, enabled: true, oauth: {clientId}}),
  command: ({command, args, env}: CommandEntry) => ({
    type: 'local',
    command: [command, ...args],
    ...environment('environment', env),
    enabled: true,
  }),
  read: readerOf({types: ['remote'], oauth: ['oauth', 'clientId'], commandTypes: ['local'], env: 'environment'}),
};

const names = ['opencode.json', 'opencode.jsonc'];

export const openCode: Assistant = {
  id: 'opencode',
  name: 'OpenCode',
  // If neither file exists, OpenCode creates `opencode.jsonc`, which also takes precedence (seen with 1.18.33).
  files: (scope, place) =>
    scope === 'user'
      ? names.toReversed().map(name => join(place, configHome(place), 'opencode', name))
      : projectFiles(place),
  alsoReads: (scope, place) => (scope === 'user' ? userFiles(place) : projectFiles(place)),
  traces: place => [join(place, configHome(place), 'opencode')],
  command: 'opencode',
  format: json('mcp'),
  entry: openCodeEntry,
  redirects: ['http://127.0.0.1:19876/mcp/oauth/callback'],
  names: dottedNames,
  rules: openCodeRules('opencode', names),
  afterwards: (_, method) => [
    ...(method === 'oauth' ? ['Run opencode mcp auth NAME for each server.'] : []),
    'Restart OpenCode.',
  ],
};

const userFiles = (place: Place) => {
  const own = ['config.json', ...names].map(name => join(place, configHome(place), 'opencode', name));
  const moved = directoryIn(place, 'OPENCODE_CONFIG_DIR');
  return moved ? [...own, ...names.map(name => join(place, moved, name))] : own;
};

const projectFiles = (place: Place) => [
  ...names.map(name => inProject(place, name)),
  ...names.map(name => inProject(place, '.opencode', name)),
];
