import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {posix, win32} from 'node:path';
import {pathKey} from '../../domain/paths/same-path.ts';
import type {Env} from '../ports.ts';

/** Of which machine it is asked; all of it is as this one has it, unless a test says otherwise. */
type Where = {
  readonly platform?: NodeJS.Platform;
  /** The working directory. */
  readonly cwd?: string;
  /** Whether there is a file of that absolute path that can be started. */
  readonly isProgram?: (path: string) => Promise<boolean>;
};

/** Where POSIX systems look if there is no PATH at all. */
const USUAL_PATH = '/usr/bin:/bin';

/** What Windows starts without a shell. A script (`.cmd`, `.bat`) is not among it. */
const STARTABLE = ['.com', '.exe'];

/**
 * The absolute path of a program, the one place where programs are found: in the absolute directories of PATH and nowhere
 * else. The working directory may be somebody else's repository, and what is called `git` there is not git. Neither an
 * empty or relative entry of PATH counts for that reason, nor what npm puts on PATH for the directory that it is run in,
 * nor the habit of Windows to look into the working directory first.
 *
 * @param name of a program, or its absolute path
 * @returns undefined where there is none
 */
export const findProgram = async (name: string, env: Env, where: Where = {}): Promise<string | undefined> => {
  const {platform = process.platform, isProgram = canBeStarted} = where;
  const {isAbsolute, join, basename} = pathsOf(platform);
  const candidates = isAbsolute(name)
    ? [name]
    : name === basename(name)
      ? directoriesIn(pathIn(env, platform), where).flatMap(directory =>
          namesOf(name, env, platform).map(one => join(directory, one)),
        )
      : [];
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate;
  return undefined;
};

/** PATH without what leads to the working directory, for programs that are started and look for others there. */
export const pathWithoutWorkingDirectory = (path: string, where: Where = {}): string =>
  directoriesIn(path, where).join(pathsOf(where.platform ?? process.platform).delimiter);

/** The value of PATH, as which it counts where it is not set. Windows writes its name in any case. */
export const pathIn = (env: Env, platform: NodeJS.Platform = process.platform): string => {
  if (platform !== 'win32') return env.PATH ?? USUAL_PATH;
  return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
};

const directoriesIn = (
  path: string,
  {platform = process.platform, cwd = workingDirectory()}: Where,
): readonly string[] => {
  const {delimiter, isAbsolute, join, dirname, parse} = pathsOf(platform);
  const own = new Set<string>();
  const ownIn = (directory: string) => pathKey(join(directory, 'node_modules', '.bin'));
  for (let at = cwd; !own.has(ownIn(at)); at = dirname(at)) own.add(ownIn(at));
  return path
    .split(delimiter)
    .map(entry => (platform === 'win32' ? entry.replaceAll('"', '') : entry))
    .filter(entry => isAbsolute(entry) && !own.has(pathKey(join(entry))))
    .filter(entry => platform !== 'win32' || parse(entry).root.length > 1);
};

/** One that was removed is nobody's. */
const workingDirectory = (): string => {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
};

const namesOf = (name: string, {PATHEXT}: Env, platform: NodeJS.Platform): readonly string[] => {
  if (platform !== 'win32') return [name];
  const known = PATHEXT?.toLowerCase()
    .split(';')
    .filter(extension => STARTABLE.includes(extension));
  const extensions = known ?? STARTABLE;
  return extensions.includes(win32.extname(name).toLowerCase()) ? [name] : extensions.map(one => `${name}${one}`);
};

const canBeStarted = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix);
