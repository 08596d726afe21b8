import {fsync} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {promisify} from 'node:util';
import {codeOf} from '../error-code.ts';

/** What file systems say that keep no modes, or sync no directory: FAT, network drives, many of user space. */
const unsupported: ReadonlySet<unknown> = new Set([
  'EPERM',
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'ENOTTY',
  'EBADF',
  'EISDIR',
]);

export const isUnsupported = (error: unknown): boolean => unsupported.has(codeOf(error));

/** Sets permission bits where the file system has any. */
export const setMode = (file: Pick<FileHandle, 'chmod'>, mode: number): Promise<void> => ifSupported(file.chmod(mode));

/**
 * Puts on the disk what was written, where the file system lets that be asked for. It is asked by the file's number,
 * because the handles of Yarn's Plug'n'Play have no `sync()`.
 */
export const sync = (
  {fd}: Pick<FileHandle, 'fd'>,
  put: (fd: number) => Promise<void> = promisify(fsync),
): Promise<void> => ifSupported(put(fd));

const ifSupported = (work: Promise<void>): Promise<void> =>
  work.catch(error => {
    if (!isUnsupported(error)) throw error;
  });
