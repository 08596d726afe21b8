import {randomBytes} from 'node:crypto';
import {
  access,
  chmod,
  constants,
  type FileHandle,
  lstat,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {endsWell, isAlive} from '../processes/processes.ts';
import type {PathTo} from '../processes/programs.ts';
import type {Reservation} from '../storage.ts';
import {codeOf} from './error-code.ts';
import {directoryModes, handOver, isSuperuser, makeDirectory, setMode, sync} from './owner.ts';

/** The paths of `cp` on different systems; PATH may lead to another program. */
const places: readonly PathTo<'cp'>[] = ['/bin/cp', '/usr/bin/cp', '/run/current-system/sw/bin/cp'];

/** Flags that copy everything except the contents. On macOS the contents are copied too, and then overwritten. */
const flags = process.platform === 'darwin' ? ['-p'] : ['--attributes-only', '--preserve=all'];

/** The group's permissions, which may in fact be the mask of an access list (acl(5)). */
const GROUP = 0o070;

/**
 * Gives a new file the attributes of the file that it will replace: owner, group, access list and extended attributes.
 * Node supports neither of the last two, so the system's `cp` copies them.
 *
 * @param to an empty file, open as `handle`
 * @param copy the paths of `cp`; the first that exists is used
 * @returns false if the new file lacks something that protects the old one from other users, and so must not replace it
 */
export const copyAttributes = async (
  from: string,
  to: string,
  handle: FileHandle,
  copy: readonly string[] = places,
): Promise<boolean> => {
  if (process.platform === 'win32') return true;
  const isCopied = await runCopy([...flags, '--', from, to], copy);
  await handle.truncate(0);
  const [one, other] = await Promise.all([stat(from), handle.stat()]);
  if (one.uid !== other.uid || one.gid !== other.gid) {
    // The person may not be allowed to give a file to that group.
    const isGiven = await handle.chown(one.uid, one.gid).then(
      () => true,
      () => false,
    );
    if (!isGiven) return false;
  }
  return isCopied || (one.mode & GROUP) === 0;
};

const runCopy = async (args: readonly string[], copy: readonly string[]): Promise<boolean> => {
  const found = await firstOf(copy);
  if (found === undefined) return false;
  return endsWell(found, args);
};

const firstOf = async (programs: readonly string[]): Promise<string | undefined> => {
  for (const program of programs) {
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
};

/** How many links in a row are followed; as many as Linux does (path_resolution(7)). */
const MOST_LINKS = 40;

/**
 * Returns where a write to `path` lands: every link is resolved, of the file and of the directories above it, even if
 * nothing exists yet at its target. If links lead in a circle, one of them is returned.
 */
export const targetOf = async (path: string, links = 0): Promise<string> => {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined) return found;
  const directory = dirname(path);
  if (directory === path || links > MOST_LINKS) return path;
  const parent = await targetOf(directory, links);
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? join(parent, basename(path)) : targetOf(resolve(parent, link), links + 1);
};

/** Returns the name of a temporary file that will replace another. */
export const temporaryName = (name: string, random: string): string => `.${name}.${process.pid}-${random}.tmp`;

/**
 * Removes the temporary files of processes that have ended. A kill between write and rename leaves one, possibly with a
 * token.
 */
export const removeDeadTemporaries = async (directory: string, name: string): Promise<void> => {
  for (const entry of await readdir(directory)) {
    if (isDeadTemporary(entry, name)) await rm(join(directory, entry), {force: true});
  }
};

/** Whether a name is that of a temporary file for `name` whose writer has ended. */
export const isDeadTemporary = (entry: string, name: string): boolean => {
  const writer = writerOf(entry, name);
  return writer !== undefined && !isAlive(writer);
};

/**
 * Returns everything beside one of this program's own files that has its old or new contents: temporary files of any
 * process, and files that were set aside because they could not be read. The caller holds the file's lock, so no other
 * process writes.
 *
 * @param path may be a link: temporary files lie beside the file that it leads to, set-aside files beside the link
 */
export const leftoversOf = async (path: string): Promise<readonly string[]> => {
  const found = [path, await targetOf(path)].map(async one => {
    const [directory, name] = [dirname(one), basename(one)];
    const entries = await readdir(directory).catch(() => []);
    return entries
      .filter(entry => {
        const rest = entry.startsWith(name) ? entry.slice(name.length) : '';
        return writerOf(entry, name) !== undefined || rest.startsWith('.bad-');
      })
      .map(entry => join(directory, entry));
  });
  return [...new Set((await Promise.all(found)).flat())];
};

/** Returns the number of the process that wrote a temporary file. */
const writerOf = (entry: string, name: string): number | undefined => {
  const writer = entry.startsWith(`.${name}.`)
    ? /^\.(\d+)-[0-9a-f]+\.tmp$/.exec(entry.slice(name.length + 1))?.[1]
    : undefined;
  return writer === undefined ? undefined : Number(writer);
};

/**
 * Whether something is mounted on a file itself, as containers do with single files (`docker -v FILE:FILE`, `subPath`).
 * Such a file can be neither replaced by a rename nor removed.
 *
 * @param path without links
 * @param table the mounts of this process (proc_pid_mountinfo(5)); systems other than Linux have no such table, so
 *   nothing counts as mounted there
 */
export const isMountPoint = async (path: string, table = '/proc/self/mountinfo'): Promise<boolean> => {
  const mounts = await readFile(table, 'utf8').catch(() => '');
  return mounts.split('\n').some(line => unescaped(line.split(' ')[4] ?? '') === path);
};

/** Decodes blanks and similar characters, which are written as octal digits. */
const unescaped = (field: string): string =>
  field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Error codes of Windows while another program has the target open: an editor, a virus scanner. */
const inUse: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** How long to wait until the target is closed, and the pause between two attempts, in milliseconds. */
const [LONGEST, PAUSE] = [4_000, 100];

type System = {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Promise<void>;
  readonly pause?: (ms: number) => Promise<unknown>;
};

/**
 * Replaces a file by another. Windows refuses that while a program has the target open. Most programs do so only for a
 * moment, so this tries again for some seconds. On other systems an error is final.
 *
 * @throws Node's error; on Windows, if the target is still open after that time, an error with the code `EBUSY`
 */
export const renameOver = async (from: string, to: string, system: System = {}): Promise<void> => {
  const {platform = process.platform} = system;
  const [move, wait] = [system.rename ?? rename, system.pause ?? pause];
  for (let waited = 0; ; waited += PAUSE) {
    try {
      await move(from, to);
      return;
    } catch (error) {
      if (platform !== 'win32' || !inUse.has(codeOf(error))) throw error;
      if (waited >= LONGEST) throw Object.assign(new Error(`${to} is in use.`, {cause: error}), {code: 'EBUSY'});
    }
    await wait(PAUSE);
  }
};

const OWNER_WRITES = 0o200;

/**
 * Writes new contents into an existing file that cannot be replaced. The room for larger contents is taken first,
 * after the old ones, so a full disk leaves those as they were. After any other failure they are written back, as far
 * as the file system allows.
 *
 * @param mode the new permission bits
 * @throws the file system's own error
 */
export const writeInPlace = async (path: string, bytes: Buffer, mode: number): Promise<void> => {
  const handle = await openToWrite(path);
  try {
    const former = await handle.readFile();
    // Done before the new contents are in the file: the former mode might expose them.
    if (((await handle.stat()).mode & 0o777) !== mode) await setMode(handle, mode);
    try {
      await writeAt(handle, bytes, former.length);
      await writeAt(handle, bytes.subarray(0, former.length), 0, former.length);
      await handle.truncate(bytes.length);
      await sync(handle);
    } catch (error) {
      await putBack(handle, former);
      throw error;
    }
  } finally {
    await handle.close();
  }
};

/** Opens a file for writing. A user who may change the mode of a write-protected file may write it. */
const openToWrite = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, 'r+');
  } catch (error) {
    const {mode} = await stat(path);
    if ((mode & OWNER_WRITES) !== 0) throw error;
    await chmod(path, (mode | OWNER_WRITES) & 0o777).catch(() => Promise.reject(error));
    return open(path, 'r+');
  }
};

/** Writes the bytes from `start` to `end` to the same position in a file, over its contents. */
export const writeAt = async (handle: FileHandle, bytes: Buffer, start = 0, end = bytes.length): Promise<void> => {
  for (let at = start; at < Math.min(end, bytes.length); ) {
    at += (await handle.write(bytes, at, Math.min(end, bytes.length) - at, at)).bytesWritten;
  }
};

const putBack = async (handle: FileHandle, former: Buffer): Promise<void> => {
  await writeAt(handle, former).catch(() => undefined);
  await handle.truncate(former.length).catch(() => undefined);
};

type Options = {
  /** Permission bits. */
  readonly mode: number;
  /** True for this program's own files, of which only owner, mode and contents matter. */
  readonly own: boolean;
  readonly reserved?: Reservation | undefined;
  readonly restrict?: Restrict | undefined;
};

/** Removes other users' access to a file before the new contents are in it. */
type Restrict = (path: string) => Promise<unknown>;

/**
 * Gives a file new contents: they are written to a temporary file beside it and flushed to disk, and one rename puts
 * that in place, so a reader sees the old file or the new one. Another program's file keeps its owner, group, access
 * list and extended attributes. If they cannot be kept, or if the file cannot be replaced, the contents are written
 * into the existing file.
 */
export const replaceFile = async (
  target: string,
  bytes: Buffer,
  {mode, own, reserved, restrict}: Options,
): Promise<void> => {
  const temporary = reserved ?? (await reserveFile(target, 0, own, restrict));
  try {
    await temporary.write(bytes, mode);
  } catch (error) {
    await temporary.release();
    throw error;
  }
};

/**
 * Whether the existing file itself has to be written: something is mounted on it, nothing can be created beside it, or
 * it is another program's file and has several names (hard links).
 *
 * @param own as `replaceFile` takes it
 */
export const isWrittenInPlace = async (target: string, own: boolean): Promise<boolean> => {
  const stats = await lstat(target).catch(() => undefined);
  if (!stats?.isFile()) return false;
  if ((!own && stats.nlink > 1) || (await isMountPoint(target))) return true;
  return (await isClosed(dirname(target))) && !(await isClosed(target));
};

const isClosed = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => false,
    () => true,
  );

/**
 * Creates the temporary file, already as large as its contents may become. The contents are written over that, and so
 * need no further blocks of the disk.
 *
 * @param own as `replaceFile` takes it
 */
export const reserveFile = async (
  target: string,
  size: number,
  own: boolean,
  restrict?: Restrict,
): Promise<Reservation> => {
  const directory = dirname(target);
  makeDirectory(directory, directoryModes.own);
  if (await isWrittenInPlace(target, own)) {
    await access(target, constants.W_OK);
    await restrict?.(target);
    return inPlace(target);
  }
  await removeDeadTemporaries(directory, basename(target));
  const temporary = join(directory, temporaryName(basename(target), randomBytes(4).toString('hex')));
  const handle = await open(temporary, 'wx', 0o600);
  const release = async () => {
    await handle.close().catch(() => undefined);
    await rm(temporary, {force: true}).catch(() => undefined);
  };
  try {
    handOver(temporary);
    await restrict?.(temporary);
    if (size > 0) await fill(handle, size);
  } catch (error) {
    await release();
    throw error;
  }
  return {
    release,
    write: async (bytes, mode) => {
      if (!(await keepsAll({target, temporary, handle, own}))) {
        await release();
        await writeInPlace(target, bytes, mode);
        return;
      }
      // The temporary file was created for its owner alone.
      await setMode(handle, mode);
      await writeAt(handle, bytes);
      if (size > bytes.length) await handle.truncate(bytes.length);
      await sync(handle);
      await handle.close();
      try {
        await renameOver(temporary, target);
      } catch (error) {
        // EBUSY: something is mounted on the file, although the list of mounts did not name it.
        if (codeOf(error) !== 'EBUSY' || process.platform === 'win32') throw error;
        await writeInPlace(target, bytes, mode);
        await release();
      }
      await syncDirectory(directory);
    },
  };
};

const inPlace = (target: string): Reservation => ({
  release: async () => {},
  write: (bytes, mode) => writeInPlace(target, bytes, mode),
});

type Pair = {
  readonly target: string;
  readonly temporary: string;
  readonly handle: FileHandle;
  readonly own: boolean;
};

/** Gives the temporary file the attributes of the file that it will replace. False if it must not replace that file. */
const keepsAll = async ({target, temporary, handle, own}: Pair): Promise<boolean> => {
  const stats = await lstat(target).catch(() => undefined);
  if (!stats) return true;
  if (!own) return copyAttributes(target, temporary, handle);
  if (isSuperuser() && (await handle.stat()).uid !== stats.uid) await handle.chown(stats.uid, stats.gid);
  return true;
};

/** Fills a file with random bytes, because a file system may allocate no blocks for zeros. */
const fill = async (handle: FileHandle, size: number) => {
  await handle.writeFile(randomBytes(size));
  await sync(handle);
};

/**
 * Flushes the directory, because the rename itself is not on disk before. Windows cannot open a directory and does not
 * need this; elsewhere, too, some file systems and directories do not support it. The file is already in place by then.
 */
const syncDirectory = async (directory: string) => {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r').catch(() => undefined);
  if (!handle) return;
  await sync(handle).catch(() => undefined);
  await handle.close();
};
