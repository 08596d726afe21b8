import {realpathSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';

const STICKY = 0o1000;

/**
 * Finds one of these files, or of the directories that contain them, that other users can change: they could then
 * decide where this program signs in, and which token it returns. The files and their own directory are open if any bit
 * lets the group or others write. A directory above is open if others may write and no sticky bit protects the files of
 * others. Its group's bit counts too, unless the group is the person's own or the administrators'. Each check takes
 * some microseconds.
 *
 * @param paths of files, existing or not, absolute
 * @returns the path that is open; undefined if there is none, and on Windows, which has no such bits
 */
export const openToOthers = (paths: readonly string[]): string | undefined => {
  if (process.platform === 'win32') return undefined;
  const files = new Set(paths.flatMap(path => [path, realOf(path)]));
  const own = new Set([...files].map(path => dirname(path)));
  const above = new Set([...own].flatMap(directoriesAbove));
  return (
    [...files, ...own].find(path => ((statOf(path)?.mode ?? 0) & 0o022) !== 0) ??
    [...above].find(path => isOpenAbove(statOf(path)))
  );
};

const isOpenAbove = (stats: Stats | undefined): boolean => {
  if (!stats || (stats.mode & STICKY) !== 0) return false;
  return (stats.mode & 0o002) !== 0 || ((stats.mode & 0o020) !== 0 && !isPrivateGroup(stats.gid));
};

/**
 * Whether a group may write without harm: the person's own group, or the administrators', who can change anything
 * anyway. Many systems give each person a group with their own number, and let it write what they create.
 */
const isPrivateGroup = (group: number): boolean =>
  group === 0 || (group === process.getuid?.() && group === process.getgid?.());

const directoriesAbove = (directory: string): readonly string[] => {
  const above = dirname(directory);
  return above === directory ? [] : [above, ...directoriesAbove(above)];
};

/** A path that cannot be examined cannot be read either. */
const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
};

/** Returns where a file is, or would be. */
const realOf = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
};
