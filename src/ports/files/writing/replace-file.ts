import {randomBytes} from 'node:crypto';
import {access, constants, type FileHandle, lstat, open, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {Reservation} from '../../storage.ts';
import {codeOf} from '../error-code.ts';
import {copyAttributes} from './attributes.ts';
import {setMode, sync} from './file-systems.ts';
import {removeDeadTemporaries, temporaryName} from './leftovers.ts';
import {directoryModes, makeDirectory} from './make-directory.ts';
import {isMountPoint} from './mount-points.ts';
import {handOver, isSuperuser} from './owner.ts';
import {renameOver} from './rename-over.ts';
import {writeAt, writeInPlace} from './write-in-place.ts';

type Options = {
  /** Permission bits. */
  readonly mode: number;
  /** True for this program's own files, which consist of owner, mode and contents only. */
  readonly own: boolean;
  readonly reserved?: Reservation | undefined;
  readonly restrict?: Restrict | undefined;
};

/** Removes other users' access to a file before it has any contents. */
type Restrict = (path: string) => Promise<unknown>;

/**
 * Gives a file new contents through a temporary file beside it, complete and on disk, and one rename: a reader sees the
 * old file or the new one. Other attributes of the file are kept: owner, group, access list, extended attributes. If
 * they cannot be kept, or if nothing can be renamed there, the contents are written into the existing file.
 */
export const replaceFile = async (
  target: string,
  bytes: Buffer,
  {mode, own, reserved, restrict}: Options,
): Promise<void> => {
  const temporary = reserved ?? (await reserveFile(target, 0, own, restrict));
  try {
    await temporary.write(bytes, mode);
  } catch (error) {
    await temporary.release();
    throw error;
  }
};

/**
 * Whether the existing file itself has to be written: something is mounted on it, it has other names, or nothing can be
 * created beside it.
 *
 * @param own as `replaceFile` takes it
 */
export const isWrittenInPlace = async (target: string, own: boolean): Promise<boolean> => {
  const stats = await lstat(target).catch(() => undefined);
  if (!stats?.isFile()) return false;
  if ((!own && stats.nlink > 1) || (await isMountPoint(target))) return true;
  return (await isClosed(dirname(target))) && !(await isClosed(target));
};

const isClosed = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => false,
    () => true,
  );

/**
 * Creates the temporary file, already as large as its contents may become. The contents are written over that, and so
 * need no further blocks of the disk.
 *
 * @param own as `replaceFile` takes it
 */
export const reserveFile = async (
  target: string,
  size: number,
  own: boolean,
  restrict?: Restrict,
): Promise<Reservation> => {
  const directory = dirname(target);
  makeDirectory(directory, directoryModes.own);
  if (await isWrittenInPlace(target, own)) {
    await access(target, constants.W_OK);
    await restrict?.(target);
    return inPlace(target);
  }
  await removeDeadTemporaries(directory, basename(target));
  const temporary = join(directory, temporaryName(basename(target), randomBytes(4).toString('hex')));
  const handle = await open(temporary, 'wx', 0o600);
  const release = async () => {
    await handle.close().catch(() => undefined);
    await rm(temporary, {force: true}).catch(() => undefined);
  };
  try {
    handOver(temporary);
    await restrict?.(temporary);
    if (size > 0) await fill(handle, size);
  } catch (error) {
    await release();
    throw error;
  }
  return {
    release,
    write: async (bytes, mode) => {
      if (!(await keepsAll({target, temporary, handle, own}))) {
        await release();
        await writeInPlace(target, bytes, mode);
        return;
      }
      // The umask may have removed bits that the file had before.
      await setMode(handle, mode);
      await writeAt(handle, bytes);
      if (size > bytes.length) await handle.truncate(bytes.length);
      await sync(handle);
      await handle.close();
      try {
        await renameOver(temporary, target);
      } catch (error) {
        // Something is mounted on the file, and the system did not say so.
        if (codeOf(error) !== 'EBUSY' || process.platform === 'win32') throw error;
        await writeInPlace(target, bytes, mode);
        await release();
      }
      await syncDirectory(directory);
    },
  };
};

const inPlace = (target: string): Reservation => ({
  release: async () => {},
  write: (bytes, mode) => writeInPlace(target, bytes, mode),
});

type Pair = {
  readonly target: string;
  readonly temporary: string;
  readonly handle: FileHandle;
  readonly own: boolean;
};

/** Whether the temporary file has all attributes of the file that it replaces. */
const keepsAll = async ({target, temporary, handle, own}: Pair): Promise<boolean> => {
  const stats = await lstat(target).catch(() => undefined);
  if (!stats) return true;
  if (!own) return copyAttributes(target, temporary, handle);
  if (isSuperuser() && (await handle.stat()).uid !== stats.uid) await handle.chown(stats.uid, stats.gid);
  return true;
};

/** Fills a file with random bytes, because a file system may allocate no blocks for zeros. */
const fill = async (handle: FileHandle, size: number) => {
  await handle.writeFile(randomBytes(size));
  await sync(handle);
};

/**
 * Flushes the directory: only then is the rename itself on disk. Windows cannot open a directory and does not need
 * this; elsewhere, too, some file systems and directories do not support it. The file is already in place by then.
 */
const syncDirectory = async (directory: string) => {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r').catch(() => undefined);
  if (!handle) return;
  await sync(handle).catch(() => undefined);
  await handle.close();
};
