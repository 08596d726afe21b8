import {existsSync} from 'node:fs';
import {dirname} from 'node:path';
import {SetupError} from '../../errors/errors.ts';
import {LIMIT_REMEDY, limitIn} from '../../errors/system-limit.ts';
import {codeOf} from './error-code.ts';
import {UnfitFile, whyUnread} from './regular-file.ts';

/**
 * Converts the error of a failed read.
 *
 * @returns `local-file-invalid` if it is not a file or too large, otherwise `local-read-failed`
 */
export const readFailure = (path: string, error: unknown): SetupError => {
  if (error instanceof UnfitFile) {
    const {message, remedy} = error;
    return new SetupError('local-file-invalid', message, {cause: error, remedy, about: {path}});
  }
  const code = String(codeOf(error) ?? 'unknown');
  const why =
    code === 'ENOENT'
      ? `: ${whyUnread(error)}`
      : limitIn(error) === undefined
        ? ` (${code})`
        : `: ${writeReasons[code] ?? code}`;
  return new SetupError('local-read-failed', `${path} cannot be read${why}.`, {
    cause: error,
    ...remedyFor(error),
    about: {path},
  });
};

/** Returns the remedy if a limit of the system is the cause: other permissions would not help. */
const remedyFor = (error: unknown) => (limitIn(error) === undefined ? {} : {remedy: LIMIT_REMEDY});

/** Reasons for a failed write, in words, by the system's code. */
export const writeReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is not a directory',
  ELOOP: 'its links lead in a circle',
  EBUSY: 'it is in use by the system or by another program',
  EMFILE: 'this process has too many files open (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  ENOMEM: 'this machine is out of memory',
};

const isDenied = (code: string): boolean => code === 'EACCES' || code === 'EPERM';

/**
 * Returns the remedy for a write that was denied. It names the nearest directory that exists, which may be far above.
 */
const allowWriting = (path: string): string => {
  let directory = dirname(path);
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory);
  return `Allow writing in ${directory} (its permissions, or its owner), then try again.`;
};

/**
 * Converts the error of a failed write.
 *
 * @param existed true if there was a file, which is then intact
 */
export const writeFailure = (path: string, error: unknown, existed = false) => {
  if (error instanceof UnfitFile) return readFailure(path, error);
  const code = codeOf(error);
  // An error without a system code is a fault of this program, and must not look like one of the disk.
  if (error instanceof SetupError || typeof code !== 'string') return error;
  const reason = writeReasons[code] ?? code;
  const intact = existed ? ' The old file is intact.' : '';
  return new SetupError('local-write-failed', `${path} was not written: ${reason}.${intact}`, {
    cause: error,
    ...(isDenied(code) ? {remedy: allowWriting(path)} : remedyFor(error)),
    about: {path},
  });
};
