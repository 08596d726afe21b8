import {constants} from 'node:fs';
import {open, readlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isSamePath, isWithin} from '../../domain/paths.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Confinement} from '../storage.ts';
import {targetOf} from './atomic-write.ts';

/**
 * Returns where a write to `path` lands, if that is inside the directory to which it is confined. A repository can
 * contain links, and a write through one would change a file of the person that does not belong to the project.
 *
 * @returns the absolute path with every link resolved, as `targetOf` does
 * @throws SetupError `local-link-outside`
 */
export const confinedTarget = async (path: string, {root, isNoLink}: Confinement): Promise<string> => {
  const [target, realRoot] = [await targetOf(path), await targetOf(root)];
  if (!isWithin(target, realRoot)) throw outside(path, target, root);
  if (isNoLink && !isSamePath(target, join(await targetOf(dirname(path)), basename(path)))) {
    throw new SetupError('local-link-outside', `${path} is a link, to ${target}.`, {about: {path}});
  }
  return target;
};

/**
 * Runs `work` on a file in a directory that is held open, so that no link can replace the directory in the meantime.
 * Linux names an open directory in /proc. Other systems use the path itself, which was checked just before.
 *
 * @param target absolute, without links, in a directory that exists
 * @param work gets the path to use
 * @throws SetupError `local-link-outside` if the directory is outside the root by now
 */
export const inHeldDirectory = async <T>(
  target: string,
  {root}: Confinement,
  work: (path: string) => Promise<T>,
): Promise<T> => {
  const handle = await open(dirname(target), constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)).catch(() => undefined);
  if (handle === undefined) return work(target);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    const directory = process.platform === 'linux' ? await readlink(held).catch(() => undefined) : undefined;
    if (directory === undefined) return await work(target);
    if (!isWithin(directory, await targetOf(root))) throw outside(target, directory, root);
    return await work(join(held, basename(target)));
  } finally {
    await handle.close();
  }
};

const outside = (path: string, target: string, root: string): SetupError =>
  new SetupError('local-link-outside', `${path} leads to ${target}, outside of the project ${root}.`, {about: {path}});
