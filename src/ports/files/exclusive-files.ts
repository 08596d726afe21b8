import {randomBytes} from 'node:crypto';
import {link, open, rm, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {ExclusiveFiles} from '../storage.ts';
import {codeOf} from './error-code.ts';
import {writeFailure} from './file-errors.ts';
import {directoryModes, handOver, makeDirectory, sync} from './owner.ts';
import {limits, readRegular} from './regular-file.ts';

/**
 * Creates the port for files that only one process can create. Unlike a lock, such a file is not lost if its process is
 * suspended or slow, and it remains when the process has ended.
 */
export const createExclusiveFiles = (): ExclusiveFiles => {
  const create: ExclusiveFiles['create'] = async (path, text) => {
    makeDirectory(dirname(path), directoryModes.own);
    // Written under another name first, so that no process reads it incomplete.
    const whole = `${path}.${randomBytes(4).toString('hex')}`;
    const handle = await open(whole, 'wx', 0o600);
    try {
      handOver(whole);
      await handle.writeFile(text);
      await sync(handle);
      await handle.close();
      await link(whole, path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      if (!withoutLinks.has(codeOf(error))) throw error;
      return await createDirectly(path, text);
    } finally {
      await handle.close().catch(() => undefined);
      await rm(whole, {force: true});
    }
  };

  return {
    create: (path, text) =>
      create(path, text).catch(error => {
        throw writeFailure(path, error);
      }),
    read: async path => (await readRegular(path, limits.own).catch(() => undefined))?.bytes.toString('utf8'),
    remove: path => rm(path, {force: true}).catch(() => undefined),
  };
};

/** Error codes of file systems that cannot make the hard link. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const createDirectly = async (path: string, text: string): Promise<boolean> => {
  try {
    await writeFile(path, text, {flag: 'wx', mode: 0o600});
    handOver(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // An incomplete file, as on a full disk, would count as created.
    await rm(path, {force: true}).catch(() => undefined);
    throw error;
  }
};
