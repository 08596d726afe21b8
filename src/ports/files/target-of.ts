import {readlink, realpath} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';

/** How many links in a row are followed; as many as Linux does (path_resolution(7)). */
const MOST_LINKS = 40;

/**
 * Returns where a write to `path` lands: every link is resolved, of the file and of the directories above it, even if
 * nothing exists yet at its target. A path that leads in a circle is left as it is.
 */
export const targetOf = async (path: string, links = 0): Promise<string> => {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined) return found;
  const directory = dirname(path);
  if (directory === path || links > MOST_LINKS) return path;
  const parent = await targetOf(directory, links);
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? join(parent, basename(path)) : targetOf(resolve(parent, link), links + 1);
};
