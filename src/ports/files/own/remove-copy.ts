import {rename, rm} from 'node:fs/promises';
import {codeOf} from '../error-code.ts';

/**
 * Removes a copy of this program. The copy is renamed first, in one step: after a kill, the next removal recognises the
 * rest by its name.
 *
 * @param directory of the copy, or of what an earlier removal has left of it
 */
export const removeCopy = async (directory: string): Promise<void> => {
  const going = isGoing.test(directory) ? directory : `${directory}.${process.pid}.old`;
  try {
    if (going !== directory) await rename(directory, going);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await rm(going, {recursive: true, force: true});
};

/** The names of copies that are incomplete, or being removed. */
export const isGoing = /\.(\d+)\.(?:new|old)$/;
