import {chmod, type FileHandle, open, stat} from 'node:fs/promises';
import {setMode, sync} from './file-systems.ts';

const OWNER_WRITES = 0o200;

/**
 * Writes new contents into the existing file, if it cannot be replaced. If the disk is full, nothing changes: the room
 * is taken first, after the old contents, and any failure restores those.
 *
 * @param mode the new permission bits
 * @throws the file system's own error
 */
export const writeInPlace = async (path: string, bytes: Buffer, mode: number): Promise<void> => {
  const handle = await openToWrite(path);
  try {
    const former = await handle.readFile();
    // Done before the new contents are in the file, which the former mode might expose.
    if (((await handle.stat()).mode & 0o777) !== mode) await setMode(handle, mode);
    try {
      await writeAt(handle, bytes, former.length);
      await writeAt(handle, bytes.subarray(0, former.length), 0, former.length);
      await handle.truncate(bytes.length);
      await sync(handle);
    } catch (error) {
      await putBack(handle, former);
      throw error;
    }
  } finally {
    await handle.close();
  }
};

/** Opens a file for writing. A user who may change the mode of a write-protected file may write it. */
const openToWrite = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, 'r+');
  } catch (error) {
    const {mode} = await stat(path);
    if ((mode & OWNER_WRITES) !== 0) throw error;
    await chmod(path, (mode | OWNER_WRITES) & 0o777).catch(() => Promise.reject(error));
    return open(path, 'r+');
  }
};

/** Writes the bytes from `start` to `end` to the same position in a file, over its contents. */
export const writeAt = async (handle: FileHandle, bytes: Buffer, start = 0, end = bytes.length): Promise<void> => {
  for (let at = start; at < Math.min(end, bytes.length); ) {
    at += (await handle.write(bytes, at, Math.min(end, bytes.length) - at, at)).bytesWritten;
  }
};

const putBack = async (handle: FileHandle, former: Buffer): Promise<void> => {
  await writeAt(handle, former).catch(() => undefined);
  await handle.truncate(former.length).catch(() => undefined);
};
