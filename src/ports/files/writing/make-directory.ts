import {mkdirSync, readlinkSync, statSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {codeOf} from '../error-code.ts';
import {handOver} from './owner.ts';

/** Permission bits of a new directory by its purpose: whatever the umask, other users cannot write to it. */
export const directoryModes = {own: 0o700, shared: 0o755} as const;

/**
 * Creates a directory and its missing parents, each with the owner of the directory that contains it. A link whose
 * target does not exist yet is followed.
 *
 * @param mode of each directory that is created; the umask may remove bits
 * @throws the file system's own error; `ENOTDIR` if something else is in the way
 */
export const makeDirectory = (path: string, mode: number): void => {
  if (isDirectory(path)) return;
  makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, {mode});
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Another process was faster, or it is a link whose target does not exist.
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
