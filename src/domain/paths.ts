import {withoutEnd} from '../text.ts';

/** Whether a path belongs to Windows: it begins with a drive or a share, whichever system this program runs on. */
export const isOfWindows = (path: string): boolean => /^(?:[a-z]:|\\\\)/i.test(path);

/**
 * Returns a path in the form in which paths are compared, and never written or shown. Windows ignores case and accepts
 * either slash, so one directory has many names there: `c:\work` in one terminal, `C:\Work` in another.
 */
export const pathKey = (path: string): string =>
  isOfWindows(path)
    ? withoutEnd(path.replaceAll('/', '\\'), '\\').toLowerCase()
    : path.slice(0, 1) + withoutEnd(path.slice(1), '/');

/** Returns a path without trailing slashes of either kind. */
export const withoutSlashes = (path: string): string => withoutEnd(path, '\\/');

/** Whether two paths are the same, judged by their names alone. Links are not resolved. */
export const isSamePath = (one: string, other: string): boolean => pathKey(one) === pathKey(other);

/** Returns the part of a path below a directory, without a leading slash; undefined if the path is not below it. */
export const pathBelow = (path: string, directory: string): string | undefined => {
  const above = pathKey(directory);
  const [slashes, slash] = isOfWindows(directory) ? [/^[\\/]+/, '\\'] : [/^\/+/, '/'];
  if (!pathKey(path).startsWith(above.endsWith(slash) ? above : `${above}${slash}`)) return undefined;
  // Equal keys come from paths of equal length, unless the two spell a letter with a longer lower case (“İ”)
  // differently.
  return path.slice(withoutSlashes(directory).length).replace(slashes, '');
};

/** Whether a path is a directory, or lies below it. */
export const isWithin = (path: string, directory: string): boolean =>
  isSamePath(path, directory) || pathBelow(path, directory) !== undefined;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the person's home directory from the environment, or undefined. On Windows that is USERPROFILE: HOME exists
 * there only if a program of Unix origin has set it, to a value of its own.
 */
export const homeOf = ({HOME, USERPROFILE}: Env, platform: NodeJS.Platform = process.platform): string | undefined =>
  (platform === 'win32' ? USERPROFILE || HOME : HOME || USERPROFILE) || undefined;

/**
 * Returns the path whose lock a run holds while it writes or removes entries. No file of this name ever exists, only
 * its lock.
 *
 * @param config path of the config, which lists all entries
 */
export const entriesLockOf = (config: string): string => `${config}.entries`;
