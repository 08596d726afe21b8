import {chownSync, lstatSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {codeOf} from '../error-code.ts';

/**
 * Gives what was just made to the owner of the directory that it is in, where the superuser has made it: under `sudo -E` the
 * home is still the person's, and so is everything in it.
 *
 * @throws the file system's own error where it keeps owners and does not let them be set
 */
export const handOver = (path: string): void => {
  if (!isSuperuser()) return;
  const [above, own] = [statSync(dirname(path)), lstatSync(path)];
  if (own.uid === above.uid) return;
  // A directory that hands its group down has done so.
  const isInherited = (above.mode & SETGID) !== 0;
  try {
    chownSync(path, above.uid, isInherited ? own.gid : above.gid);
  } catch (error) {
    // An owner of outside a container's user namespace cannot be named inside (user_namespaces(7)).
    if (codeOf(error) !== 'EINVAL') throw error;
  }
};

const SETGID = 0o2000;

export const isSuperuser = (): boolean => process.geteuid?.() === 0;

/** Whether what the superuser makes in this directory is handed over. */
export const isAnothers = (directory: string): boolean => isSuperuser() && statSync(directory).uid !== 0;

/** Whether a file belongs to somebody else, who would lose it if another took its place. */
export const belongsToAnother = ({uid}: Pick<Stats, 'uid'>): boolean =>
  process.geteuid !== undefined && !isSuperuser() && uid !== process.geteuid();
