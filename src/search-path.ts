import {posix, win32} from 'node:path';

/** Where POSIX systems look if there is no PATH at all. */
const USUAL_PATH = '/usr/bin:/bin';

/** The value of PATH, as which it counts where it is not set. Windows writes its name in any case. */
export const pathIn = (
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string => {
  if (platform !== 'win32') return env.PATH ?? USUAL_PATH;
  return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
};

/** Where a PATH is read; all of it is as this machine has it, unless a test says otherwise. */
export type Where = {
  readonly platform?: NodeJS.Platform;
  /** The working directory. */
  readonly cwd?: string;
};

/** Where npx, `pnpm dlx`, `yarn dlx` and bunx keep what they have fetched for one run. */
const runnerCache = /[\\/](?:_npx|dlx|dlx-[^\\/]+|\.?bunx-[^\\/]+)[\\/]/;

/**
 * The directories of a PATH that are the person's own. An empty or relative entry leads to the working directory, which
 * may be somebody else's repository. A `node_modules/.bin` of the working directory, of one above it or of a runner's
 * cache was put there for a single run: what is found there is gone from PATH afterwards.
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

/** PATH with these directories alone, for programs that are started and look for others there. */
export const personsPath = (path: string, where: Where = {}): string =>
  directoriesIn(path, where).join(pathsOf(where.platform ?? process.platform).delimiter);

/** One that was removed is nobody's. */
const workingDirectory = (): string => {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
};

/** Paths as a system writes them. */
export const pathsOf = (platform: NodeJS.Platform): typeof posix => (platform === 'win32' ? win32 : posix);
