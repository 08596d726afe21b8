import {readdir, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isAlive} from '../../processes/process-name.ts';
import {targetOf} from '../target-of.ts';

/** Returns the name of a temporary file that will replace another. */
export const temporaryName = (name: string, random: string): string => `.${name}.${process.pid}-${random}.tmp`;

/**
 * Removes the temporary files of processes that have ended. A kill between write and rename leaves one, possibly with a
 * token.
 */
export const removeDeadTemporaries = async (directory: string, name: string): Promise<void> => {
  for (const entry of await readdir(directory)) {
    if (isDeadTemporary(entry, name)) await rm(join(directory, entry), {force: true});
  }
};

/** Whether a name is that of a temporary file for `name` whose writer has ended. */
export const isDeadTemporary = (entry: string, name: string): boolean => {
  const writer = writerOf(entry, name);
  return writer !== undefined && !isAlive(writer);
};

/**
 * Returns everything beside one of this program's own files that has its old or new contents: temporary files of any
 * process, files that were set aside because they could not be read, and the second names of a file that is being
 * written. The caller holds the file's lock, so no other process writes.
 *
 * @param path may be a link's: temporary files lie beside the file, set-aside files beside the link
 */
export const leftoversOf = async (path: string): Promise<readonly string[]> => {
  const found = [path, await targetOf(path)].map(async one => {
    const [directory, name] = [dirname(one), basename(one)];
    const entries = await readdir(directory).catch(() => []);
    return entries
      .filter(entry => {
        const rest = entry.startsWith(name) ? entry.slice(name.length) : '';
        return writerOf(entry, name) !== undefined || rest === '.former' || /^\.(bad|tmp)-/.test(rest);
      })
      .map(entry => join(directory, entry));
  });
  return [...new Set((await Promise.all(found)).flat())];
};

/** Returns the number of the process that wrote a temporary file. */
const writerOf = (entry: string, name: string): number | undefined => {
  const writer = entry.startsWith(`.${name}.`)
    ? /^\.(\d+)-[0-9a-f]+\.tmp$/.exec(entry.slice(name.length + 1))?.[1]
    : undefined;
  return writer === undefined ? undefined : Number(writer);
};
