import {randomBytes} from 'node:crypto';
import {type FileHandle, mkdir, open, rename, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {Reservation} from '../storage.ts';
import {removeDeadTemporaries, temporaryName} from './leftovers.ts';

type Options = {
  /** Permission bits. */
  readonly mode: number;
  readonly reserved?: Reservation | undefined;
};

/**
 * Gives a file other contents by a temp file beside it, whole and on disk, and one rename: a reader sees the old file or
 * the new one.
 */
export const replaceFile = async (target: string, bytes: Buffer, {mode, reserved}: Options): Promise<void> => {
  const temporary = reserved ?? (await reserveFile(target, 0));
  try {
    await temporary.write(bytes, mode);
  } catch (error) {
    await temporary.release();
    throw error;
  }
};

/**
 * The temp file, already as large as its contents may be. They are written over what stands there, and so need no block of
 * the disk that is not there yet.
 */
export const reserveFile = async (target: string, size: number): Promise<Reservation> => {
  const directory = dirname(target);
  await mkdir(directory, {recursive: true, mode: 0o700});
  await removeDeadTemporaries(directory, basename(target));
  const temporary = join(directory, temporaryName(basename(target), randomBytes(4).toString('hex')));
  const handle = await open(temporary, 'wx', 0o600);
  const release = async () => {
    await handle.close().catch(() => undefined);
    await rm(temporary, {force: true}).catch(() => undefined);
  };
  try {
    if (size > 0) await fill(handle, size);
  } catch (error) {
    await release();
    throw error;
  }
  return {
    release,
    write: async (bytes, mode) => {
      // The umask may have taken bits away that the file had before.
      await handle.chmod(mode);
      await overwrite(handle, bytes);
      if (size > bytes.length) await handle.truncate(bytes.length);
      await handle.sync();
      await handle.close();
      await rename(temporary, target);
      await syncDirectory(directory);
    },
  };
};

const overwrite = async (handle: FileHandle, bytes: Buffer) => {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
};

/** Noise, because a file system may keep no blocks for zeros. */
const fill = async (handle: FileHandle, size: number) => {
  await handle.writeFile(randomBytes(size));
  await handle.sync();
};

/** The rename itself is on disk only once its directory is. Windows cannot open one, and needs no such step. */
const syncDirectory = async (directory: string) => {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
