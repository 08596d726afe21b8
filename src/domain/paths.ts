import {withoutEnd} from '../text.ts';

/** A drive or a share at its start tells a path of Windows from all others, whichever system this program runs on. */
export const isOfWindows = (path: string): boolean => /^(?:[a-z]:|\\\\)/i.test(path);

/**
 * A path in the form in which it is compared, and never written or shown. Windows tells no capitals from small letters and
 * takes either slash, so one directory has many names there: `c:\work` in one terminal, `C:\Work` in another.
 */
export const pathKey = (path: string): string =>
  isOfWindows(path)
    ? withoutEnd(path.replaceAll('/', '\\'), '\\').toLowerCase()
    : path.slice(0, 1) + withoutEnd(path.slice(1), '/');

/** A path without slashes at its end, of either kind. */
export const withoutSlashes = (path: string): string => withoutEnd(path, '\\/');

/** Whether two paths are one, by their names alone: of links nothing is known here. */
export const isSamePath = (one: string, other: string): boolean => pathKey(one) === pathKey(other);

/** What of a path lies below a directory, without a slash at its start; undefined where it is not below. */
export const pathBelow = (path: string, directory: string): string | undefined => {
  const above = pathKey(directory);
  const [slashes, slash] = isOfWindows(directory) ? [/^[\\/]+/, '\\'] : [/^\/+/, '/'];
  if (!pathKey(path).startsWith(above.endsWith(slash) ? above : `${above}${slash}`)) return undefined;
  // What small letters are longer by is in no path that is a prefix of another’s.
  return path.slice(withoutSlashes(directory).length).replace(slashes, '');
};

/** Whether a path is a directory, or lies below it. */
export const isWithin = (path: string, directory: string): boolean =>
  isSamePath(path, directory) || pathBelow(path, directory) !== undefined;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The person's home directory as the environment says it, or undefined. On Windows that is USERPROFILE: HOME is there
 * where a program with a Unix past has set it, to whatever suits that.
 */
export const homeOf = ({HOME, USERPROFILE}: Env, platform: NodeJS.Platform = process.platform): string | undefined =>
  (platform === 'win32' ? USERPROFILE || HOME : HOME || USERPROFILE) || undefined;

/**
 * The path whose lock a journey holds that writes or removes entries. There is never a file of this name, only its lock.
 *
 * @param config path of the config, which knows of all entries
 */
export const entriesLockOf = (config: string): string => `${config}.entries`;
