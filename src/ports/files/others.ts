import {realpathSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';

const STICKY = 0o1000;

/**
 * What of these files, or of the directories that they are in, others on this machine can change: by it they could say
 * where this program signs in, and which token it gives out. Of the files and of their own directory each bit counts that
 * lets the group or others write; of a directory above, where it does not keep them from replacing what is not theirs
 * (the sticky bit), and where the group is more than the person. Each look takes some microseconds.
 *
 * @param paths of files, there or not, absolute
 * @returns the path that is open; undefined where none is, and on Windows, which keeps no such bits
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
 * Many systems give each person a group of their own, by the number of the person, and let it write what they make.
 * The administrators' own can change anything as it is.
 */
const isPrivateGroup = (group: number): boolean =>
  group === 0 || (group === process.getuid?.() && group === process.getgid?.());

const directoriesAbove = (directory: string): readonly string[] => {
  const above = dirname(directory);
  return above === directory ? [] : [above, ...directoriesAbove(above)];
};

/** What cannot be looked at cannot be read either. */
const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
};

/** Where a file is, or would be. */
const realOf = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
};
