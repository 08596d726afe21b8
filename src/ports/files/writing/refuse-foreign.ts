import {lstat, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {SetupError} from '../../../errors/errors.ts';

/**
 * Refuses to write a secret through a link to another user's file or directory. The superuser follows links that people
 * have made to their own files (`sudo -E`).
 *
 * @throws SetupError `local-write-failed`
 */
export const refuseForeign = async (path: string, target: string) => {
  const owner = (await stat(target).catch(async () => stat(await existingPart(dirname(target)))))?.uid;
  if (owner === undefined || process.getuid === undefined || owner === process.getuid()) return;
  if (process.getuid() === 0 && owner === (await linkOwner(path))) return;
  throw new SetupError('local-write-failed', `${path} is a link to ${target}, which belongs to another user.`, {
    remedy: 'Remove the link, then try again.',
    about: {path},
  });
};

/** Returns the owner of the last link in a path. */
const linkOwner = async (path: string): Promise<number | undefined> => {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) return stats.uid;
  return dirname(path) === path ? undefined : linkOwner(dirname(path));
};

/** Returns the directory itself if it exists, otherwise the nearest one above that does. */
export const existingPart = async (directory: string): Promise<string> => {
  const found = await stat(directory).catch(() => undefined);
  return found || dirname(directory) === directory ? directory : existingPart(dirname(directory));
};
