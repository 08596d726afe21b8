import {stat, utimes} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {sha256} from '../../domain/fingerprint.ts';
import {cancelled, findSetupError, SetupError} from '../../errors/errors.ts';
import {codeOf} from './error-code.ts';
import {directoryModes, makeDirectory} from './writing/make-directory.ts';

/**
 * After this a lock that nobody keeps fresh counts as left behind, in milliseconds: what a kill costs the next command. A
 * holder freshens it twice in that time.
 */
export const STALE = 3_000;

/** How long a lock is waited for, in milliseconds: longer than anybody holds one who waits for a slow server. */
const PATIENCE = 60_000;

/** How long to wait between two tries, in milliseconds: often, and not all at once. */
const pause = () => 20 + Math.random() * 20;

/** A lock that is held. */
export type FileLock = {
  /** Whether it was taken away meanwhile, as from a process that was suspended. */
  readonly isLost: boolean;
  release(): Promise<void>;
};

/** How a lock is waited for. */
export type LockWait = {
  /** Ends the waiting, and nothing once the lock is held. */
  readonly signal?: AbortSignal;
  /** Called once, when somebody else turns out to hold the lock. */
  readonly onWait?: () => void;
};

/**
 * Takes the lock of a file: a directory beside it, kept fresh while it is held. Only a lock that somebody holds is waited
 * for; where none can be made, that is said at once.
 *
 * @param elsewhere the directory for locks of files beside which nothing can be made, as where one file of a read-only
 *   system is mounted to be written; undefined for none
 * @throws SetupError `local-locked`, `cancelled` where the signal aborts; else the file system's own error
 */
export const lockFile = async (path: string, elsewhere?: string, wait: LockWait = {}): Promise<FileLock> => {
  try {
    return await takeLock(path, lockBeside(path), wait);
  } catch (error) {
    if (elsewhere === undefined || !refusals.has(codeOf(error))) throw error;
    // Why nothing can be made beside the file is what is told, where nothing can be made elsewhere either.
    return takeLock(path, lockElsewhere(path, elsewhere), wait).catch(other => {
      throw refusals.has(codeOf(other)) ? error : other;
    });
  }
};

/** Whether somebody holds the lock of a file, or has left it behind. @param elsewhere as `lockFile` takes it */
export const isLocked = async (path: string, elsewhere?: string): Promise<boolean> => {
  const looks = await Promise.allSettled(locksOf(path, elsewhere).map(lock => stat(lock)));
  return looks.some(({status}) => status === 'fulfilled');
};

/** Where the lock of a file may be: beside it, or elsewhere. */
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
  const end = performance.now() + PATIENCE;
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
      // Several that find the same stale lock remove it each, and the last may remove the next holder's.
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
    // A rejected pause says only that it was ended, and not by whom.
    await delay(pause(), undefined, signal ? {signal} : {}).catch(() => undefined);
    if (signal?.aborted) throw findSetupError(signal.reason) ?? cancelled();
  }
};

/**
 * Looks whether the holder freshens its lock, by our own watch: the time on the lock itself may lie in the future, where a
 * clock was wrong, and such a lock would count as fresh until then. One that is left behind is made as old as it is.
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
