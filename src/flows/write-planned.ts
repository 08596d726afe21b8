import {tokensAt} from '../domain/token-spans.ts';
import {SetupError} from '../errors/errors.ts';
import type {Ports} from '../ports/ports.ts';
import {digest, isAbsent} from './file-contents.ts';
import {holdTokens} from './held-tokens.ts';
import type {PlannedFile, PlannedWrite} from './planned-file.ts';

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
