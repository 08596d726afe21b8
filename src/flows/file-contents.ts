import {isUtf8} from 'node:buffer';
import type {Editor, EntryFormat} from '../assistants/formats/entry-format.ts';
import {sha256} from '../domain/fingerprint.ts';
import {SetupError} from '../errors/errors.ts';

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
