import type {Assistant} from '../../assistants/assistant.ts';
import type {Entries} from '../../assistants/formats/entry-format.ts';
import type {Context, ContextEntry, Scope} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths.ts';
import {restoreTokens, tokensAt, withSignedOut} from '../../domain/token-spans.ts';
import type {Ports} from '../../ports/ports.ts';
import {heldTokens, holdTokens} from '../held-tokens.ts';
import {digest, isAbsent, type OpenText, openText} from '../planned-file.ts';
import {confinementOf} from '../project-files.ts';
import {type Ownership, ownershipIn} from './ownership.ts';
import {tokenSpansIn} from './token-spans.ts';

/** A file with entries of ours. */
type TakenFrom = Pick<ContextEntry, 'path' | 'made' | 'replaced'> & {
  readonly assistant: Assistant;
  readonly bytes: Buffer;
  readonly open: OpenText;
  /** The names of those that are ours and go. */
  readonly ours: readonly string[];
  readonly ownership: Ownership;
  readonly contexts: readonly Context[];
};

/** What is left of a file: the bytes to write, and its text as it was opened. */
export type Left = {readonly text: string; readonly bytes: Buffer};

/**
 * A file without our entries. In the place of one that replaced another, that one comes back, as the journal has it; where
 * nothing else was done to the file since, so does every byte.
 *
 * @returns undefined where nothing changes
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
  const given = editor.set(text, back, path);
  const after = gone.length > 0 ? editor.remove(given, gone, path, made) : given;
  return after === text ? undefined : {text: after, bytes: Buffer.from(whole(after))};
};

type Former = {
  readonly entries: readonly (readonly [string, object])[];
  /** The bytes of the file from before our entries, where it is as it was written then. */
  readonly exact?: Buffer;
};

/** The entries that ours replaced. One whose copy is gone or does not read is not given back. */
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
  /** The context that they are of, where it may not be saved any more. */
  readonly context?: Context;
};

/** What came of an edit. */
export type Edited = {
  readonly isChanged: boolean;
  /** The entries that became the person's, and were left alone. */
  readonly left: readonly string[];
};

/**
 * Puts what a sign-out leaves in the place of every token of ours, and leaves every other byte as it is, so that the next
 * sign-in only has to put a new one in.
 */
export const clearTokens = async (held: Held, ports: Ports): Promise<Edited> => {
  if (!held.assistant.entry.header) return unchanged;
  return edit({...held, isSignOut: true}, ports, async ({bytes, open, present, ours}) => {
    const spans = tokenSpansIn(open, {text: open.text, entries: present, names: ours}, held.assistant);
    return spans.length === 0 ? undefined : withSignedOut(bytes, spans);
  });
};

/**
 * Takes the entries that are ours away, with what was made for them, the file itself included. What they replaced comes
 * back.
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
  /** The names of the entries that are there and ours. */
  readonly ours: readonly string[];
  readonly ownership: Ownership;
  readonly contexts: readonly Context[];
};

/** The bytes of a file afterwards; undefined where nothing changes. */
type Change = (opened: Opened) => Promise<Buffer | undefined>;

type Editing = Held & {
  /** Whether the file was made for the entries. */
  readonly created?: boolean;
  readonly isSignOut?: true;
};

const edit = async (editing: Editing, ports: Ports, change: Change): Promise<Edited> => {
  const {files} = ports;
  // A lock that a killed process has left beside a file that is gone goes with the directory that was made for that.
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
  // What a killed writer has left of a file that was made for our entries.
  if (created && isAbsent(contents.bytes)) await files.remove(path, {within});
  if (!changed) return {isChanged: false, left};
  const known = Object.keys(present).filter(name => ownership.isOurs({name, entry: present[name]}, assistant));
  const before = tokenSpansIn(open, {text: open.text, entries: present, names: known}, assistant);
  await holdTokens(path, tokensAt(contents.bytes, before), {config, credentials});
  // A file that was made for our entries, and holds nothing without them, is not left behind; nor is one without a byte,
  // whoever made it: some clients take an empty file for a broken one.
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

/** Where tokens of other contexts stay. */
const spansAfter = async (
  after: Buffer,
  {assistant, path, ownership}: Pick<Held, 'assistant' | 'path'> & {readonly ownership: Ownership},
) => {
  const open = await openText(assistant.format, after, path);
  const entries = open.editor.read(open.text, path);
  const names = Object.keys(entries).filter(name => ownership.isOurs({name, entry: entries[name]}, assistant));
  return tokenSpansIn(open, {text: open.text, entries, names}, assistant);
};
