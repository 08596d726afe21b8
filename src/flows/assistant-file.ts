import {createHash} from 'node:crypto';
import type {Assistant, Scope} from '../assistants/assistant.ts';
import type {Made} from '../assistants/entry-format.ts';
import {keepChoices} from '../assistants/keep-choices.ts';
import type {Place} from '../assistants/place.ts';
import {SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {ContextEntry} from '../ports/storage.ts';
import {entryFor, isOurs, nameFor, type OwnCommand, type Target} from './assistant-entry.ts';
import type {FileChange} from './flow.ts';
import type {McpEntry} from './mcp-entries.ts';

/** One file of assistants as it is and as it will be. May hold the token; never leaves a flow. */
export type AssistantFile = {
  readonly path: string;
  readonly change: FileChange;
  /** The bytes there are now, null for no file. */
  readonly before: Buffer | null;
  readonly after: string;
  /** The tokens that stand now in the entries that are replaced. */
  readonly tokens: readonly string[];
  /** Whether a token will stand in it. */
  readonly holdsToken: boolean;
  /** Who reads it. Several may share one. */
  readonly targets: readonly Target[];
  /** The names of our entries in it. */
  readonly names: readonly string[];
  /** What had to be made for the first of them, so that it can be taken away with the last. */
  readonly made: Made;
  /** Entries of the same names that lead elsewhere. */
  readonly foreign: readonly string[];
};

export type ComposeInput = {
  readonly targets: readonly Target[];
  readonly place: Place;
  readonly entries: readonly McpEntry[];
  readonly own: OwnCommand;
  readonly context: string;
  readonly token: string;
};

/**
 * Every file that the targets need, each once, with the entries in it.
 *
 * @throws SetupError `local-file-invalid`, `local-read-failed`, `input-invalid`
 */
export const composeFiles = async (input: ComposeInput, ports: Ports): Promise<readonly AssistantFile[]> => {
  const located = await Promise.all(
    input.targets.map(async target => ({target, path: await locate(target, input.place, ports)})),
  );
  const groups = Map.groupBy(located, ({path}) => path);
  return Promise.all(
    [...groups].map(([path, group]) =>
      composeFile(
        path,
        group.map(({target}) => target),
        input,
        ports,
      ),
    ),
  );
};

const composeFile = async (
  path: string,
  targets: readonly Target[],
  input: ComposeInput,
  {files}: Ports,
): Promise<AssistantFile> => {
  const target = sharedTarget(targets);
  const {assistant} = target;
  const contents = await files.read(path);
  const text = decode(contents?.bytes ?? Buffer.alloc(0), path);
  const editor = await assistant.format.editor();
  const present = editor.read(text, path);
  const named = input.entries.map(entry => ({entry, name: nameFor(entry.label, assistant.names)}));
  const wanted = named.map(({entry, name}) => {
    const isKnown = isOurs(assistant.entry.read(present[name]), entry);
    return [name, keepChoices(entryFor(target, entry, input), isKnown ? present[name] : undefined)] as const;
  });
  const after = editor.set(text, Object.fromEntries(wanted), path);
  const change = !contents ? 'new' : after === text ? 'unchanged' : 'changed';
  return {
    path,
    change,
    before: contents?.bytes ?? null,
    after,
    tokens: tokensIn(
      present,
      assistant,
      named.map(({name}) => name),
    ),
    holdsToken: wanted.some(([, entry]) => assistant.entry.read(entry)?.kind === 'header'),
    targets,
    names: named.map(({name}) => name),
    made: editor.made(text, path),
    foreign: named.flatMap(({entry, name}) => {
      const found = present[name];
      return found === undefined || isOurs(assistant.entry.read(found), entry) ? [] : [name];
    }),
  };
};

/** Who share a file share its entries: a program in between serves all of them, where one knows no better. */
const sharedTarget = (targets: readonly Target[]): Target => {
  const [first] = targets;
  if (!first) throw new Error('A file is written for somebody.');
  const others = targets.filter(({method}) => method !== first.method);
  return others.length === 0 ? first : {...first, method: 'bridge'};
};

/** The file to write: the first candidate that is there, else the first. */
export const locate = async (
  {assistant, scope}: Pick<Target, 'assistant' | 'scope'>,
  place: Place,
  {files}: Ports,
): Promise<string> => {
  const candidates = assistant.files(scope, place);
  for (const path of candidates) if (await files.exists(path)) return path;
  const [preferred] = candidates;
  if (preferred !== undefined) return preferred;
  throw new SetupError(
    'input-invalid',
    `${assistant.name} has no file ${scope === 'user' ? 'for all projects' : 'in a project'}.`,
  );
};

/** The scope in which an assistant can be connected: the wanted one where it has a file for it, else its other one. */
export const scopeFor = (assistant: Assistant, wanted: Scope, place: Place): Scope => {
  if (assistant.files(wanted, place).length > 0) return wanted;
  return wanted === 'user' ? 'project' : 'user';
};

/** The entries in an assistant's file, as values. */
export const readEntries = async (assistant: Assistant, path: string, {files}: Ports) => {
  const contents = await files.read(path);
  const editor = await assistant.format.editor();
  return editor.read(decode(contents?.bytes ?? Buffer.alloc(0), path), path);
};

/** The bearer tokens in these entries. */
const tokensIn = (
  present: Readonly<Record<string, unknown>>,
  assistant: Assistant,
  names: readonly string[],
): readonly string[] =>
  names.flatMap(name => {
    const connection = assistant.entry.read(present[name]);
    const {Authorization = ''} = connection?.kind === 'header' ? connection.headers : {};
    const token = Authorization.replace(/^Bearer /i, '');
    return token === '' ? [] : [token];
  });

/** Names a file's contents without keeping them: null for no file. */
export const digest = (bytes: Buffer | null): string | null =>
  bytes === null ? null : createHash('sha256').update(bytes).digest('hex');

/** Text that would not come back as the same bytes is not touched. */
const decode = (bytes: Buffer, path: string): string => {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  throw new SetupError('local-file-invalid', `${path} is not a text file in UTF-8.`);
};

/** What stands in the place of a token after a sign-out: no server takes it, and a person who finds it knows why. */
export const SIGNED_OUT = 'Bearer signed-out-run-npx-setup';

type Held = {
  readonly assistant: Assistant;
  readonly scope: Scope;
  readonly place: Place;
  readonly path: string;
  /** The names of our entries. */
  readonly names: readonly string[];
};

/**
 * Takes the token out of every entry that holds one, and leaves the rest as it is, so that the next sign-in only has to
 * put a new one in. False when there was nothing to take out.
 */
export const clearTokens = async ({assistant, scope, place, path, names}: Held, ports: Ports): Promise<boolean> => {
  const {header} = assistant.entry;
  if (!header) return false;
  return edit({assistant, path, names}, ports, (editor, text, present) => {
    const entries = names.flatMap(name => {
      const connection = assistant.entry.read(present[name]);
      if (connection?.kind !== 'header') return [];
      const {system} = place;
      return [[name, header({name, scope, system, url: connection.url, authorization: SIGNED_OUT})] as const];
    });
    return editor.set(text, Object.fromEntries(entries), path);
  });
};

/** Takes our entries away, with what was made for them, the file itself included. False when there were none. */
export const removeEntries = async (
  {assistant, path, names, made, created}: Omit<Held, 'scope' | 'place'> & Pick<ContextEntry, 'made' | 'created'>,
  ports: Ports,
): Promise<boolean> =>
  edit({assistant, path, names, created: created === true}, ports, (editor, text, present) =>
    names.some(name => name in present) ? editor.remove(text, names, path, made) : text,
  );

type Change = (
  editor: Awaited<ReturnType<Assistant['format']['editor']>>,
  text: string,
  present: Readonly<Record<string, unknown>>,
) => string;

const edit = async (
  {assistant, path, names, created = false}: Pick<Held, 'assistant' | 'path' | 'names'> & {created?: boolean},
  {files}: Ports,
  change: Change,
): Promise<boolean> => {
  if (!(await files.exists(path))) return false;
  return files.withLock(path, () => editUnderLock({assistant, path, names, created}, {files}, change));
};

const editUnderLock = async (
  {assistant, path, names, created}: Pick<Held, 'assistant' | 'path' | 'names'> & {created: boolean},
  {files}: Pick<Ports, 'files'>,
  change: Change,
): Promise<boolean> => {
  const contents = await files.read(path);
  if (!contents) return false;
  const text = decode(contents.bytes, path);
  const editor = await assistant.format.editor();
  const present = editor.read(text, path);
  const after = change(editor, text, present);
  if (after === text) return false;
  const hidden = tokensIn(present, assistant, names);
  // A file that was made for our entries, and holds nothing without them, is not left behind: some clients take an
  // empty one for a broken one.
  if (created && after.trim() === '') {
    await files.remove(path, {journal: true, hidden});
    return true;
  }
  const options = {mode: 0o600, tighten: hidden.length > 0, journal: true, hidden, expected: contents.bytes};
  await files.write(path, after, options);
  return true;
};
