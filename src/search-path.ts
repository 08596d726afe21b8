import {posix, win32} from 'node:path';

/** The directories that POSIX systems search without a PATH. */
const USUAL_PATH = '/usr/bin:/bin';

/** Returns PATH, or its default if it is not set. On Windows the variable's name may have any case. */
export const pathIn = (
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string => {
  if (platform !== 'win32') return env.PATH ?? USUAL_PATH;
  return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
};

/** Where a PATH is read: on this machine, unless a test says otherwise. */
export type Where = {
  readonly platform?: NodeJS.Platform;
  /** The working directory. */
  readonly cwd?: string;
};

/** The caches of npx, `pnpm dlx`, `yarn dlx` and bunx for programs that they fetched for one run. */
const runnerCache = /[\\/](?:_npx|dlx|dlx-[^\\/]+|\.?bunx-[^\\/]+)[\\/]/;

/**
 * Returns the directories of a PATH that belong to the person. An empty or relative entry leads to the working
 * directory, which may be an untrusted repository. A `node_modules/.bin` of the working directory, of a directory above
 * it or of a runner's cache is in PATH for a single run only, so its programs are not found afterwards.
 */
export const directoriesIn = (
  path: string,
  {platform = process.platform, cwd = workingDirectory()}: Where = {},
): readonly string[] => {
  const {delimiter, isAbsolute, join, dirname, parse} = pathsOf(platform);
  const own = new Set<string>();
  const keyOf = (directory: string) => {
    const path = join(directory, '.').replace(/[\\/]$/, '');
    return platform === 'win32' ? path.toLowerCase() : path;
  };
  const ownIn = (directory: string) => keyOf(join(directory, 'node_modules', '.bin'));
  for (let at = cwd; !own.has(ownIn(at)); at = dirname(at)) own.add(ownIn(at));
  const isForOneRun = (directory: string) =>
    own.has(keyOf(directory)) || (/\.bin[\\/]?$/.test(directory) && runnerCache.test(directory));
  return path
    .split(delimiter)
    .map(entry => (platform === 'win32' ? entry.replaceAll('"', '') : entry))
    .filter(entry => isAbsolute(entry) && !isForOneRun(join(entry)))
    .filter(entry => platform !== 'win32' || parse(entry).root.length > 1);
};

/** Returns PATH with the directories of `directoriesIn` only, for child programs that search PATH themselves. */
export const personsPath = (path: string, where: Where = {}): string =>
  directoriesIn(path, where).join(pathsOf(where.platform ?? process.platform).delimiter);

/** Returns the working directory; if it was removed, the root. */
const workingDirectory = (): string => {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
};

/** Returns the path functions of a system, which is not always the running one: tests look at Windows from anywhere. */
export const pathsOf = (platform: NodeJS.Platform): typeof posix => (platform === 'win32' ? win32 : posix);
