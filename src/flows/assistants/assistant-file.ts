import type {Assistant} from '../../assistants/assistant.ts';
import {isOff} from '../../assistants/formats/choices.ts';
import type {Entries} from '../../assistants/formats/entry-format.ts';
import {renewedEntry} from '../../assistants/formats/own-members.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, ContextEntry, Scaffolding} from '../../domain/context.ts';
import type {McpEntry} from '../../domain/mcp-servers.ts';
import type {OwnCommand} from '../../domain/own-command.ts';
import {isSamePath, pathKey} from '../../domain/paths.ts';
import type {RunTokens} from '../../domain/tokens.ts';
import type {WrittenEntries, WrittenEntry} from '../../domain/written-entry.ts';
import {SetupError} from '../../errors/errors.ts';
import {isSameValue} from '../../json.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Confinement, TokensInFile} from '../../ports/storage.ts';
import type {FileChange} from '../flow.ts';
import {digest, isAbsent, type OpenText, openText} from '../planned-file.ts';
import {confinementOf, linkTargetOf} from '../project-files.ts';
import {entryFor, isOwnCommand, isSharedEntry, nameFor, type Target} from './assistant-entry.ts';
import {tokenSpansIn} from './entry-tokens.ts';
import {findMoved} from './moved-entries.ts';
import {type Ownership, ownershipIn, writtenOf} from './ownership.ts';

/** A file of assistants as it is and as it will be. May contain the token; never leaves a flow. */
export type AssistantFile = {
  readonly path: string;
  readonly change: FileChange;
  /** SHA-256 of the current bytes, in hex; null if there is no file. */
  readonly before: string | null;
  /** The current file, opened for its editor. */
  readonly open: OpenText;
  /** The text after the edit. */
  readonly after: string;
  /** The positions of our tokens in the file, as it is and as it will be. */
  readonly tokens: TokensInFile;
  /** Whether the file will contain a token. */
  readonly holdsToken: boolean;
  /** Whether an entry in it starts this program by a path of this machine, in a project where others may read it. */
  readonly isLocal: boolean;
  /** The assistants that read it. Several may share one file. */
  readonly targets: readonly Target[];
  /** The names of our entries in it. */
  readonly names: readonly string[];
  /** The directory in which a project's file has to be. */
  readonly within: Confinement | undefined;
  /** The file to which the path leads by a link. */
  readonly leadsTo: string | undefined;
  /** The directories to create for it, the innermost first. */
  readonly directories: readonly string[];
  /** The parts of the file that the first of our entries needs, so that they can be removed with the last one. */
  readonly made: Scaffolding;
  /** The names of our entries that the person has switched off. */
  readonly off: readonly string[];
  /** Entries of the same names that are not ours, and would be replaced. */
  readonly foreign: readonly string[];
  /** Entries of ours that the person has made their own, and that stay as they are. */
  readonly left: readonly string[];
  /** The record of what was written. */
  readonly written: WrittenEntries;
  /** Whether any of our entries is in the file now. */
  readonly hasOurs: boolean;
  /** Whether any of the entries to write is missing from the file now. */
  readonly isIncomplete: boolean;
};

export type ComposeInput = {
  readonly targets: readonly Target[];
  readonly place: Place;
  /** The chosen entries. */
  readonly entries: readonly McpEntry[];
  /**
   * Every entry that the context can have; by default the chosen ones. Those that the context has recorded for a file are
   * written again, whether they are chosen or not.
   */
  readonly every?: readonly McpEntry[];
  readonly own: OwnCommand;
  readonly context: string;
  readonly tokens: RunTokens;
  /** Whether entries that are not ours are replaced. */
  readonly replace?: boolean;
};

/**
 * Composes every file that the targets need, each once, with its entries. A target whose entries are gone gets no file.
 *
 * @throws SetupError `local-file-invalid`, `local-read-failed`, `input-invalid`, `local-link-outside`
 */
export const composeFiles = async (input: ComposeInput, ports: Ports): Promise<readonly AssistantFile[]> => {
  const assistants = input.targets.map(({assistant}) => assistant);
  const {contexts: saved} = await ports.config.read();
  const contexts = await findMoved(saved, {assistants, place: input.place}, ports);
  const located = await Promise.all(
    input.targets.map(async named => {
      const target = followed(named, input.context, saved, contexts);
      return {target, path: await locate(target, input.place, ports)};
    }),
  );
  const memory = {
    known: contexts.find(({name}) => name === input.context)?.entries ?? [],
    everywhere: contexts.flatMap(({entries = []}) => entries),
    contexts,
  };
  const isKnown = ({assistant}: Target, path: string) =>
    memory.known.some(one => one.assistant === assistant.id && isSamePath(one.path, path));
  const groups = Map.groupBy(
    // Another process may have disconnected the entries to renew: then nothing is put into their file.
    located.filter(({target, path}) => !target.renews || isKnown(target, path)),
    ({path}) => pathKey(path),
  );
  const files = await Promise.all(
    [...groups.values()]
      .flatMap(group => {
        const [first] = group;
        return first ? [{path: first.path, group}] : [];
      })
      .map(({path, group}) =>
        composeFile(
          path,
          group.map(({target}) => target),
          {...input, ...memory},
          ports,
        ),
      ),
  );
  // A file that is to hold none of our entries is not created or changed.
  return files.filter(({names}) => names.length > 0);
};

/** Returns the target with the current path of the entries to renew. */
const followed = (target: Target, name: string, saved: readonly Context[], contexts: readonly Context[]): Target => {
  const {renews, assistant} = target;
  const before = saved.find(one => one.name === name)?.entries ?? [];
  const index = before.findIndex(one => one.assistant === assistant.id && renews && isSamePath(one.path, renews.path));
  const now = contexts.find(one => one.name === name)?.entries?.[index];
  return renews && now && !isSamePath(now.path, renews.path)
    ? {...target, renews: {...renews, path: now.path}}
    : target;
};

/** The recorded entries: those of this context, and those of every context. */
type Memory = {
  readonly known: readonly ContextEntry[];
  readonly everywhere: readonly ContextEntry[];
  readonly contexts: readonly Context[];
};

const composeFile = async (
  path: string,
  targets: readonly Target[],
  input: ComposeInput & Memory,
  {files}: Ports,
): Promise<AssistantFile> => {
  const target = sharedTarget(targets);
  const {assistant} = target;
  const project = target.renews?.project ?? input.place.project;
  const within = confinementOf({scope: target.scope, project});
  // Checked before the file is read: otherwise the contents of another file could be shown.
  await files.targetOf(path, within);
  const leadsTo = await linkTargetOf(path, within?.root ?? input.place.home, files);
  const contents = await files.read(path);
  const open = await openText(assistant.format, contents?.bytes, path);
  const {editor, text} = open;
  const present = editor.read(text, path);
  // Entries that this context has recorded for the file stay its own, whether they are chosen again or not.
  const recorded = namesIn(input.known, path);
  const isChosen = ({server}: McpEntry) =>
    targets.some(({renews}) => !renews) && input.entries.some(one => one.server === server);
  const named = (input.every ?? input.entries)
    .map(entry => ({entry, name: nameFor(entry.label, assistant.names)}))
    .filter(({entry, name}) => isChosen(entry) || recorded.includes(name));
  const ownership = ownershipIn(input.contexts, path);
  const standings = named.map(({entry, name}) => {
    const found = present[name];
    const isOurs = isOursIn(ownership, {name, entry, found}, assistant, input.context);
    // An entry that was connected before and is not ours any more is not renewed.
    const isLeft = found !== undefined && !isOurs && target.renews !== undefined && !input.replace;
    return {entry, name, found, isOurs, isLeft};
  });
  const composed = standings
    .filter(({isLeft}) => !isLeft)
    .map(({entry, name, found, isOurs}) => {
      // An entry for everybody in the project stays one when it is renewed.
      const stays = target.renews && target.scope === 'project' && isOurs && isSharedEntry(assistant.entry.read(found));
      const fresh = entryFor(stays ? {...target, isShared: true as const} : target, entry, input);
      const before = {entry: found, written: ownership.written(name), scope: target.scope};
      return {name, fresh, renewed: isOurs ? renewedEntry(fresh, before, assistant.entry) : fresh};
    });
  const wanted = composed.map(({name, renewed}) => [name, renewed] as const);
  const after = editor.set(text, Object.fromEntries(wanted), path);
  // Only entries that are known to be ours: a token of the person's own goes into the journal, and undo restores it.
  const ours = Object.keys(present).filter(
    name =>
      ownership.isOurs({name, entry: present[name]}, assistant) ||
      standings.some(one => one.name === name && one.isOurs),
  );
  const tokensOf = (after: string) => ({
    before: tokenSpansIn(open, {text, entries: present, names: ours}, assistant),
    after: tokenSpansIn(
      open,
      {
        ...{text: after, entries: {...present, ...Object.fromEntries(wanted)}},
        names: [...new Set([...ours, ...wanted.map(([name]) => name)])],
      },
      assistant,
    ),
  });
  const isNew = isAbsent(contents?.bytes);
  const change = isNew ? 'new' : after === text ? 'unchanged' : 'changed';
  return {
    path,
    change,
    before: digest(contents?.bytes ?? null),
    open,
    after,
    tokens: tokensOf(after),
    holdsToken: wanted.some(([, entry]) => assistant.entry.read(entry)?.kind === 'header'),
    isLocal:
      target.scope === 'project' &&
      wanted.some(([, entry]) => {
        const connection = assistant.entry.read(entry);
        const starts = connection?.kind === 'command' || connection?.kind === 'helper';
        return starts && !isSharedEntry(connection);
      }),
    targets,
    names: named.map(({name}) => name),
    off: wanted.flatMap(([name, entry]) => (isOff(entry, assistant.entry) ? [name] : [])),
    made: editor.made(text, path),
    within,
    leadsTo,
    // Includes directories that were made for another file: removing the last file in them removes them too.
    directories: isNew ? await files.madeFor(path, directoriesIn(input.everywhere)) : [],
    foreign: standings.flatMap(({name, found, isOurs, isLeft}) =>
      found === undefined || isOurs || isLeft ? [] : [name],
    ),
    left: standings.flatMap(({name, isLeft}) => (isLeft ? [name] : [])),
    written: Object.fromEntries(
      named.map(({name}) => {
        const fresh = composed.find(one => one.name === name)?.fresh;
        return [name, latest(fresh && writtenOf(fresh, assistant.entry), ownership.written(name))] as const;
      }),
    ),
    isIncomplete: standings.some(({found}) => found === undefined),
    hasOurs: standings.some(({isOurs}) => isOurs) || recorded.some(name => present[name] !== undefined),
  };
};

/** Whether an entry is ours. An entry that no context knows is ours if only this program can have written it. */
const isOursIn = (
  ownership: Ownership,
  {name, entry, found}: {readonly name: string; readonly entry: McpEntry; readonly found: unknown},
  assistant: Assistant,
  context: string,
): boolean => {
  if (found === undefined) return false;
  if (ownership.isKnown(name)) return ownership.isOurs({name, entry: found}, assistant);
  return isOwnCommand(assistant.entry.read(found), entry, context);
};

/** Returns the last two records of an entry: the new one and the one before, because a write may not finish. */
const latest = (next: WrittenEntry | undefined, before: readonly WrittenEntry[]): readonly WrittenEntry[] => {
  const others = before.filter(one => !isSameValue(one, next));
  return next ? [next, ...others].slice(0, 2) : before.slice(0, 2);
};

/** Assistants that share a file share its entries: if their methods differ, the bridge serves all of them. */
const sharedTarget = (targets: readonly Target[]): Target => {
  const [first] = targets;
  if (!first) throw new Error('A file is written for somebody.');
  const others = targets.filter(({method}) => method !== first.method);
  return others.length === 0 ? first : {...first, method: 'bridge'};
};

/** Returns the file to write: the one to renew, or the first candidate that exists, or else the first candidate. */
export const locate = async (
  {assistant, scope, renews}: Pick<Target, 'assistant' | 'scope' | 'renews'>,
  place: Place,
  {files}: Ports,
): Promise<string> => {
  if (renews) return renews.path;
  const candidates = assistant.files(scope, place);
  for (const path of candidates) if (await files.exists(path)) return path;
  const [preferred] = candidates;
  if (preferred !== undefined) return preferred;
  throw new SetupError(
    'input-invalid',
    `${assistant.name} has no file ${scope === 'user' ? 'for all projects' : 'in a project'}.`,
  );
};

/** Reads the entries in an assistant's file, as values. */
export const readEntries = async (assistant: Assistant, path: string, {files}: Pick<Ports, 'files'>) => {
  const contents = await files.read(path);
  const {editor, text} = await openText(assistant.format, contents?.bytes, path);
  return editor.read(text, path);
};

/**
 * Returns the entries in an assistant's file, as values. For a file that was read before, returns the entries of that
 * time.
 */
export type EntryReader = (assistant: Assistant, path: string) => Promise<Entries>;

/** Creates a reader that reads each file once, however often it is asked for. */
export const createEntryReader = (ports: Ports): EntryReader => {
  const known = new Map<string, Promise<Entries>>();
  return (assistant, path) => {
    const key = JSON.stringify([assistant.id, path]);
    const found = known.get(key) ?? readEntries(assistant, path, ports);
    known.set(key, found);
    return found;
  };
};

/** Returns the names of the entries that are recorded for a file. */
export const namesIn = (entries: readonly ContextEntry[], path: string): readonly string[] =>
  entries.flatMap(one => (isSamePath(one.path, path) ? one.names : []));

const directoriesIn = (entries: readonly ContextEntry[]) => entries.flatMap(({directories = []}) => directories);
