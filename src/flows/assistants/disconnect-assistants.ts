import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {isSamePath, pathKey} from '../../domain/paths.ts';
import {Secret} from '../../domain/secret.ts';
import type {Ports} from '../../ports/ports.ts';
import {whileNobodyWrites} from '../entries-lock.ts';
import type {Flow} from '../flow.ts';
import {diffOf, digest, openText, type PlannedFile} from '../planned-file.ts';
import {confinementOf, linkTargetOf} from '../project-files.ts';
import {removeEntries, takeOut} from './edit-entries.ts';
import {releaseIgnored} from './ignore-lines.ts';
import {followMoved} from './moved-entries.ts';
import {leftAlone, ownershipIn} from './ownership.ts';
import {tokensAround} from './token-spans.ts';

/** An assistant to disconnect, with its entries in one file. */
export type Disconnection = {readonly assistant: Assistant; readonly entry: ContextEntry};

export type Disconnections = {
  readonly files: readonly PlannedFile[];
  /** The entries whose file has nothing of ours left, or that stay for another assistant. */
  readonly leaving: readonly ContextEntry[];
};

type Disconnecting = {
  readonly disconnecting: readonly Disconnection[];
  /** The paths in which entries stay, because another assistant reads the same file. */
  readonly staying: readonly string[];
  /** All contexts, with the current places of their entries. */
  readonly contexts: readonly Context[];
};

/**
 * Plans the files from which entries are removed, as they will be.
 *
 * @throws SetupError `local-file-invalid` if a file cannot be edited safely
 */
export const planDisconnections = async (
  {disconnecting, staying, contexts}: Disconnecting,
  ports: Ports,
): Promise<Disconnections> => {
  const groups = Map.groupBy(disconnecting, ({entry}) => pathKey(entry.path));
  const planned = await Promise.all(
    [...groups.values()].map(async group => {
      const leaving = group.map(({entry}) => entry);
      if (leaving.some(({path}) => isAmong(path, staying))) return {leaving};
      const found = await Promise.all(group.map(one => without(one, contexts, ports)));
      const file = await describe(group, found[0], ports);
      // An entry that the person has made their own may still contain a token.
      return {file, leaving: leaving.filter((_, index) => !found[index]?.left.length)};
    }),
  );
  return {files: planned.flatMap(({file}) => file ?? []), leaving: planned.flatMap(({leaving}) => leaving)};
};

/** Checks that the files can be edited, and plans nothing. @throws SetupError as `planDisconnections` does */
export const checkDisconnections = async (
  {disconnecting, staying, contexts}: Disconnecting,
  ports: Ports,
): Promise<void> => {
  await Promise.all(
    disconnecting.map(one => (isAmong(one.entry.path, staying) ? undefined : without(one, contexts, ports))),
  );
};

/**
 * Returns a file's text before and after, and the entries that are the person's own now; undefined if there is no file.
 */
const without = async ({assistant, entry}: Disconnection, contexts: readonly Context[], ports: Ports) => {
  const {files} = ports;
  const {path, names} = entry;
  const within = confinementOf(entry);
  await files.targetOf(path, within);
  const contents = await files.read(path);
  if (!contents) return undefined;
  await files.check(path, {within});
  const open = await openText(assistant.format, contents.bytes, path);
  const {editor, text} = open;
  const present = editor.read(text, path);
  const ownership = ownershipIn(contexts, path);
  const there = names.filter(name => present[name] !== undefined);
  const ours = there.filter(name => ownership.isOurs({name, entry: present[name]}, assistant));
  const left = there.filter(name => !ours.includes(name));
  const {bytes} = contents;
  const after = await takeOut({...entry, assistant, bytes, open, ours, ownership, contexts}, ports);
  const tokens = after && tokensAround(open, {present, after: after.text, removed: ours}, assistant, ownership);
  return {editor, bytes, text, left, ours, ...(tokens ? {changed: {after, tokens}} : {})};
};

const isAmong = (path: string, staying: readonly string[]): boolean => staying.some(one => isSamePath(one, path));

const describe = async (
  group: readonly Disconnection[],
  found: Awaited<ReturnType<typeof without>>,
  ports: Ports,
): Promise<PlannedFile | undefined> => {
  const [first] = group;
  if (!first || !found?.changed) return undefined;
  const {entry} = first;
  const {path} = entry;
  const {shown} = first.assistant.entry;
  const {editor, bytes, text, ours: gone} = found;
  const {after: left, tokens} = found.changed;
  const {text: after} = left;
  const isGone = after === '' || (entry.created === true && after.trim() === '');
  const readers = group.map(({assistant: {name}}) => name).join(', ');
  const {directories = []} = entry;
  const within = confinementOf(entry);
  const leadsTo = within ? await linkTargetOf(path, within.root, ports.files) : undefined;
  return {
    path,
    ...(leadsTo === undefined ? {} : {leadsTo}),
    change: isGone ? 'removed' : 'changed',
    summary: `removes ${gone.length === 1 ? 'one entry' : `${gone.length} entries`} of ${readers}`,
    diff: await diffOf(editor.mask(text, gone, shown), isGone ? '' : editor.mask(after, [], [])),
    before: digest(bytes),
    write: {
      after: isGone ? null : new Secret(left.bytes),
      mode: 0o600,
      tighten: tokens.before.length > 0,
      tokens,
      directories,
      ...(within ? {within} : {}),
    },
  };
};

export type Disconnected = {
  readonly assistant: string;
  readonly path: string;
  /**
   * `shared`: the entries stay, because another connected assistant reads the same file. `absent`: they were already
   * gone. `left`: the person has made them their own.
   */
  readonly outcome: 'removed' | 'absent' | 'shared' | 'left';
  /** The entries that stay because the person has made them their own. */
  readonly left?: readonly string[];
  /** The ignore file from which the line was removed that kept the file out of git. */
  readonly ignoreFile?: string;
};

type Input = {
  readonly context: Context;
  readonly assistants: readonly Assistant[];
  /** Selects those of the context's entries that are to be removed. */
  readonly chosen: (entry: ContextEntry) => boolean;
  /** Where the assistants look for their files. If it is given, entries are also found in a file that was moved. */
  readonly place?: Place;
};

/**
 * Removes a context's entries from the files of assistants, with everything that was made for them, and forgets them.
 * If nothing else has changed a file since it was connected, it is then the same as before, to the byte. Undo puts the
 * entries in again. If one of the files cannot be edited, none is.
 *
 * @throws SetupError `local-file-invalid`, `local-write-failed`, `local-locked`, `local-link-outside`
 */
export const disconnectAssistants: Flow<Input, readonly Disconnected[]> = async (input, run) => {
  // If there is nothing to remove, the lock is not waited for.
  if (!input.context.entries?.some(input.chosen)) return [];
  return await whileNobodyWrites(run, held => disconnect(input, held));
};

const disconnect: Flow<Input, readonly Disconnected[]> = async ({context, assistants, chosen, place}, run) => {
  const {ports, signal, tell} = run;
  if (place) await followMoved(context.name, {assistants, place}, ports);
  const results: Disconnected[] = [];
  const gone: ContextEntry[] = [];
  // Another process may have made other entries, and other files for them, since the context was read.
  const {contexts} = await ports.config.read();
  const known = contexts.find(({name}) => name === context.name)?.entries ?? [];
  const entries = known.filter(chosen);
  // A file that another assistant shares keeps the entries until the last of them is disconnected.
  const shared = known.flatMap(one => (entries.includes(one) ? [] : one.path));
  // A file that cannot be edited is found before any file is changed.
  const disconnecting = entries.flatMap(entry => {
    const assistant = assistants.find(({id}) => id === entry.assistant);
    return assistant ? [{assistant, entry}] : [];
  });
  await checkDisconnections({disconnecting, staying: shared, contexts}, ports);
  try {
    for (const entry of entries) {
      signal.throwIfAborted();
      const assistant = assistants.find(({id}) => id === entry.assistant);
      const isShared = shared.some(path => isSamePath(path, entry.path));
      const edited = assistant && !isShared ? await removeEntries({...entry, assistant}, ports) : undefined;
      const {isChanged: removed = false, left = []} = edited ?? {};
      // An entry that the person has made their own may still contain a token.
      const ignoreFile =
        left.length === 0 ? await releaseIgnored(entry, {context: context.name, gone}, ports) : undefined;
      gone.push(entry);
      if (!isShared) await ports.files.removeEmpty(entry.directories ?? [], confinementOf(entry));
      const outcome = removed ? 'removed' : isShared ? 'shared' : left.length > 0 ? 'left' : 'absent';
      results.push({
        ...{assistant: assistant?.name ?? entry.assistant, path: entry.path, outcome},
        ...(left.length > 0 ? {left} : {}),
        ...(ignoreFile === undefined ? {} : {ignoreFile}),
      });
      if (left.length > 0) tell({type: 'warning', message: `${leftAlone(entry.path, left)}.`});
      if (removed) tell({type: 'file-written', path: entry.path, change: 'changed'});
      if (ignoreFile !== undefined) tell({type: 'file-written', path: ignoreFile, change: 'changed'});
    }
  } finally {
    // Nothing is written if nothing changed: otherwise there would be a run for undo that reverts nothing.
    if (gone.length > 0) await forget(context.name, gone, ports);
  }
  return results;
};

const forget = (context: string, gone: readonly ContextEntry[], {config}: Ports): Promise<void> => {
  const isGone = (one: ContextEntry) =>
    gone.some(({assistant, path}) => assistant === one.assistant && isSamePath(path, one.path));
  return config.saveEntries(context, known => known.filter(one => !isGone(one)));
};
