import {access, constants, type FileHandle, stat} from 'node:fs/promises';
import {endsWell} from '../../processes/node-processes.ts';

/** Where systems have it; PATH may lead to another. */
const places = ['/bin/cp', '/usr/bin/cp', '/run/current-system/sw/bin/cp'];

/** What it copies everything with but the contents; on macOS the contents come along, and are written over. */
const flags = process.platform === 'darwin' ? ['-p'] : ['--attributes-only', '--preserve=all'];

/** The group has rights of its own, which may be an access list's mask in truth (acl(5)). */
const GROUP = 0o070;

/**
 * Gives a new file that is to take the place of another what that has beside its contents: owner, group, access list and
 * extended attributes. Node knows neither of the last two, so the system's `cp` does it.
 *
 * @param to an empty file, open as `handle`
 * @param copy the programs that may do it; the first that is there does
 * @returns false where it cannot be given all that it needs so as not to be open to others: it must not take the place
 */
export const copyAttributes = async (from: string, to: string, handle: FileHandle, copy = places): Promise<boolean> => {
  if (process.platform === 'win32') return true;
  const isCopied = await runCopy([...flags, '--', from, to], copy);
  await handle.truncate(0);
  const [one, other] = await Promise.all([stat(from), handle.stat()]);
  if (one.uid !== other.uid || one.gid !== other.gid) {
    // The group can be one that this person may not give a file to.
    const isGiven = await handle.chown(one.uid, one.gid).then(
      () => true,
      () => false,
    );
    if (!isGiven) return false;
  }
  return isCopied || (one.mode & GROUP) === 0;
};

const runCopy = async (args: readonly string[], copy: readonly string[]): Promise<boolean> => {
  const found = await firstOf(copy);
  if (found === undefined) return false;
  return endsWell(found, args);
};

const firstOf = async (programs: readonly string[]): Promise<string | undefined> => {
  for (const program of programs) {
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
};
