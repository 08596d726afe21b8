import type {Assistant} from '../../assistants/assistant.ts';
import type {Entries} from '../../assistants/formats/entry-format.ts';
import type {Context, ContextEntry, Scope} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths.ts';
import {restoreTokens, tokensAt, withSignedOut} from '../../domain/token-spans.ts';
import type {Ports} from '../../ports/ports.ts';
import {heldTokens, holdTokens} from '../held-tokens.ts';
import {digest, isAbsent, type OpenText, openText} from '../planned-file.ts';
import {confinementOf} from '../project-files.ts';
import {tokenSpansIn} from './entry-tokens.ts';
import {type Ownership, ownershipIn} from './ownership.ts';

/** A file with entries of ours. */
type TakenFrom = Pick<ContextEntry, 'path' | 'made' | 'replaced'> & {
  readonly assistant: Assistant;
  readonly bytes: Buffer;
  readonly open: OpenText;
  /** The names of the entries that are ours and are to be removed. */
  readonly ours: readonly string[];
  readonly ownership: Ownership;
  readonly contexts: readonly Context[];
};

/** A file after the removal: the bytes to write, and the same as text. */
export type Left = {readonly text: string; readonly bytes: Buffer};

/**
 * Returns a file without our entries. An entry that ours replaced is restored from the journal. If nothing else has
 * changed in the file since, every byte is restored.
 *
 * @returns undefined if nothing changes
 */
export const takeOut = async (
  held: TakenFrom,
  ports: Pick<Ports, 'journal' | 'credentials'>,
): Promise<Left | undefined> => {
  const {open, ours, path, made, replaced = []} = held;
  const {editor, text, whole} = open;
  if (ours.length === 0) return undefined;
  const former = await findReplaced(
    held,
    ours.filter(name => replaced.includes(name)),
    ports,
  );
  if (former.exact) return {text: former.exact.toString('utf8'), bytes: former.exact};
  const back = Object.fromEntries(former.entries);
  const gone = ours.filter(name => !Object.hasOwn(back, name));
  const restored = editor.set(text, back, path);
  const after = gone.length > 0 ? editor.remove(restored, gone, path, made) : restored;
  return after === text ? undefined : {text: after, bytes: Buffer.from(whole(after))};
};

type Former = {
  readonly entries: readonly (readonly [string, object])[];
  /** The bytes that the file had before our entries, if it is still as this program wrote it. */
  readonly exact?: Buffer;
};

/** Finds the entries that ours replaced. An entry whose copy is gone or cannot be read is not restored. */
const findReplaced = async (
  {path, assistant, bytes, ours, ownership, contexts}: TakenFrom,
  names: readonly string[],
  {journal, credentials}: Pick<Ports, 'journal' | 'credentials'>,
): Promise<Former> => {
  if (names.length === 0) return {entries: []};
  const tokenOf = await heldTokens(contexts, {credentials});
  const now = digest(bytes);
  const found = new Map<string, object>();
  for (const entry of (await journal.list()).toReversed()) {
    const {before} = entry;
    if (!before || !isSamePath(entry.link ?? entry.path, path)) continue;
    const old = await journal.read(before).catch(() => undefined);
    if (!old) continue;
    const former = restoreTokens(old, before.cuts ?? [], tokenOf);
    const present = await entriesIn(former, path, assistant);
    const foreign = Object.keys(present).filter(
      name => ours.includes(name) && !ownership.isOurs({name, entry: present[name]}, assistant),
    );
    const isUnchanged = now !== null && (now === entry.after || now === entry.signedOut);
    const hasOurs = ours.some(name => present[name] !== undefined && !foreign.includes(name));
    if (isUnchanged && !hasOurs && names.every(name => foreign.includes(name))) return {entries: [], exact: former};
    for (const name of foreign) {
      const value = present[name];
      if (names.includes(name) && !found.has(name) && typeof value === 'object' && value !== null)
        found.set(name, value);
    }
  }
  return {entries: [...found]};
};

const entriesIn = async (
  bytes: Buffer,
  path: string,
  {format}: Assistant,
): Promise<Readonly<Record<string, unknown>>> => {
  try {
    const {editor, text} = await openText(format, bytes, path);
    return editor.read(text, path);
  } catch {
    return {};
  }
};

type Held = {
  readonly assistant: Assistant;
  readonly scope: Scope;
  /** The directory of the project that the person was in, absolute. */
  readonly project: string;
  readonly path: string;
  /** The names of our entries. */
  readonly names: readonly string[];
  /** The context of the entries, if the config may no longer contain it. */
  readonly context?: Context;
};

/** The result of an edit. */
export type Edited = {
  readonly isChanged: boolean;
  /** The entries that the person has made their own, and that were left alone. */
  readonly left: readonly string[];
};

/**
 * Replaces every token of ours with the placeholder of a sign-out, and keeps every other byte, so that the next sign-in
 * only has to put a new token in.
 */
export const clearTokens = async (held: Held, ports: Ports): Promise<Edited> => {
  if (!held.assistant.entry.header) return unchanged;
  return edit({...held, isSignOut: true}, ports, async ({bytes, open, present, ours}) => {
    const spans = tokenSpansIn(open, {text: open.text, entries: present, names: ours}, held.assistant);
    return spans.length === 0 ? undefined : withSignedOut(bytes, spans);
  });
};

/**
 * Removes the entries that are ours, with what was made for them, including the file itself. Restores what they
 * replaced.
 */
export const removeEntries = async (
  held: Held & Pick<ContextEntry, 'made' | 'created' | 'replaced'>,
  ports: Ports,
): Promise<Edited> =>
  edit(
    {...held, created: held.created === true},
    ports,
    async opened => (await takeOut({...held, ...opened}, ports))?.bytes,
  );

const unchanged: Edited = {isChanged: false, left: []};

type Opened = {
  readonly bytes: Buffer;
  readonly open: OpenText;
  readonly present: Entries;
  /** The names of the existing entries that are ours. */
  readonly ours: readonly string[];
  readonly ownership: Ownership;
  readonly contexts: readonly Context[];
};

/** Returns the new bytes of a file; undefined if nothing changes. */
type Change = (opened: Opened) => Promise<Buffer | undefined>;

type Editing = Held & {
  /** Whether the file was created for the entries. */
  readonly created?: boolean;
  readonly isSignOut?: true;
};

const edit = async (editing: Editing, ports: Ports, change: Change): Promise<Edited> => {
  const {files} = ports;
  // If a killed process has left a lock beside a file that is gone, the lock has to go with the directory that was made
  // for the file.
  if (!(await files.exists(editing.path)) && !(await files.isLocked(editing.path))) return unchanged;
  const within = confinementOf(editing);
  return files.withLock(editing.path, () => editUnderLock(editing, ports, change), {within});
};

const editUnderLock = async (
  {assistant, path, names, context, created = false, isSignOut, ...entry}: Editing,
  {files, config, credentials}: Ports,
  change: Change,
): Promise<Edited> => {
  const within = confinementOf(entry);
  const contents = await files.read(path);
  if (!contents) return unchanged;
  const open = await openText(assistant.format, contents.bytes, path);
  const present = open.editor.read(open.text, path);
  const {contexts} = await config.read();
  const ownership = ownershipIn(context ? [...contexts, context] : contexts, path);
  const there = names.filter(name => present[name] !== undefined);
  const ours = there.filter(name => ownership.isOurs({name, entry: present[name]}, assistant));
  const left = there.filter(name => !ours.includes(name));
  const changed = await change({bytes: contents.bytes, open, present, ours, ownership, contexts});
  // Removes what a killed writer has left of a file that was created for our entries.
  if (created && isAbsent(contents.bytes)) await files.remove(path, {within});
  if (!changed) return {isChanged: false, left};
  const known = Object.keys(present).filter(name => ownership.isOurs({name, entry: present[name]}, assistant));
  const before = tokenSpansIn(open, {text: open.text, entries: present, names: known}, assistant);
  await holdTokens(path, tokensAt(contents.bytes, before), {config, credentials});
  // A file that was created for our entries is removed if it contains nothing without them. So is a file without a
  // byte, even if this program did not create it: some assistants treat an empty file as broken.
  if (changed.length === 0 || (created && changed.toString('utf8').trim() === '')) {
    await files.remove(path, {journal: true, tokens: before, within});
    return {isChanged: true, left};
  }
  const after = await spansAfter(changed, {assistant, path, ownership});
  await files.write(path, changed, {
    ...{mode: 0o600, tighten: before.length > 0, journal: true, expected: contents.bytes, within},
    ...{tokens: {before, after}, ...(isSignOut ? {isSignOut} : {})},
  });
  return {isChanged: true, left};
};

/** Returns the positions of the tokens that stay, which belong to other contexts. */
const spansAfter = async (
  after: Buffer,
  {assistant, path, ownership}: Pick<Held, 'assistant' | 'path'> & {readonly ownership: Ownership},
) => {
  const open = await openText(assistant.format, after, path);
  const entries = open.editor.read(open.text, path);
  const names = Object.keys(entries).filter(name => ownership.isOurs({name, entry: entries[name]}, assistant));
  return tokenSpansIn(open, {text: open.text, entries, names}, assistant);
};
