import {chownSync, lstatSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {codeOf} from '../error-code.ts';

/**
 * Gives a new file to the owner of its directory if the superuser has created it: under `sudo -E` the home is still the
 * person's, and so is everything in it.
 *
 * @throws the file system's own error if it keeps owners and does not allow setting them
 */
export const handOver = (path: string): void => {
  if (!isSuperuser()) return;
  const [above, own] = [statSync(dirname(path)), lstatSync(path)];
  if (own.uid === above.uid) return;
  // A directory with the set-group-ID bit has already passed on its group.
  const isInherited = (above.mode & SETGID) !== 0;
  try {
    chownSync(path, above.uid, isInherited ? own.gid : above.gid);
  } catch (error) {
    // Inside a container, an owner outside its user namespace cannot be named (user_namespaces(7)).
    if (codeOf(error) !== 'EINVAL') throw error;
  }
};

const SETGID = 0o2000;

export const isSuperuser = (): boolean => process.geteuid?.() === 0;

/** Whether files that the superuser creates in this directory are given to its owner. */
export const isAnothers = (directory: string): boolean => isSuperuser() && statSync(directory).uid !== 0;

/** Whether a file belongs to another user, who would lose it if it were replaced. */
export const belongsToAnother = ({uid}: Pick<Stats, 'uid'>): boolean =>
  process.geteuid !== undefined && !isSuperuser() && uid !== process.geteuid();
