import {access, constants, type FileHandle, stat} from 'node:fs/promises';
import {endsWell} from '../../processes/node-processes.ts';
import type {PathTo} from '../../processes/programs.ts';

/** The paths of `cp` on different systems; PATH may lead to another program. */
const places: readonly PathTo<'cp'>[] = ['/bin/cp', '/usr/bin/cp', '/run/current-system/sw/bin/cp'];

/** Flags that copy everything except the contents. On macOS the contents are copied too, and then overwritten. */
const flags = process.platform === 'darwin' ? ['-p'] : ['--attributes-only', '--preserve=all'];

/** The group's permissions, which may in fact be the mask of an access list (acl(5)). */
const GROUP = 0o070;

/**
 * Gives a new file the attributes of the file that it will replace: owner, group, access list and extended attributes.
 * Node supports neither of the last two, so the system's `cp` copies them.
 *
 * @param to an empty file, open as `handle`
 * @param copy the programs that can do it; the first that exists is used
 * @returns false if the file cannot get all that protects it from other users: it must not replace the other one then
 */
export const copyAttributes = async (
  from: string,
  to: string,
  handle: FileHandle,
  copy: readonly string[] = places,
): Promise<boolean> => {
  if (process.platform === 'win32') return true;
  const isCopied = await runCopy([...flags, '--', from, to], copy);
  await handle.truncate(0);
  const [one, other] = await Promise.all([stat(from), handle.stat()]);
  if (one.uid !== other.uid || one.gid !== other.gid) {
    // The person may not be allowed to give a file to that group.
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
