import type {FileHandle} from 'node:fs/promises';
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

/** Puts on the disk what was written, where the file system lets that be asked for. */
export const sync = (file: Pick<FileHandle, 'sync'>): Promise<void> => ifSupported(file.sync());

const ifSupported = (work: Promise<void>): Promise<void> =>
  work.catch(error => {
    if (!isUnsupported(error)) throw error;
  });
