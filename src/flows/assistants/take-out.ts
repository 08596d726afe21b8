import type {Assistant} from '../../assistants/assistant.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths.ts';
import {restoreTokens} from '../../domain/token-spans.ts';
import type {Ports} from '../../ports/ports.ts';
import {digest, type OpenText, openText} from '../file-contents.ts';
import {heldTokens} from '../held-tokens.ts';
import type {Ownership} from './ownership.ts';

/** A file with entries of ours. */
type Held = Pick<ContextEntry, 'path' | 'made' | 'replaced'> & {
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
export const takeOut = async (held: Held, ports: Pick<Ports, 'journal' | 'credentials'>): Promise<Left | undefined> => {
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
  {path, assistant, bytes, ours, ownership, contexts}: Held,
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
