import {statSync} from 'node:fs';

/**
 * Returns a text that changes when a file may have changed, without reading it: in some microseconds, synchronously. A
 * file that was copied over it may have the time of the former one (Windows copies times as well), but not the time at
 * which the system recorded the change.
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
