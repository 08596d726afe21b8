import {statSync} from 'node:fs';

/**
 * Returns a text that changes when a file may have changed, without reading it: in some microseconds, synchronously. If
 * another file was copied over it, the modification time may be the same (Windows copies times as well), but the time
 * at which the system recorded the change is not.
 */
export const fileVersion = (path: string): string => {
  try {
    const {ino, mtimeMs, ctimeMs, size} = statSync(path);
    return `${ino} ${mtimeMs} ${ctimeMs} ${size}`;
  } catch {
    // The reader of the file reports what is wrong with it.
    return 'none';
  }
};
