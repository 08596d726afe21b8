import {readFile} from 'node:fs/promises';

/**
 * Whether something is mounted on a file itself, as containers do with single files (`docker -v FILE:FILE`, `subPath`).
 * Such a file can be neither replaced by a rename nor removed.
 *
 * @param path without links
 * @param table the mounts of this process (proc_pid_mountinfo(5)); other systems have none, and mount no files
 */
export const isMountPoint = async (path: string, table = '/proc/self/mountinfo'): Promise<boolean> => {
  const mounts = await readFile(table, 'utf8').catch(() => '');
  return mounts.split('\n').some(line => unescaped(line.split(' ')[4] ?? '') === path);
};

/** Decodes blanks and similar characters, which are written as octal digits. */
const unescaped = (field: string): string =>
  field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
