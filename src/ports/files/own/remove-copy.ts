import {rename, rm} from 'node:fs/promises';
import {codeOf} from '../error-code.ts';

/**
 * Removes a copy of this program. It gets the name of one that is going first, in one step: a removal that is killed then
 * leaves what the next one knows by its name, and not a directory that nobody recognises.
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

/** How copies are named that are not finished, or that go. */
export const isGoing = /\.(\d+)\.(?:new|old)$/;
