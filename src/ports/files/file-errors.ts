import {existsSync} from 'node:fs';
import {dirname} from 'node:path';
import {localRows} from '../../errors/error-table-local.ts';
import {SetupError} from '../../errors/errors.ts';
import {limitIn} from '../../errors/system-limit.ts';
import {codeOf} from './error-code.ts';
import {UnfitFile, whyUnread} from './regular-file.ts';

/** @returns `local-file-invalid` for what is no file or too large, else `local-read-failed` */
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

/** No permission helps where a limit of the system's is reached. */
const remedyFor = (error: unknown) =>
  limitIn(error) === undefined ? {} : {remedy: localRows['local-limit-reached'].remedy};

/** Why a write failed, in words, by the system's name for that. */
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

/** What makes a write possible that was denied. The directory is named that is there, which may be far above. */
const allowWriting = (path: string): string => {
  let directory = dirname(path);
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory);
  return `Allow writing in ${directory} (its permissions, or its owner), then try again.`;
};

/** @param existed whether there was a file, which is intact then */
export const writeFailure = (path: string, error: unknown, existed = false) => {
  if (error instanceof UnfitFile) return readFailure(path, error);
  const code = codeOf(error);
  // What no file system said is a fault of ours, and is not to be dressed up as one of the disk.
  if (error instanceof SetupError || typeof code !== 'string') return error;
  const reason = writeReasons[code] ?? code;
  const intact = existed ? ' What was there is intact.' : '';
  return new SetupError('local-write-failed', `${path} was not written: ${reason}.${intact}`, {
    cause: error,
    ...(isDenied(code) ? {remedy: allowWriting(path)} : remedyFor(error)),
    about: {path},
  });
};
