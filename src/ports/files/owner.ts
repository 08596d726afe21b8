import {chownSync, fsync, lstatSync, mkdirSync, readlinkSync, type Stats, statSync} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {promisify} from 'node:util';
import {codeOf} from './error-code.ts';

/**
 * Gives a new file to the owner of its directory if the superuser has created it: under `sudo -E` the home is still the
 * person's, and so is everything in it.
 *
 * @throws the file system's own error if it keeps owners and does not allow setting them
 */
export const handOver = (path: string): void => {
  if (!isSuperuser()) return;
  const [above, own] = [statSync(dirname(path)), lstatSync(path)];
  if (own.uid === above.uid) return;
  // A directory with the set-group-ID bit has already passed on its group.
  const isInherited = (above.mode & SETGID) !== 0;
  try {
    chownSync(path, above.uid, isInherited ? own.gid : above.gid);
  } catch (error) {
    // Inside a container, an owner outside its user namespace cannot be named (user_namespaces(7)).
    if (codeOf(error) !== 'EINVAL') throw error;
  }
};

const SETGID = 0o2000;

export const isSuperuser = (): boolean => process.geteuid?.() === 0;

/** Whether files that the superuser creates in this directory are given to its owner. */
export const isAnothers = (directory: string): boolean => isSuperuser() && statSync(directory).uid !== 0;

/** Whether a file belongs to another user, who would lose it if it were replaced. */
export const belongsToAnother = ({uid}: Pick<Stats, 'uid'>): boolean =>
  process.geteuid !== undefined && !isSuperuser() && uid !== process.geteuid();

/** Permission bits of a new directory by its purpose: whatever the umask, other users cannot write to it. */
export const directoryModes = {own: 0o700, shared: 0o755} as const;

/**
 * Creates a directory and its missing parents, each with the owner of the directory that contains it. A link whose
 * target does not exist yet is followed.
 *
 * @param mode of each directory that is created; the umask may remove bits
 * @throws the file system's own error; `ENOTDIR` if something else is in the way
 */
export const makeDirectory = (path: string, mode: number): void => {
  if (isDirectory(path)) return;
  makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, {mode});
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Another process was faster, or it is a link whose target does not exist.
    if (!isDirectory(path)) makeDirectory(resolve(dirname(path), readlinkSync(path)), mode);
    return;
  }
  handOver(path);
};

const isDirectory = (path: string): boolean => {
  try {
    if (statSync(path).isDirectory()) return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, ${path}`), {code: 'ENOTDIR'});
};

/**
 * Error codes of file systems that keep no modes, or sync no directory: FAT, network drives, and many that run in user
 * space (FUSE).
 */
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
