import type {Assistant} from '../../assistants/assistant.ts';
import type {Entries} from '../../assistants/formats/entry-format.ts';
import type {Context, ContextEntry, Scope} from '../../domain/context.ts';
import {tokensAt, withSignedOut} from '../../domain/token-spans.ts';
import type {Ports} from '../../ports/ports.ts';
import {isAbsent, type OpenText, openText} from '../file-contents.ts';
import {holdTokens} from '../held-tokens.ts';
import {confinementOf} from '../project-files.ts';
import {type Ownership, ownershipIn} from './ownership.ts';
import {takeOut} from './take-out.ts';
import {tokenSpansIn} from './token-spans.ts';

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
