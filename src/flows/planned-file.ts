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

/** A file that will change, and how. */
export type PlannedFile = {
  readonly path: string;
  /** Which file changes, absolute, where `path` is a link to it or lies behind one. */
  readonly leadsTo?: string;
  readonly change: FileChange;
  readonly summary: string;
  /** Unified diff, secrets replaced; empty for files of the program's own. */
  readonly diff: string;
  /** Whether it is one of this program’s own, which stays as long as anything is known of a deployment. */
  readonly isOwn?: true;
  /** What was found when the plan was made; SHA-256 in hex, null for no file. */
  readonly before: string | null;
  /** The very bytes of which the diff is shown; absent where another flow writes the file. */
  readonly write?: PlannedWrite;
};

export type PlannedWrite = {
  /** What it will hold; null where it goes. */
  readonly after: Secret<string | Buffer> | Buffer | null;
  /** Permission bits: of a new file, or with `tighten` of one that is there as well. */
  readonly mode: number;
  readonly tighten: boolean;
  /** Where tokens of ours stand: the copy that is kept for undo leaves them out. */
  readonly tokens: TokensInFile;
  /** What a sign-out makes of it, where that is more than to put something in the place of tokens. */
  readonly signedOut?: Secret;
  /** The directories that are made for it, or were and go with it, the innermost first. */
  readonly directories?: readonly string[];
  /** Set for a file that keeps others out of git: it is there before they are. */
  readonly isIgnoreFile?: true;
  /** Set for a file that such a one keeps out: it is written only once that is so. */
  readonly isKeptOut?: true;
  /** Where it has to be, by links as well: absent for a file of the person's own, which may lie anywhere. */
  readonly within?: Confinement;
};

/** For a file without tokens of ours. */
export const noTokens: TokensInFile = {before: [], after: []};

/** How many lines may be added and removed in a diff that is shown: nobody reads more, and it takes their square in time. */
const MOST_LINES = 2_000;

/** The hunks of a unified diff, without its file header. */
export const diffOf = async (before: string, after: string): Promise<string> => {
  const {structuredPatch} = await import('diff');
  const options = {context: 2, maxEditLength: MOST_LINES};
  const patch = structuredPatch('', '', before, after, '', '', options);
  return patch?.hunks.flatMap(({lines}) => lines).join('\n') ?? `… more than ${MOST_LINES} lines differ`;
};

/**
 * The SHA-256 of a file's contents, in hex: names them without keeping them. Null for no file, and for an empty one, which
 * counts as none wherever entries are concerned: nothing in it can be lost, and some clients take it for a broken file.
 */
export const digest = (bytes: Buffer | null): string | null => (isAbsent(bytes) ? null : sha256(bytes));

/** Whether there is no file, or one with nothing in it. */
export const isAbsent = (bytes: Buffer | null | undefined): bytes is null | undefined => !bytes || bytes.length === 0;

/**
 * A file's contents as text. What would not come back as the same bytes is not touched.
 *
 * @param path the file's, for the error
 * @throws SetupError `local-file-invalid` for bytes that are not UTF-8
 */
export const decodeText = (bytes: Buffer, path: string): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new SetupError('local-file-invalid', `${path} is not a UTF-8 text file.`, {about: {path}});
};

/** An assistant's file as its editor takes it. */
export type OpenText = {
  readonly editor: Editor;
  /** Of a large file without its bulk: to be edited and compared, and not to be written. */
  readonly text: string;
  /** What is written for a text that the editor made of `text`. */
  readonly whole: (text: string) => string | Buffer;
  /** Where a place in such a text is among the bytes that are written for it. */
  readonly placeOf: (text: string, at: number) => number;
};

/** Up to what size a file is edited whole, in bytes. */
const LARGE = 256 * 1024;

/**
 * Opens a file's contents for its editor.
 *
 * @param bytes undefined for no file
 * @throws SetupError `local-file-invalid` for bytes that are not UTF-8
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

/** What is wrong with a file is told with its line, which only the whole of it has. */
const reads = (editor: Editor, text: string, path: string): boolean => {
  try {
    editor.read(text, path);
    return true;
  } catch {
    return false;
  }
};

/**
 * A file's contents for showing: texts and comments are hidden. What a large file has too much of is named by its size and
 * digest, so that two states of it can be compared.
 */
export const shownText = async (format: EntryFormat, bytes: Buffer): Promise<string> => {
  const name = (part: Buffer) => `${part.length} bytes, ${digest(part)?.slice(0, 8)}`;
  const folded = bytes.length > LARGE ? await format.fold?.(bytes, name) : undefined;
  return (await format.editor()).mask(folded?.text ?? bytes.toString('utf8'), [], [], 'hidden');
};

/** A file that the flow which planned it writes as well. */
export type WritableFile = PlannedFile & {readonly write: PlannedWrite};

/**
 * The bytes of a file, if they are those that the plan was made from; null for no file. A file that is not going to change
 * may have been changed by its owner, but it has to be there still.
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
 * second is told that the file has changed.
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
  // The lock lies beside the file.
  if (after === null) await files.removeEmpty(directories, within);
};
