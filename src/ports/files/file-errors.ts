import {SetupError} from '../../errors/errors.ts';

/** The system's name for what went wrong. */
export const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

export const readFailure = (path: string, error: unknown) =>
  codeOf(error) === 'EISDIR'
    ? new SetupError('local-file-invalid', `${path} is a directory, not a file.`, {cause: error, about: {path}})
    : new SetupError('local-read-failed', `${path} cannot be read (${codeOf(error) ?? 'unknown'}).`, {
        cause: error,
        about: {path},
      });

const writeReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is not a directory',
};

/** @param existed whether there was a file, which is intact then */
export const writeFailure = (path: string, error: unknown, existed = false) => {
  const code = codeOf(error);
  // What no file system said is a fault of ours, and is not to be dressed up as one of the disk.
  if (error instanceof SetupError || typeof code !== 'string') return error;
  const reason = writeReasons[code] ?? code;
  const intact = existed ? ' What was there is intact.' : '';
  return new SetupError('local-write-failed', `${path} was not written: ${reason}.${intact}`, {
    cause: error,
    about: {path},
  });
};
