import {chmod, type FileHandle, open, stat} from 'node:fs/promises';
import {setMode, sync} from './file-systems.ts';

const OWNER_WRITES = 0o200;

/**
 * Writes other contents into the file that is there, where no other can take its place. What does not fit on the disk
 * changes nothing: the room is taken first, behind the old contents, and whatever fails puts those back.
 *
 * @param mode permission bits that it has from then on
 * @throws the file system's own error
 */
export const writeInPlace = async (path: string, bytes: Buffer, mode: number): Promise<void> => {
  const handle = await openToWrite(path);
  try {
    const former = await handle.readFile();
    // Before anything is in it that the former mode would show.
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

/** Whoever may change the mode of a file that is protected from being written may write it. */
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

/** Writes the part of the bytes from `start` to `end` to where it belongs in a file, over what stands there. */
export const writeAt = async (handle: FileHandle, bytes: Buffer, start = 0, end = bytes.length): Promise<void> => {
  for (let at = start; at < Math.min(end, bytes.length); ) {
    at += (await handle.write(bytes, at, Math.min(end, bytes.length) - at, at)).bytesWritten;
  }
};

const putBack = async (handle: FileHandle, former: Buffer): Promise<void> => {
  await writeAt(handle, former).catch(() => undefined);
  await handle.truncate(former.length).catch(() => undefined);
};
