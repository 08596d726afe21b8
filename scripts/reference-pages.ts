/**
 * Writes the tables of the reference: commands and flags, variables, exit codes and lines of JSON, files, and the
 * programs and servers that this program uses. All of them come from the lists that the program itself uses.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Command} from '../src/command-line/command.ts';
import {commands} from '../src/command-line/commands.ts';
import * as groups from '../src/command-line/flags.ts';
import {type Flag, type FlagName, flags} from '../src/command-line/flags.ts';
import {
  contextStates,
  documents,
  entryStates,
  jsonEvents,
  otherLines,
  statusStates,
} from '../src/command-line/output/json-lines.ts';
import {variables} from '../src/domain/environment.ts';
import {exitCodes} from '../src/errors/exit-codes.ts';
import {hosts} from '../src/ports/network/hosts.ts';
import {programs} from '../src/ports/processes/programs.ts';
import {otherFiles, ownFileList} from '../src/store/file-list.ts';
import {findOwnPaths, type OwnPaths} from '../src/store/own-paths.ts';
import {tableOf, withPart} from './generated-part.ts';

/**
 * The groups of flags with their heading and their name in the table of commands. A flag belongs to the first group
 * that has it.
 */
const groupNames: readonly (readonly [heading: string, called: string, names: readonly FlagName[]])[] = [
  ['How the platform is reached', 'network', groups.network],
  ['What tokens are for', 'tokens', groups.tokens],
  ['Of every command', 'every command', groups.tolerated],
  ['Of the wizard', 'wizard', groups.wizard],
];

const code = (text: string) => `\`${text}\``;

const calledBy = ({words}: Pick<Command, 'words'>) => code(['setup', ...words].join(' '));

const usageOf = ({usage}: Command) => code(usage.replace('npx setup', 'setup').replace(' [flags]', ''));

const inGroup = new Set(groupNames.flatMap(([, , names]) => names));

/** Returns the flags of a command: whole groups by their names, then the remaining flags in the command's order. */
const flagsOf = (command: Command): string => {
  const has = new Set(command.flags);
  const whole = groupNames.filter(
    ([, called, names]) => called !== 'every command' && names.every(name => has.has(name)),
  );
  const said = new Set(whole.flatMap(([, , names]) => names));
  const isWizards = whole.some(([, called]) => called === 'wizard');
  const called = whole.map(([, name]) => name).filter(name => !isWizards || name === 'wizard');
  const own = command.flags.filter(name => !said.has(name) && !groups.tolerated.includes(name));
  return [...called.map(name => `*${name}*`), ...own.map(name => code(`--${name}`))].join(', ');
};

const commandTable = (): string =>
  tableOf(
    ['command', 'what it does', 'flags, besides those of every command'],
    commands.map(command => [usageOf(command), command.summary, flagsOf(command)]),
  );

const flagRow = (name: FlagName): readonly string[] => {
  const {short, value, env, help}: Flag = flags[name];
  const called = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return [code(value === undefined ? called : `${called} ${value}`), help, env === undefined ? '' : code(env)];
};

/** Returns the meanings of a flag for the commands to which it means something else. */
const otherwise = (name: FlagName): string =>
  commands
    .flatMap(command => {
      const own = command.flagHelp?.[name];
      return own ? [`${calledBy(command)}: ${own.help.toLowerCase()}`] : [];
    })
    .join('; ');

const flagTables = (): string => {
  const head = ['flag', 'what it does', 'variable'];
  const placed = new Set<FlagName>();
  const take = (names: readonly FlagName[]) =>
    names.filter(name => {
      const isNew = !placed.has(name);
      placed.add(name);
      return isNew;
    });
  const grouped = groupNames.map(([heading, called, names]) => {
    const own = called === 'wizard' ? '*wizard*: these, and those of *network* and *tokens*' : `*${called}*`;
    const title = called === 'every command' ? heading : `${heading} (${own})`;
    return `### ${title}\n\n${tableOf(head, take(names).map(flagRow))}`;
  });
  const rest = (Object.keys(flags) as FlagName[]).filter(name => !inGroup.has(name));
  const taken = (name: FlagName) => commands.filter(command => command.flags.includes(name)).map(calledBy);
  const others = tableOf(
    [...head, 'of'],
    rest.map(name => [...flagRow(name), taken(name).join(', ')]),
  );
  const different = (Object.keys(flags) as FlagName[]).filter(name => otherwise(name) !== '');
  const exceptions = tableOf(
    ['flag', 'different meaning for'],
    different.map(name => [code(`--${name}`), otherwise(name)]),
  );
  return [...grouped, `### Of some commands\n\n${others}`, `### Exceptions\n\n${exceptions}`].join('\n\n');
};

/** Words of the help that apply to a command line, but not to a variable. */
const ofCommandLine = '; other users can see it here';

const flagVariableTable = (): string =>
  tableOf(
    ['variable', 'stands in for', 'what it does'],
    (Object.entries(flags) as [FlagName, Flag][]).flatMap(([name, {env, value = '', help}]) =>
      env === undefined ? [] : [[code(env), code(`--${name} ${value}`.trim()), help.replace(ofCommandLine, '')]],
    ),
  );

const variableTables = (): string =>
  Object.entries(variables)
    .map(([heading, rows]) => {
      const table = tableOf(
        ['variable', 'what it does'],
        Object.entries(rows).map(([name, does]) => [code(name), does]),
      );
      return `### ${heading}\n\n${table}`;
    })
    .join('\n\n');

const exitCodeTable = (): string =>
  tableOf(
    ['exit code', 'error codes', 'meaning'],
    Object.entries(exitCodes).map(([number, row]) => {
      const family = 'family' in row ? row.family : '';
      const whole = family === 'bug' || family === 'cancelled' ? code(family) : family && code(`${family}-…`);
      return [number, whole, row.says];
    }),
  );

const eventTable = (): string =>
  tableOf(
    ['`type`', 'event', 'members'],
    Object.entries(jsonEvents).map(([type, {says, members}]) => [
      code(type),
      says,
      Object.entries(members)
        .map(([name, what]) => `${code(name)}: ${what}`)
        .join('; '),
    ]),
  );

const lineTable = (): string =>
  tableOf(
    ['`type`', 'printed by', 'meaning'],
    otherLines.map(({type, by, says}) => [code(type), by, says]),
  );

const documentTable = (): string =>
  tableOf(
    ['command', 'members'],
    Object.entries(documents).map(([words, members]) => [code(`setup ${words}`), members]),
  );

const stateTable = (of: string, states: Readonly<Record<string, string>>): string =>
  tableOf(
    ['`state`', `meaning for ${of}`],
    Object.entries(states).map(([state, says]) => [code(state), says]),
  );

const linux = findOwnPaths({HOME: '/home/ann'}, 'linux');
const windows = findOwnPaths({USERPROFILE: 'C:\\Users\\ann'}, 'win32');

/** Returns a path as people write it, with variables where the system has them. */
const shown = (path: string): string =>
  path
    .replace('/home/ann', '~')
    .replace('C:\\Users\\ann\\AppData\\Roaming', '%APPDATA%')
    .replace('C:\\Users\\ann\\AppData\\Local', '%LOCALAPPDATA%');

const pathIn = (paths: OwnPaths, name: keyof typeof ownFileList): string => {
  const isDirectory = ['journal', 'locks', 'programs', 'records', 'compiled'].includes(name);
  const slash = paths === windows ? '\\' : '/';
  return code(`${shown(paths[name] ?? '')}${isDirectory ? slash : ''}`);
};

const fileTable = (): string =>
  tableOf(
    [
      'Linux, macOS',
      'Windows',
      'contents',
      'mode',
      'what removes it, besides `setup uninstall` and a last `setup undo`',
    ],
    (Object.keys(ownFileList) as (keyof typeof ownFileList)[]).map(name => {
      const {holds, mode, removedBy} = ownFileList[name];
      return [pathIn(linux, name), pathIn(windows, name), holds, mode, removedBy];
    }),
  );

const otherFileTable = (): string =>
  tableOf(
    ['file', 'contents', 'mode', 'what removes it'],
    otherFiles.map(({path, holds, mode, removedBy}) => [path, holds, mode, removedBy]),
  );

const programTable = (): string =>
  tableOf(
    ['program', 'purpose'],
    Object.entries(programs).map(([name, why]) => [code(name), why]),
  );

const hostTable = (): string =>
  tableOf(
    ['server', 'source of the address', 'data sent'],
    hosts.map(({host, by, sent}) => [host, by, sent]),
  );

/** The generated parts of each page, by their names. */
const parts: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/commands.md': {commands: commandTable, flags: flagTables},
  'docs/environment.md': {'variables of flags': flagVariableTable, variables: variableTables},
  'docs/scripting.md': {
    'exit codes': exitCodeTable,
    events: eventTable,
    lines: lineTable,
    documents: documentTable,
    'states of sign-ins': () => stateTable('the sign-in', statusStates),
    'states of contexts': () => stateTable('the token', contextStates),
    'states of entries': () => stateTable('the entry', entryStates),
  },
  'docs/files.md': {files: fileTable, 'other files': otherFileTable},
  'docs/security.md': {hosts: hostTable, programs: programTable},
};

/** The pages with generated parts of the reference. */
export const referencePages: readonly string[] = Object.keys(parts);

/** Returns a page with its parts renewed. */
export const withReference = (path: string, page: string): string =>
  Object.entries(parts[path] ?? {}).reduce(
    (text, [name, part]) => withPart(text, `reference-pages: ${name}`, part()),
    page,
  );

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  for (const path of referencePages) {
    const file = resolve(import.meta.dirname, '..', path);
    writeFileSync(file, withReference(path, readFileSync(file, 'utf8')));
  }
}
