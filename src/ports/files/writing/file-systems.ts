import {fsync} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {promisify} from 'node:util';
import {codeOf} from '../error-code.ts';

/** Error codes of file systems that keep no modes, or sync no directory: FAT, network drives, many in user space. */
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

/** Sets permission bits if the file system has any. */
export const setMode = (file: Pick<FileHandle, 'chmod'>, mode: number): Promise<void> => ifSupported(file.chmod(mode));

/**
 * Flushes written data to disk, if the file system supports that. It uses the file descriptor, because the handles of
 * Yarn's Plug'n'Play have no `sync()`.
 */
export const sync = (
  {fd}: Pick<FileHandle, 'fd'>,
  put: (fd: number) => Promise<void> = promisify(fsync),
): Promise<void> => ifSupported(put(fd));

const ifSupported = (work: Promise<void>): Promise<void> =>
  work.catch(error => {
    if (!isUnsupported(error)) throw error;
  });
