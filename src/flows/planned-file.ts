import {isUtf8} from 'node:buffer';
import type {Editor, EntryFormat} from '../assistants/formats/entry-format.ts';
import {sha256} from '../domain/fingerprint.ts';
import type {Secret} from '../domain/secret.ts';
import {tokensAt} from '../domain/token-spans.ts';
import {SetupError} from '../errors/errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {Confinement, TokensInFile} from '../ports/storage.ts';
import type {FileChange} from './flow.ts';
import {holdTokens} from './held-tokens.ts';

/** A file of the plan, and how it will change, if at all. */
export type PlannedFile = {
  readonly path: string;
  /** The absolute path of the file that changes, if `path` is a link to it or lies behind one. */
  readonly leadsTo?: string;
  readonly change: FileChange;
  readonly summary: string;
  /** A unified diff with the secrets replaced; empty for the program's own files. */
  readonly diff: string;
  /** True if it is one of this program’s own files, which stay for as long as any deployment is known. */
  readonly isOwn?: true;
  /** The state of the file when the plan was made: SHA-256 in hex, null for no file. */
  readonly before: string | null;
  /** Exactly the bytes whose diff is shown; absent if another flow writes the file. */
  readonly write?: PlannedWrite;
};

export type PlannedWrite = {
  /** The new contents; null if the file is removed. */
  readonly after: Secret<string | Buffer> | Buffer | null;
  /** Permission bits of a new file; with `tighten`, of an existing one as well. */
  readonly mode: number;
  readonly tighten: boolean;
  /** The positions of our tokens: the copy that is kept for undo leaves them out. */
  readonly tokens: TokensInFile;
  /** The contents after a sign-out, if that does more than replace tokens. */
  readonly signedOut?: Secret;
  /** The directories that are created for the file, or that are removed with it, the innermost first. */
  readonly directories?: readonly string[];
  /** True for an ignore file: it is written before the files that it keeps out of git. */
  readonly isIgnoreFile?: true;
  /** True for a file that an ignore file keeps out of git: it is written only once git ignores it. */
  readonly isKeptOut?: true;
  /**
   * The directory in which the file has to be, even through links. Absent for a file of the person's own, which may be
   * anywhere.
   */
  readonly within?: Confinement;
};

/** The positions for a file without tokens of ours. */
export const noTokens: TokensInFile = {before: [], after: []};

/** How many lines a shown diff may add and remove: people read no more, and the time grows with their square. */
const MOST_LINES = 2_000;

/** Returns the hunks of a unified diff, without its file header. */
export const diffOf = async (before: string, after: string): Promise<string> => {
  const {structuredPatch} = await import('diff');
  const options = {context: 2, maxEditLength: MOST_LINES};
  const patch = structuredPatch('', '', before, after, '', '', options);
  return patch?.hunks.flatMap(({lines}) => lines).join('\n') ?? `… more than ${MOST_LINES} lines differ`;
};

/**
 * Returns the SHA-256 of a file's contents, in hex, which identifies them without keeping them. Null for no file, and
 * for an empty one, which counts as none wherever entries are concerned: nothing in it can be lost, and some assistants
 * treat it as broken.
 */
export const digest = (bytes: Buffer | null): string | null => (isAbsent(bytes) ? null : sha256(bytes));

/** Whether there is no file, or an empty one. */
export const isAbsent = (bytes: Buffer | null | undefined): bytes is null | undefined => !bytes || bytes.length === 0;

/**
 * Returns a file's contents as text. A file that would not be written back as the same bytes is refused.
 *
 * @param path the path of the file, for the error
 * @throws SetupError `local-file-invalid` if the bytes are not UTF-8
 */
export const decodeText = (bytes: Buffer, path: string): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new SetupError('local-file-invalid', `${path} is not a UTF-8 text file.`, {about: {path}});
};

/** An assistant's file in the form in which its editor takes it. */
export type OpenText = {
  readonly editor: Editor;
  /** The text to edit and compare. In a large file, stand-ins replace the large values; `whole` puts them back. */
  readonly text: string;
  /** Returns what to write for a text that the editor made of `text`. */
  readonly whole: (text: string) => string | Buffer;
  /** Returns where a place in such a text is among the bytes that are written for it. */
  readonly placeOf: (text: string, at: number) => number;
};

/** The largest size of a file that is edited whole, in bytes. */
const LARGE = 256 * 1024;

/**
 * Opens a file's contents for its editor.
 *
 * @param bytes undefined for no file
 * @throws SetupError `local-file-invalid` if the bytes are not UTF-8
 */
export const openText = async (format: EntryFormat, bytes: Buffer | undefined, path: string): Promise<OpenText> => {
  const editor = await format.editor();
  if (bytes && bytes.length > LARGE && isUtf8(bytes)) {
    const folded = await format.fold?.(bytes);
    if (folded && reads(editor, folded.text, path))
      return {editor, text: folded.text, whole: folded.unfold, placeOf: folded.placeOf};
  }
  const text = decodeText(bytes ?? Buffer.alloc(0), path);
  return {editor, text, whole: text => text, placeOf: (text, at) => Buffer.byteLength(text.slice(0, at))};
};

/**
 * Whether the folded text can be read. If not, the whole text is opened, because only that has the line number for the
 * error.
 */
const reads = (editor: Editor, text: string, path: string): boolean => {
  try {
    editor.read(text, path);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns a file's contents for showing: texts and comments are hidden. The bulk of a large file is replaced by its
 * size and digest, so that two states of it can be compared.
 */
export const shownText = async (format: EntryFormat, bytes: Buffer): Promise<string> => {
  const name = (part: Buffer) => `${part.length} bytes, ${digest(part)?.slice(0, 8)}`;
  const folded = bytes.length > LARGE ? await format.fold?.(bytes, name) : undefined;
  return (await format.editor()).mask(folded?.text ?? bytes.toString('utf8'), [], [], 'hidden');
};

/** A planned file with its contents: it is written from the plan, and not by another flow. */
export type WritableFile = PlannedFile & {readonly write: PlannedWrite};

/**
 * Returns the bytes of a file, if they are those that the plan was made from; null for no file. A file that is not
 * going to change may have been changed by its owner, but it must still exist.
 *
 * @throws SetupError `local-file-changed`
 */
export const readPlanned = async (
  {path, change, before}: PlannedFile,
  {files}: Pick<Ports, 'files'>,
): Promise<Buffer | null> => {
  const bytes = (await files.read(path))?.bytes ?? null;
  if (before === digest(bytes) || (change === 'unchanged' && !isAbsent(bytes))) return bytes;
  throw new SetupError('local-file-changed', `${path} was changed by another program after you saw the plan.`, {
    about: {path},
  });
};

/**
 * Writes a file as it was planned, to the byte, or removes it. Two setups at once write one after the other, and the
 * second one learns that the file has changed.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`, `local-link-outside`
 */
export const writePlanned = async (
  file: WritableFile,
  {files, ...stores}: Pick<Ports, 'files' | 'config' | 'credentials'>,
): Promise<void> => {
  const {path, write} = file;
  const {after, mode, tighten, signedOut, directories = [], within, tokens} = write;
  const work = async () => {
    const expected = await readPlanned(file, {files});
    if (expected) await holdTokens(path, tokensAt(expected, tokens.before), stores);
    if (after === null) return files.remove(path, {journal: true, tokens: tokens.before, within});
    const bytes = Buffer.isBuffer(after) ? after : after.reveal();
    const options = {mode, tighten, journal: true, tokens, expected, directories, within};
    return files.write(path, bytes, signedOut ? {...options, signedOut: signedOut.reveal()} : options);
  };
  await files.withLock(path, work, {within});
  // Only after the lock is released, because the lock is in the same directory as the file.
  if (after === null) await files.removeEmpty(directories, within);
};
