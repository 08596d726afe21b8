import {mkdirSync, readlinkSync, statSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {codeOf} from '../error-code.ts';
import {handOver} from './owner.ts';

/** Permission bits of a new directory by what it is for: no umask makes one that others could write to. */
export const directoryModes = {own: 0o700, shared: 0o755} as const;

/**
 * Makes a directory and those above it where they are missing, each with the owner of the one that it is in. A link that
 * leads to nothing yet is followed.
 *
 * @param mode of each that is made; the umask may take bits away
 * @throws the file system's own error; `ENOTDIR` where something else stands in the way
 */
export const makeDirectory = (path: string, mode: number): void => {
  if (isDirectory(path)) return;
  makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, {mode});
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Somebody else was faster, or it is a link to where nothing is.
    if (!isDirectory(path)) makeDirectory(resolve(dirname(path), readlinkSync(path)), mode);
    return;
  }
  handOver(path);
};

const isDirectory = (path: string): boolean => {
  try {
    if (statSync(path).isDirectory()) return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, ${path}`), {code: 'ENOTDIR'});
};
