import {realpathSync} from 'node:fs';

/**
 * A path as its directories are called, where they were typed in other capitals: macOS and Windows find them in any, and
 * what an assistant or this program has noted under one name is looked for under the same. Where links lie on the way, or
 * nothing is there, and on every other system, it is as it was typed.
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

/** File systems of macOS may also write an accent as a character of its own. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();
