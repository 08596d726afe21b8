import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {win32} from 'node:path';
import {directoriesIn, pathIn, pathsOf, type Where} from '../../search-path.ts';
import type {Env} from '../ports.ts';

/** Where a program is looked for; all of it is as this machine has it, unless a test says otherwise. */
type Place = Where & {
  /** Whether there is a file of that absolute path that can be started. */
  readonly isProgram?: (path: string) => Promise<boolean>;
};

/** What Windows starts without a shell. A script (`.cmd`, `.bat`) is not among it. */
const STARTABLE = ['.com', '.exe'];

/**
 * The absolute path of a program, the one place where programs are found: in the absolute directories of PATH and nowhere
 * else. The working directory may be somebody else's repository, and what is called `git` there is not git. Neither an
 * empty or relative entry of PATH counts for that reason, nor what npm and its like put on PATH for one run, nor the habit of Windows to look into the working directory first.
 *
 * @param name of a program, or its absolute path
 * @returns undefined where there is none
 */
export const findProgram = async (name: string, env: Env, where: Place = {}): Promise<string | undefined> => {
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
