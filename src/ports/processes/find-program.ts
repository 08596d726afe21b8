import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {win32} from 'node:path';
import {directoriesIn, pathIn, pathsOf, type Where} from '../../search-path.ts';
import type {Env} from '../ports.ts';

/** Where programs are searched for: on this machine, unless a test replaces a part. */
type Place = Where & {
  /** Whether there is an executable file at that absolute path. */
  readonly isProgram?: (path: string) => Promise<boolean>;
};

/** The extensions that Windows starts without a shell. Scripts (`.cmd`, `.bat`) are not among them. */
const STARTABLE = ['.com', '.exe'];

/**
 * Returns the absolute path of a program. All programs are found here, in the absolute directories of PATH and nowhere
 * else. The working directory may be an untrusted repository, whose `git` is not git. For the same reason, empty and
 * relative entries of PATH are ignored, and so are entries that npm and similar tools add for one run, and the rule of
 * Windows to search the working directory first.
 *
 * @param name of a program, or its absolute path
 * @returns undefined if there is none
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
