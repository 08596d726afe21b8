import {realpathSync} from 'node:fs';

/**
 * Returns a path with its directories spelled as on disk, if it was typed in another case. macOS and Windows find it in
 * any case, but what an assistant or this program has noted under one name is searched for under the same name.
 * Unchanged if links lie on the way, if nothing exists there, and on every other system.
 */
export const asOnDisk = (
  path: string,
  platform: NodeJS.Platform = process.platform,
  realPath: (path: string) => string = realpathSync.native,
): string => {
  if (platform !== 'darwin' && platform !== 'win32') return path;
  try {
    const real = realPath(path);
    return fold(real) === fold(path) ? real : path;
  } catch {
    return path;
  }
};

/** File systems of macOS may also write an accent as a separate character. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();
