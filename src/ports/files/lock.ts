import {stat, utimes} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {sha256} from '../../domain/fingerprint.ts';
import {cancelled, findSetupError, SetupError} from '../../errors/errors.ts';
import {codeOf} from './error-code.ts';
import {directoryModes, makeDirectory} from './owner.ts';

/**
 * A lock that was not refreshed for this long counts as abandoned, in milliseconds. The next command after a kill waits
 * that long. A holder refreshes it twice in that time.
 */
export const STALE = 3_000;

/** Longest wait for a lock, in milliseconds. Longer than a holder needs even when its server is slow. */
const TIMEOUT = 60_000;

/** Returns the pause between two attempts, in milliseconds: short, and different for each process. */
const pause = () => 20 + Math.random() * 20;

/** A lock that is held. */
export type FileLock = {
  /** True if the lock was taken away in the meantime, as from a process that was suspended. */
  readonly isLost: boolean;
  release(): Promise<void>;
};

/** Options for the wait. */
export type LockWait = {
  /** Ends the wait. Has no effect once the lock is held. */
  readonly signal?: AbortSignal;
  /** Called once, if another process holds the lock. */
  readonly onWait?: () => void;
};

/**
 * Takes the lock of a file: a directory beside it, refreshed while it is held. It waits only for a lock that another
 * process holds; if no lock can be created, it fails at once.
 *
 * @param elsewhere the directory for locks of files beside which nothing can be created, such as a single file of a
 *   read-only system that is mounted writable; undefined for none
 * @throws SetupError `local-locked`, `cancelled` if the signal aborts; otherwise the file system's own error
 */
export const lockFile = async (path: string, elsewhere?: string, wait: LockWait = {}): Promise<FileLock> => {
  try {
    return await takeLock(path, lockBeside(path), wait);
  } catch (error) {
    if (elsewhere === undefined || !refusals.has(codeOf(error))) throw error;
    // If no lock can be created elsewhere either, the error for the place beside the file is thrown.
    return takeLock(path, lockElsewhere(path, elsewhere), wait).catch(other => {
      throw refusals.has(codeOf(other)) ? error : other;
    });
  }
};

/**
 * Whether the lock of a file exists, held or abandoned.
 *
 * @param elsewhere as `lockFile` takes it
 */
export const isLocked = async (path: string, elsewhere?: string): Promise<boolean> => {
  const looks = await Promise.allSettled(locksOf(path, elsewhere).map(lock => stat(lock)));
  return looks.some(({status}) => status === 'fulfilled');
};

/** Returns the possible paths of a file's lock: beside it, or elsewhere. */
export const locksOf = (path: string, elsewhere?: string): readonly string[] => [
  lockBeside(path),
  ...(elsewhere === undefined ? [] : [lockElsewhere(path, elsewhere)]),
];

const lockBeside = (path: string) => `${path}.lock`;

const lockElsewhere = (path: string, elsewhere: string) => join(elsewhere, `${sha256(path).slice(0, 32)}.lock`);

const refusals: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** @param lock the directory that is the lock */
const takeLock = async (path: string, lock: string, {signal, onWait}: LockWait): Promise<FileLock> => {
  const {default: lockfile} = await import('proper-lockfile');
  makeDirectory(dirname(lock), directoryModes.own);
  let isLost = false;
  const onCompromised = () => {
    isLost = true;
  };
  const unfreshened = watchFreshness(lock);
  const end = performance.now() + TIMEOUT;
  let isWaiting = false;
  const options = {realpath: false, stale: STALE, retries: 0, lockfilePath: lock, onCompromised};
  for (;;) {
    try {
      const release = await lockfile.lock(path, options);
      return {
        get isLost() {
          return isLost;
        },
        release: () => (isLost ? Promise.resolve() : release()),
      };
    } catch (error) {
      // Several processes that find the same stale lock each remove it, and the last may remove the next holder's lock.
      const isRemoved = codeOf(error) === 'ENOENT';
      if (isRemoved) makeDirectory(dirname(lock), directoryModes.own);
      else if (codeOf(error) !== 'ELOCKED') throw error;
      if (performance.now() > end) {
        throw new SetupError('local-locked', `Another setup process has locked ${path} for too long.`, {
          cause: error,
          about: {path},
        });
      }
    }
    if (!isWaiting) onWait?.();
    isWaiting = true;
    await unfreshened();
    // If the signal aborts, `delay` rejects with an error of its own. The reason of the signal is thrown below.
    await delay(pause(), undefined, signal ? {signal} : {}).catch(() => undefined);
    if (signal?.aborted) throw findSetupError(signal.reason) ?? cancelled();
  }
};

/**
 * Checks whether the holder refreshes its lock, with this process's own clock. The time of the lock itself may lie in
 * the future if a clock was wrong, and the lock would count as fresh until then. An abandoned lock gets an old time.
 */
const watchFreshness = (lock: string) => {
  let seen: {readonly at: number; readonly time: number} | undefined;
  return async () => {
    const time = (await stat(lock).catch(() => undefined))?.mtimeMs;
    if (time === undefined) seen = undefined;
    else if (seen?.time !== time) seen = {at: performance.now(), time};
    else if (performance.now() - seen.at > STALE) await utimes(lock, 0, 0).catch(() => undefined);
  };
};
