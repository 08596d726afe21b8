import {type Assistant, dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {configHome, dataHome, directoryIn, inProject, join, localData, type Place} from '../place.ts';
import {entriesAt, type Rules} from '../rules.ts';
import {at} from '../trust.ts';

/**
 * According to its source: on Linux and macOS there is one file for everyone; the person's own files are merged over
 * it, member by member. So a server that the file for everyone disables stays disabled, since the entries of this
 * program do not enable it.
 */
export const crushRules: Rules = {
  language: 'JSON',
  files: ({system}) => (system === 'win32' ? [] : ['/etc/crush/crush.json']),
  gives: ([system]) => entriesAt(system, 'mcp'),
  blocks: ([system], {name}) => at(system, 'mcp', name, 'disabled') === true,
};

/** `CRUSH_GLOBAL_CONFIG` names a directory. */
const directory = (place: Place) =>
  directoryIn(place, 'CRUSH_GLOBAL_CONFIG') ?? join(place, configHome(place), 'crush');

const userFile = (place: Place) => join(place, directory(place), 'crush.json');

const projectFiles = (place: Place) => ['crush.json', '.crush.json'].map(name => inProject(place, name));

/** Crush writes its own settings to another file, which it merges. */
const ownFile = (place: Place) => {
  const home = place.system === 'win32' ? localData(place) : dataHome(place);
  return join(place, directoryIn(place, 'CRUSH_GLOBAL_DATA') ?? join(place, home, 'crush'), 'crush.json');
};

export const crush: Assistant = {
  id: 'crush',
  name: 'Crush',
  files: (scope, place) => (scope === 'user' ? [userFile(place)] : projectFiles(place)),
  alsoReads: (scope, place) => (scope === 'user' ? [userFile(place), ownFile(place)] : projectFiles(place)),
  traces: place => [directory(place), join(place, ownFile(place), '..')],
  command: 'crush',
  format: json('mcp', 'strict', {refusesMark: true}),
  entry: {
    preserved: ['disabled_tools', 'enabled_tools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args'],
    header: remoteHttp,
    command: entry => ({type: 'stdio', ...program(entry)}),
    read: readerOf({types: ['http'], commandTypes: ['stdio']}),
  },
  names: dottedNames,
  rules: crushRules,
  afterwards: () => ['Restart Crush. If a crushrc next to this file names the same server, the crushrc wins.'],
};
