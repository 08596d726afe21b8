import {randomBytes} from 'node:crypto';
import {link, open, rm, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Claims} from '../storage.ts';
import {codeOf} from './error-code.ts';
import {writeFailure} from './file-errors.ts';
import {limits, readRegular} from './regular-file.ts';
import {sync} from './writing/file-systems.ts';
import {directoryModes, makeDirectory} from './writing/make-directory.ts';
import {handOver} from './writing/owner.ts';

/**
 * Claims as files that one process alone can have made: unlike a lock, one is not lost by who is suspended or slow, and it
 * stays behind by whom it was made.
 */
export const createClaims = (): Claims => {
  const create: Claims['create'] = async (path, text) => {
    makeDirectory(dirname(path), directoryModes.own);
    // Under another name first, so that nobody reads it before it is whole.
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

/** What file systems say that know no hard links. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const createDirectly = async (path: string, text: string): Promise<boolean> => {
  try {
    await writeFile(path, text, {flag: 'wx', mode: 0o600});
    handOver(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Half of one, as on a full disk, would count as a right that somebody has.
    await rm(path, {force: true}).catch(() => undefined);
    throw error;
  }
};
