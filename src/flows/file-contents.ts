import {createHash} from 'node:crypto';
import {SetupError} from '../errors/errors.ts';

/** The SHA-256 of a file's contents, in hex: names them without keeping them. Null for no file. */
export const digest = (bytes: Buffer | null): string | null =>
  bytes === null ? null : createHash('sha256').update(bytes).digest('hex');

/**
 * A file's contents as text. What would not come back as the same bytes is not touched.
 *
 * @param path the file's, for the error
 * @throws SetupError `local-file-invalid` for bytes that are not UTF-8
 */
export const decodeText = (bytes: Buffer, path: string): string => {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  throw new SetupError('local-file-invalid', `${path} is not a UTF-8 text file.`, {about: {path}});
};
