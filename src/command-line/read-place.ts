import {readdirSync} from 'node:fs';
import {resolve} from 'node:path';
import {packagesSeenFrom} from '../assistants/catalogue/windows-side.ts';
import type {Place} from '../assistants/place.ts';
import {asOnDisk} from '../ports/files/regular-file.ts';
import type {Env} from '../ports/ports.ts';
import {findOwnPaths} from '../store/own-paths.ts';

/**
 * Returns where assistants keep their files on this machine. Any system but macOS and Windows is treated as Linux.
 *
 * @param list returns the names in a directory
 */
export const readPlace = (
  env: Env,
  project = '.',
  platform: NodeJS.Platform = process.platform,
  list: (directory: string) => readonly string[] = directory => readdirSync(directory),
): Place => {
  const place: Place = {
    home: findOwnPaths(env, platform).home,
    project: asOnDisk(resolve(project), platform),
    ...(resolve(project) === resolve('.') ? {} : {isElsewhere: true}),
    system: platform === 'win32' || platform === 'darwin' ? platform : 'linux',
    env,
  };
  const directory = packagesSeenFrom(place);
  return directory === undefined ? place : {...place, packages: namesIn(directory, list)};
};

/** Returns no names if the directory does not exist or cannot be read. */
const namesIn = (directory: string, list: (directory: string) => readonly string[]): readonly string[] => {
  try {
    return list(directory);
  } catch {
    return [];
  }
};
