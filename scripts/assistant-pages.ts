/**
 * Writes the table of docs/assistants.md from the catalogue: where each assistant keeps its servers, and how that is
 * known.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Assistant} from '../src/assistants/assistant.ts';
import {allAssistants} from '../src/assistants/catalogue/all.ts';
import {type Evidence, evidence} from '../src/assistants/catalogue/evidence.ts';
import {pastedAssistants} from '../src/assistants/catalogue/pasted.ts';
import {methodsOf} from '../src/assistants/methods.ts';
import type {Place} from '../src/assistants/place.ts';
import type {Scope} from '../src/domain/context.ts';
import {tableOf, withPart} from './generated-part.ts';

const path = resolve(import.meta.dirname, '../docs/assistants.md');

/** A machine of each system, the note for a file that exists only there, and the names of its directories. */
const machines: readonly (readonly [place: Place, said: string, names: readonly (readonly [string, string])[]])[] = [
  [
    {home: '/home/ann', project: '/work/app', system: 'linux', env: {}},
    '',
    [
      ['/home/ann/', '~/'],
      ['/work/app/', ''],
    ],
  ],
  [
    {home: '/Users/ann', project: '/work/app', system: 'darwin', env: {}},
    ', on macOS alone',
    [
      ['/Users/ann/', '~/'],
      ['/work/app/', ''],
    ],
  ],
  [
    {home: 'C:\\Users\\ann', project: 'D:\\app', system: 'win32', env: {}, packages: ['Claude_…']},
    ', on Windows alone',
    [
      ['C:\\Users\\ann\\AppData\\Roaming\\', '%APPDATA%\\'],
      ['C:\\Users\\ann\\AppData\\Local\\', '%LOCALAPPDATA%\\'],
      ['C:\\Users\\ann\\', '%USERPROFILE%\\'],
      ['D:\\app\\', ''],
    ],
  ],
  [
    {
      ...{home: '/home/ann', project: '/work/app', system: 'linux', packages: ['Claude_…']},
      env: {WSL_DISTRO_NAME: 'Debian', PATH: '/usr/bin:/mnt/c/Users/ann/AppData/Local/Programs'},
    },
    ', seen from WSL',
    [
      ['/mnt/c/Users/ann/AppData/Roaming/', '%APPDATA%\\'],
      ['/mnt/c/Users/ann/AppData/Local/', '%LOCALAPPDATA%\\'],
      ['/mnt/c/Users/ann/', '%USERPROFILE%\\'],
    ],
  ],
];

/** Returns the file that is created if there is none. */
const fileOf = ({files}: Assistant, scope: Scope): string => {
  for (const [place, said, names] of machines) {
    const [file] = files(scope, place);
    if (file === undefined) continue;
    const [start, name] = names.find(([directory]) => file.startsWith(directory)) ?? ['', ''];
    const rest = file.slice(start.length);
    return `\`${name}${name.endsWith('\\') ? rest.replaceAll('/', '\\') : rest}\`${said}`;
  }
  return '';
};

const waysOf = (assistant: Assistant): string => {
  const {helperSince, localhostSince} = assistant;
  const newest = localhostSince ?? helperSince;
  return methodsOf(assistant, newest, false)
    .map(method => (method === 'helper' ? `helper, from ${helperSince}` : method))
    .join('; ');
};

const idOf = ({id}: Assistant) => id.replace(/-windows$/, '');

/** @throws Error if the catalogue does not say how the assistant is known */
const evidenceOf = (assistant: Assistant): Evidence => {
  const found = evidence[idOf(assistant)];
  if (!found) throw new Error(`src/assistants/catalogue/evidence.ts does not say how ${assistant.id} is known.`);
  return found;
};

const scopes = {user: 'for all projects', project: 'in one project'} as const;

const knownBy = ({how, version, only, by, where}: Evidence): string => {
  if (how === 'run') return ['seen with', by, version, only && scopes[only]].filter(Boolean).join(' ');
  if (how === 'unread') return 'no client that was tried';
  const link = `[${how === 'source' ? 'source' : 'documentation'}](${where})`;
  return version ? `${link} of ${version}` : link;
};

const rowOf = (assistant: Assistant): readonly string[] => {
  const {id, name} = assistant;
  const known = evidenceOf(assistant);
  const isTried = id === idOf(assistant);
  return [
    ...[name, `\`${id}\``, fileOf(assistant, 'user'), fileOf(assistant, 'project'), waysOf(assistant)],
    isTried ? knownBy(known) : 'as without WSL',
    known.on,
  ];
};

const head = [
  'assistant',
  'name for `--assistants`',
  'for all your projects',
  'for one project',
  'how it stays signed in, the best first',
  'evidence',
  'date',
];

/** Returns the row of an assistant that keeps its servers in no file: `setup mcp connect` prints what to paste. */
const pastedRow = ({assistant, where}: (typeof pastedAssistants)[number]): readonly string[] => {
  const {id, name} = assistant;
  const known = evidenceOf(assistant);
  const cells = [name, `\`${id}\`, for \`mcp connect\` alone`, `pasted into ${where}`, '', 'bridge'];
  return [...cells, knownBy(known), known.on];
};

/** Returns the table as Markdown. */
export const assistantTable = (): string =>
  tableOf(head, [...allAssistants.map(rowOf), ...pastedAssistants.map(pastedRow)]);

/** Returns the page with today's table in it. */
export const withTable = (page: string): string => withPart(page, 'assistant-pages', assistantTable());

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  writeFileSync(path, withTable(readFileSync(path, 'utf8')));
}
