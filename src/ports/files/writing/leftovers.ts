import {readdir, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isAlive} from '../../processes/process-name.ts';
import {targetOf} from '../target-of.ts';

/** What a temp file is called that is to take the place of another. */
export const temporaryName = (name: string, random: string): string => `.${name}.${process.pid}-${random}.tmp`;

/** A kill between write and rename leaves a temp file, with a token perhaps. This removes those of the dead. */
export const removeDeadTemporaries = async (directory: string, name: string): Promise<void> => {
  for (const entry of await readdir(directory)) {
    if (isDeadTemporary(entry, name)) await rm(join(directory, entry), {force: true});
  }
};

/** Whether a name is that of a temp file for `name` whose writer has ended. */
export const isDeadTemporary = (entry: string, name: string): boolean => {
  const writer = writerOf(entry, name);
  return writer !== undefined && !isAlive(writer);
};

/**
 * Everything beside one of this program's own files that holds what was in it or was to be: temp files, whoever's, what
 * was set aside because it did not read, and the second names of a file that is being written. To be called by the
 * holder of the file's lock, who alone writes.
 *
 * @param path may be a link's: what was written is beside the file, what was set aside beside the link
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

/** The number of the process whose temp file it is. */
const writerOf = (entry: string, name: string): number | undefined => {
  const writer = entry.startsWith(`.${name}.`)
    ? /^\.(\d+)-[0-9a-f]+\.tmp$/.exec(entry.slice(name.length + 1))?.[1]
    : undefined;
  return writer === undefined ? undefined : Number(writer);
};
