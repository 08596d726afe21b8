import {closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync} from 'node:fs';
import {open, stat} from 'node:fs/promises';
import {SetupError} from '../../errors/errors.ts';
import {posixWord} from '../../shell-quoting.ts';
import {openToOthers} from './others.ts';

const MIB = 1024 * 1024;

/** The size of the largest file that is read, in bytes, for each kind of file. */
export const limits = {
  /** This program's own files. */
  own: 4 * MIB,
  /** Files that a flag or a variable names: certificates, keys, values, arguments. */
  given: 16 * MIB,
  /** Another program's files. */
  other: 64 * MIB,
  /** A kept copy of another program's file, as JSON. */
  copy: 128 * MIB,
} as const;

/** The flags to open a file: anything but a regular file must neither block this program nor become its terminal. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** How much is read at a time, in bytes, of a file that does not report its size. */
const CHUNK = 64 * 1024;

/**
 * Thrown if a file is not read. Its message is a sentence that names the file and the reason. It is not a `SetupError`,
 * because its readers report it with different codes: `readFailure` and `whyUnread` convert it.
 */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** Returns why a file was not read, as the end of a sentence. */
export const whyUnread = (error: unknown): string => {
  if (error instanceof UnfitFile) return error.message.replace(/\.$/, '');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return unreadReasons[code] ?? code;
};

const unreadReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in a circle',
};

export type RegularFile = {readonly bytes: Buffer; readonly stats: Stats};

/**
 * Reads a regular file. Anything that would block or never end is refused before it is opened, and no more is read than
 * the limit.
 *
 * @param limit in bytes
 * @throws UnfitFile; otherwise the file system's own error
 */
export const readRegular = async (path: string, limit: number): Promise<RegularFile> => {
  requireRegular(path, await stat(path), limit);
  const handle = await open(path, FLAGS);
  try {
    // Another file may have replaced it.
    const stats = requireRegular(path, await handle.stat(), limit);
    const collected = collectUpTo(path, limit);
    for (let room = stats.size + 1; ; room = CHUNK) {
      const buffer = Buffer.allocUnsafe(Math.min(room, limit + 1));
      // The handles of Yarn's Plug'n'Play read nothing unless the length is given.
      const {bytesRead} = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return {bytes: collected.whole(), stats};
      collected.add(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
};

/** Like `readRegular`, but synchronous, for callers that have nothing else to do in the meantime. */
export const readRegularSync = (path: string, limit: number): RegularFile => {
  requireRegular(path, statSync(path), limit);
  const descriptor = openSync(path, FLAGS);
  try {
    const stats = requireRegular(path, fstatSync(descriptor), limit);
    const collected = collectUpTo(path, limit);
    for (let room = stats.size + 1; ; room = CHUNK) {
      const buffer = Buffer.allocUnsafe(Math.min(room, limit + 1));
      const length = readSync(descriptor, buffer);
      if (length === 0) return {bytes: collected.whole(), stats};
      collected.add(buffer.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
};

const requireRegular = (path: string, stats: Stats, limit: number): Stats => {
  if (!stats.isFile()) {
    throw new UnfitFile(`${path} is ${kindOf(stats)}, not a file.`, 'Move it away, or name another, then try again.');
  }
  if (stats.size > limit) throw tooLarge(path, stats.size, limit);
  return stats;
};

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
};

/** Collects bytes up to the limit, for a file that does not report its size, or grows while it is read. */
const collectUpTo = (path: string, limit: number) => {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add: (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > limit) throw tooLarge(path, size, limit);
    },
    whole: () => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)),
  };
};

const tooLarge = (path: string, size: number, limit: number): UnfitFile =>
  new UnfitFile(
    `${path} is ${inMib(size)} MiB; the limit is ${inMib(limit)} MiB.`,
    'Check that it is the right file. Make it smaller, or move it away.',
  );

const inMib = (bytes: number) => Math.ceil(bytes / MIB);

/**
 * Refuses files that other users can change.
 *
 * @throws SetupError `local-open-to-others`
 */
export const refuseOpen = (paths: readonly string[]): void => {
  const open = openToOthers(paths);
  if (open === undefined) return;
  const [path] = paths;
  const what = path === open ? 'nothing in it' : `nothing in ${path}`;
  throw new SetupError('local-open-to-others', `Others on this machine can change ${open}, so ${what} is used.`, {
    remedy: `Fix: chmod go-w ${posixWord(open)}. Look at what is in it before you go on: others may have written there.`,
    about: {path: open},
  });
};

/**
 * Returns a path with its directories spelled as on disk, if it was typed in another case. macOS and Windows find it in
 * any case, but what an assistant or this program has noted under one name is searched for under the same name.
 * Unchanged if links lie on the way, if nothing exists there, and on every other system.
 */
export const asOnDisk = (
  path: string,
  platform: NodeJS.Platform = process.platform,
  realPath: (path: string) => string = realpathSync.native,
): string => {
  if (platform !== 'darwin' && platform !== 'win32') return path;
  try {
    const real = realPath(path);
    return fold(real) === fold(path) ? real : path;
  } catch {
    return path;
  }
};

/** File systems of macOS may also write an accent as a separate character. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();
