import {copyFile, link, readdir, realpath, rename, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {SetupError} from '../../errors/errors.ts';
import {limits, readRegular} from './regular-file.ts';

/**
 * Lets a library write a file, and reads it back: some libraries treat a short write on a full disk as a success. Until
 * then the former file keeps a second name; it is restored in case of any doubt. The caller holds the file's lock.
 *
 * @param path of the file itself, not of a link to it
 * @throws SetupError `local-write-failed` if other bytes are there; and whatever `write` and the file system throw
 */
export const keepingFormer = async (path: string, text: string, write: () => Promise<void>): Promise<void> => {
  const kept = secondName(path);
  const existed = await giveSecondName(path, kept);
  try {
    await write();
    const found = await read(path);
    if (!found.equals(Buffer.from(text, 'utf8'))) throw shortWrite(path, found.length, existed);
  } catch (error) {
    if (existed) await rename(kept, path);
    else await rm(path, {force: true});
    throw error;
  }
  await rm(kept, {force: true});
};

/**
 * Cleans up after a process that was killed while it wrote: the former file under its second name, beside one that may
 * be incomplete, and temporary files. The caller holds the file's lock.
 *
 * @param named the file's path, which may be a link's
 */
export const recover = async (named: string, isWhole: (bytes: Buffer) => boolean): Promise<void> => {
  const path = await realpath(named).catch(() => named);
  const kept = secondName(path);
  const former = await read(kept).catch(() => undefined);
  if (former) {
    const found = await read(path).catch(() => undefined);
    if (isWhole(former) && !(found && isWhole(found))) await rename(kept, path);
    else await rm(kept);
  }
  const names = await readdir(dirname(path)).catch(() => []);
  const left = names.filter(name => name.startsWith(`${basename(path)}.tmp-`));
  await Promise.all(left.map(name => rm(join(dirname(path), name), {force: true})));
};

const read = async (path: string): Promise<Buffer> => (await readRegular(path, limits.own)).bytes;

const secondName = (path: string): string => `${path}.former`;

/** A link needs no room on a full disk; a copy is for file systems without links. */
const giveSecondName = async (path: string, kept: string): Promise<boolean> => {
  try {
    await link(path, kept).catch(error => (isMissing(error) ? Promise.reject(error) : copyWhole(path, kept)));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

const copyWhole = async (path: string, kept: string): Promise<void> => {
  try {
    await copyFile(path, kept);
    const [one, other] = await Promise.all([read(path), read(kept)]);
    if (!one.equals(other)) throw shortWrite(kept, other.length, true);
  } catch (error) {
    await rm(kept, {force: true});
    throw error;
  }
};

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const shortWrite = (path: string, length: number, existed: boolean): SetupError => {
  const intact = existed ? ' What was there is intact.' : '';
  const reason = `only ${length} bytes of it could be read back, as on a disk that is full`;
  return new SetupError('local-write-failed', `${path} was not written: ${reason}.${intact}`);
};
