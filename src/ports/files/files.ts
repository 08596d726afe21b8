import type {Stats} from 'node:fs';
import {access, chmod, constants, lstat, readdir, rm, rmdir, stat, statfs} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isSamePath} from '../../domain/paths.ts';
import {SetupError} from '../../errors/errors.ts';
import {noteChange} from '../exit-guard.ts';
import type {Confinement, Files} from '../storage.ts';
import {
  isWrittenInPlace,
  leftoversOf,
  removeDeadTemporaries,
  replaceFile,
  reserveFile,
  targetOf,
} from './atomic-write.ts';
import {confinedTarget, inHeldDirectory} from './confinement.ts';
import {codeOf} from './error-code.ts';
import {readFailure, writeFailure} from './file-errors.ts';
import type {WritableJournal} from './journal.ts';
import {isLocked, lockFile} from './lock.ts';
import {belongsToAnother, directoryModes, makeDirectory, setMode} from './owner.ts';
import type {OwnerOnly} from './owner-only.ts';
import {limits, readRegular, refuseOpen} from './regular-file.ts';

/**
 * Refuses to write a secret through a link to another user's file or directory. The superuser follows links that people
 * have made to their own files (`sudo -E`).
 *
 * @throws SetupError `local-write-failed`
 */
export const refuseForeign = async (path: string, target: string) => {
  const owner = (await stat(target).catch(async () => stat(await existingPart(dirname(target)))))?.uid;
  if (owner === undefined || process.getuid === undefined || owner === process.getuid()) return;
  if (process.getuid() === 0 && owner === (await linkOwner(path))) return;
  throw new SetupError('local-write-failed', `${path} is a link to ${target}, which belongs to another user.`, {
    remedy: 'Remove the link, then try again.',
    about: {path},
  });
};

/** Returns the owner of the last link in a path. */
const linkOwner = async (path: string): Promise<number | undefined> => {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) return stats.uid;
  return dirname(path) === path ? undefined : linkOwner(dirname(path));
};

/** Returns the directory itself if it exists, otherwise the nearest one above that does. */
export const existingPart = async (directory: string): Promise<string> => {
  const found = await stat(directory).catch(() => undefined);
  return found || dirname(directory) === directory ? directory : existingPart(dirname(directory));
};

/**
 * The free space that is required, in bytes: as much as the files of this program and of one assistant take, including
 * the copies that writing them makes.
 */
const LEAST_FREE = 64 * 1024;

/**
 * Throws if a disk has no room. A file system that does not report its space, as some in user space, fails at the
 * write.
 */
const refuseFull = async (directory: string): Promise<void> => {
  const {blocks, bsize, bavail, bfree} = await statfs(directory).catch(() => ({
    blocks: 0,
    bsize: 0,
    bavail: 0,
    bfree: 0,
  }));
  const free = process.getuid?.() === 0 ? bfree : bavail;
  if (blocks > 0 && free * bsize < LEAST_FREE) throw Object.assign(new Error('No room.'), {code: 'ENOSPC'});
};

/**
 * Creates the file system port. A write or removal that asks for it is recorded in `journal` before it is made, so that
 * the old contents can be restored.
 *
 * @param locks as `lockFile` takes it
 * @param lists the access lists of the system, if it has these instead of modes
 */
export const createFiles = (journal: Pick<WritableJournal, 'record'>, locks?: string, lists?: OwnerOnly): Files => {
  const read: Files['read'] = async (path, {own = false} = {}) => {
    if (own) refuseOpen([path]);
    try {
      const {bytes, stats} = await readRegular(path, own ? limits.own : limits.other);
      return {bytes, mode: modeOf(stats)};
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
      throw readFailure(path, error);
    }
  };

  const write: Files['write'] = async (path, content, options) => {
    const {mode, tighten = false, own = false, journal: journaled, tokens = noTokens, signedOut, expected} = options;
    const {directories = [], reserved, secret = false, within, isSignOut} = options;
    const restrict = secret ? lists?.restrict : undefined;
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    // Writing through a link keeps a person's dotfiles intact: the file that it points to is replaced, not the link.
    const target = await targetWithin(path, within);
    if (tighten && target !== path) await refuseForeign(path, target);
    const before = await read(target);
    if (expected !== undefined && !sameBytes(before?.bytes, expected)) {
      throw new SetupError('local-file-changed', `${path} was changed by another program in the meantime.`, {
        about: {path},
      });
    }
    const isSame = before?.bytes.equals(bytes) ?? false;
    if (isSame && !(tighten && before?.mode !== mode)) {
      await restrict?.(target);
      return;
    }
    let takeBack = async () => {};
    if (!own) noteChange();
    try {
      makeDirectory(dirname(target), tighten ? directoryModes.own : directoryModes.shared);
      const known = {
        ...linkTo(target, path),
        directories,
        ...(signedOut === undefined ? {} : {signedOut}),
        ...(isSignOut ? {isSignOut} : {}),
        ...(within ? {root: within.root} : {}),
      };
      if (journaled) takeBack = await journal.record({path: target, ...known, before, after: bytes, tokens});
      if (isSame) {
        if (!(await changeMode(target, mode))) await takeBack();
      } else {
        const replacing = {mode: before && !tighten ? before.mode : mode, own, reserved, restrict};
        const replace = (at: string) => replaceFile(at, bytes, replacing);
        await (within ? inHeldDirectory(target, within, replace) : replace(target));
      }
    } catch (error) {
      await takeBack();
      throw writeFailure(path, error, before !== undefined);
    }
  };

  const remove: Files['remove'] = async (path, {journal: journaled = false, tokens = [], within} = {}) => {
    // A link belongs to the person: this program wrote the file that it leads to, and removes that file.
    const target = await targetWithin(path, within);
    let takeBack = async () => {};
    try {
      const before = journaled ? await read(target) : undefined;
      const known = {...linkTo(target, path), ...(within ? {root: within.root} : {})};
      const spans = {before: tokens, after: []};
      if (before) takeBack = await journal.record({path: target, ...known, before, after: null, tokens: spans});
      noteChange();
      const removeAt = (at: string) => rm(at, {force: true});
      await (within ? inHeldDirectory(target, within, removeAt) : removeAt(target));
    } catch (error) {
      await takeBack();
      throw writeFailure(path, error, true);
    }
  };

  const check: Files['check'] = async (path, {overwriteReadOnly = true, within} = {}) => {
    const target = await targetWithin(path, within);
    const stats = await stat(target).catch(() => undefined);
    try {
      if (stats && ((await isWrittenInPlace(target, false)) || belongsToAnother(stats))) {
        await access(target, constants.W_OK);
      } else {
        // A file where the directory should be is an error, as it is for the write.
        const directory = await existingPart(dirname(target));
        await readdir(directory);
        await access(directory, constants.W_OK);
        await refuseFull(directory);
      }
    } catch (error) {
      throw writeFailure(path, error, (await read(target)) !== undefined);
    }
    if (stats?.isFile() && (stats.mode & 0o222) === 0 && !overwriteReadOnly) {
      throw new SetupError('local-file-read-only', `${path} is read-only (mode ${(stats.mode & 0o777).toString(8)}).`, {
        about: {path},
      });
    }
  };

  const clean: Files['clean'] = async path => {
    const target = await targetOf(path);
    await removeDeadTemporaries(dirname(target), basename(target)).catch(() => undefined);
  };

  const removeLeftovers: Files['removeLeftovers'] = async paths =>
    (await import('./remove-leftovers.ts')).removeLeftovers(paths, locks);

  const exists: Files['exists'] = path =>
    stat(path).then(
      () => true,
      () => false,
    );

  const withLock: Files['withLock'] = async (path, work, {within, ...wait} = {}) => {
    // The lock is created beside the file: if the path led out of `within`, so would the lock’s.
    await targetWithin(path, within);
    const lock = await lockFile(path, locks, wait).catch(error => {
      throw writeFailure(path, error);
    });
    noteChange();
    try {
      const result = await work();
      // If the lock was taken away while it was held (a suspended laptop), another process may have had it.
      if (lock.isLost) throw new SetupError('local-locked', `This process lost its lock on ${path}.`, {about: {path}});
      return result;
    } finally {
      // The work is done, or has failed for its own reason. A lock that stays is taken over later as abandoned.
      await lock.release().catch(() => undefined);
    }
  };

  const holdsOther: Files['holdsOther'] = async (path, known) => {
    const stats = await lstat(path).catch(() => undefined);
    if (!stats?.isDirectory()) return stats !== undefined && ![...known].some(one => isSamePath(one, path));
    // One other file is enough, and most directories soon show one.
    for (const name of await readdir(path).catch(() => [])) {
      if (await holdsOther(join(path, name), known)) return true;
    }
    return false;
  };

  const isForOwner: Files['isForOwner'] = async path => {
    const found = await read(path);
    if (!found) return lists === undefined;
    return lists ? lists.isRestricted(await targetOf(path)) : (found.mode & 0o077) === 0;
  };

  const list: Files['list'] = directory => readdir(directory).catch(() => []);

  const madeFor: Files['madeFor'] = async (path, known) => {
    const made: string[] = [];
    for (
      let at = dirname(await targetOf(path));
      known.some(one => isSamePath(one, at)) || !(await exists(at));
      at = dirname(at)
    ) {
      if (dirname(at) === at) break;
      made.push(at);
    }
    return made;
  };

  const removeEmpty: Files['removeEmpty'] = async (directories, within) => {
    for (const directory of directories) {
      // A directory that has other contents by now is not empty, and stays.
      await targetWithin(directory, within)
        .then(rmdir, () => undefined)
        .catch(() => undefined);
    }
  };

  const reserve: Files['reserve'] = async (path, size) => {
    const target = await targetOf(path);
    try {
      return await reserveFile(target, size, true, lists?.restrict);
    } catch (error) {
      throw writeFailure(path, error, (await read(target)) !== undefined);
    }
  };

  return {
    ...{exists, holdsOther, list, madeFor, read, write, remove, removeEmpty, check, reserve, isForOwner},
    ...{leftoversOf, removeLeftovers, clean, withLock},
    isLocked: path => isLocked(path, locks),
    targetOf: targetWithin,
  };
};

const noTokens = {before: [], after: []};

const targetWithin = (path: string, within: Confinement | undefined): Promise<string> =>
  within ? confinedTarget(path, within) : targetOf(path);

/**
 * Returns the permission bits. Windows has none, so every file there counts as having the mode of this program's own
 * files.
 */
const modeOf = ({mode}: Stats): number => (process.platform === 'win32' ? OWN_MODE : mode & 0o777);

/** The mode of this program's own files. */
const OWN_MODE = 0o600;

const linkTo = (target: string, path: string) => (target === path ? {} : {link: path});

/**
 * Changes the mode of a file.
 *
 * @returns false if the file system keeps no modes, so that nothing has changed
 */
const changeMode = async (path: string, mode: number): Promise<boolean> => {
  const {mode: before} = await stat(path);
  await setMode({chmod: one => chmod(path, one)}, mode);
  return (await stat(path)).mode !== before;
};

const sameBytes = (found: Buffer | undefined, expected: Buffer | null) =>
  expected === null ? found === undefined : (found?.equals(expected) ?? false);
