import {readdir, rm, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {cancelled} from '../../errors/errors.ts';
import {systemClock} from '../system-clock.ts';
import {isDeadTemporary, targetOf} from './atomic-write.ts';
import {lockFile, locksOf, STALE} from './lock.ts';

/**
 * Removes what processes that ended while writing have left beside these files: temporary files, which may contain
 * secrets, and locks. Files of running processes stay, and so does everything beside a file whose lock is held. Never
 * fails.
 *
 * @param locks as `lockFile` takes it
 */
export const removeLeftovers = async (paths: readonly string[], locks: string | undefined): Promise<void> => {
  const listed = new Map<string, Promise<readonly string[]>>();
  // Many of the files lie in the same directory.
  const namesIn = (directory: string) => {
    const known = listed.get(directory) ?? readdir(directory).catch(() => []);
    listed.set(directory, known);
    return known;
  };
  await Promise.all(
    paths.map(async path => {
      const target = await targetOf(path);
      const directory = dirname(target);
      const left = (await namesIn(directory)).filter(name => isDeadTemporary(name, basename(target)));
      const lock = await standingOf(path, locks);
      if (lock === 'held' || (lock === 'none' && left.length === 0)) return;
      const remove = async () => {
        for (const name of left) await rm(join(directory, name), {force: true});
      };
      // Taking an abandoned lock and releasing it removes it.
      await (lock === 'left' ? underLock(path, locks, remove) : remove()).catch(() => undefined);
    }),
  );
};

/** Whether a file has no lock, one that its holder refreshes, or an abandoned one. */
const standingOf = async (path: string, locks: string | undefined): Promise<'none' | 'held' | 'left'> => {
  const found = await Promise.all(locksOf(path, locks).map(lock => stat(lock).catch(() => undefined)));
  const ages = found.flatMap(stats => (stats ? [systemClock.now() - stats.mtimeMs] : []));
  if (ages.length === 0) return 'none';
  return ages.every(age => age > STALE) ? 'left' : 'held';
};

/** Does something under a lock, unless another process has taken it by now. */
const underLock = async (path: string, locks: string | undefined, work: () => Promise<void>): Promise<void> => {
  const controller = new AbortController();
  const wait = {signal: controller.signal, onWait: () => controller.abort(cancelled())};
  const lock = await lockFile(path, locks, wait);
  try {
    await work();
  } finally {
    await lock.release();
  }
};
