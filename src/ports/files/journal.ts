import {isUtf8} from 'node:buffer';
import {randomBytes} from 'node:crypto';
import {open, readdir, rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {sha256} from '../../domain/fingerprint.ts';
import {cutTokens, type TokenCut, withSignedOut} from '../../domain/token-spans.ts';
import type {FileContents, Journal, JournalEntry, TokensInFile} from '../storage.ts';
import {readFailure} from './file-errors.ts';
import {directoryModes, handOver, makeDirectory, sync} from './owner.ts';
import {limits, readRegular, refuseOpen} from './regular-file.ts';

/** The journal, with the function that keeps a copy of what a write will replace. */
export type WritableJournal = Journal & {
  /**
   * Records a write before it is made.
   *
   * @returns a function that takes the record back if the write did not happen
   */
  record(write: JournaledWrite): Promise<() => Promise<void>>;
};

export type JournaledWrite = {
  readonly path: string;
  /** The link under which the file is written, if `path` is the target of one. */
  readonly link?: string;
  readonly before: FileContents | undefined;
  /** Null if the file is removed. */
  readonly after: Buffer | null;
  /** The positions of this program's tokens in the old and the new bytes. None of them is kept. */
  readonly tokens: TokensInFile;
  /** True for the write of a sign-out. */
  readonly isSignOut?: true;
  /** The text that a sign-out leaves, if it does more than cut out those tokens. */
  readonly signedOut?: string;
  readonly directories?: readonly string[];
  /** The directory that the file has to be in, if it is confined to one. */
  readonly root?: string;
};

/** Largest text that is kept in its entry, in bytes. A larger one gets a file of its own: listing reads all entries. */
const LARGE = 1024 * 1024;

/**
 * Creates the journal: which file was written, with its old bytes, so that it can be restored. There is one file per
 * write, readable by its owner only, because another program's file may contain that program's secrets. This program's
 * access tokens are cut out of the copy by their position: they belong only in the credentials and in the entry itself.
 * Nothing else in the copy is changed.
 *
 * @param command the command that writes, without its arguments, which may be secret
 */
export const createJournal = (directory: string, now: () => number, command?: string): WritableJournal => {
  // The writes of one run of the program are undone together.
  const run = `${new Date(now()).toISOString()}-${process.pid}`;
  let writes = 0;

  const record: WritableJournal['record'] = async write => {
    const {path, link, before, after, tokens, signedOut, isSignOut, directories = [], root} = write;
    makeDirectory(directory, directoryModes.own);
    writes += 1;
    const at = new Date(now()).toISOString();
    // The names sort by time, including those of one millisecond.
    const order = String(writes).padStart(4, '0');
    const name = `${at.replaceAll(/[:.]/g, '-')}-${order}-${randomBytes(4).toString('hex')}`;
    const [file, copy] = [join(directory, `${name}.json`), `${name}.copy`];
    const {bytes, cuts} = cutTokens(before?.bytes ?? Buffer.alloc(0), tokens.before);
    const isApart = bytes.length > LARGE && isUtf8(bytes);
    const entry = {
      version: 1,
      run,
      at,
      ...(command === undefined ? {} : {command}),
      path,
      ...(link === undefined ? {} : {link}),
      before: before
        ? {mode: before.mode, ...(cuts.length > 0 ? {cuts} : {}), ...(isApart ? {copy} : describe(bytes))}
        : null,
      after: after && sha256(after),
      ...signedOutOf(after, tokens, signedOut),
      ...(isSignOut ? {isSignOut} : {}),
      ...(directories.length > 0 ? {directories} : {}),
      ...(root === undefined ? {} : {root}),
    };
    const takeBack = async () => {
      await rm(file, {force: true});
      if (isApart) await rm(join(directory, copy), {force: true});
    };
    try {
      // Written first, so that no entry names a copy that does not exist.
      if (isApart) await create(join(directory, copy), bytes);
      await create(file, `${JSON.stringify(entry, null, 2)}\n`);
    } catch (error) {
      await takeBack().catch(() => undefined);
      throw error;
    }
    return takeBack;
  };

  const list: Journal['list'] = async () => {
    const names = (await readdir(directory).catch(() => [])).filter(name => /\.(json|copy)$/.test(name)).sort();
    // Their contents are written back to the person's files.
    refuseOpen(names.map(name => join(directory, name)));
    const own = names.filter(name => name.endsWith('.json'));
    const entries = await Promise.all(own.map(name => readEntry(directory, name)));
    return entries.filter(entry => entry !== undefined);
  };

  const damaged: Journal['damaged'] = async () => {
    const names = (await readdir(directory).catch(() => [])).filter(name => name.endsWith('.json')).sort();
    const entries = await Promise.all(names.map(name => readEntry(directory, name)));
    return names.filter((_, index) => entries[index] === undefined).map(name => join(directory, name));
  };

  const read: Journal['read'] = async contents => {
    if ('text' in contents) return Buffer.from(contents.text, 'utf8');
    if ('base64' in contents) return Buffer.from(contents.base64, 'base64');
    const path = join(directory, basename(contents.copy));
    try {
      return (await readRegular(path, limits.copy)).bytes;
    } catch (error) {
      throw readFailure(path, error);
    }
  };

  const forget: Journal['forget'] = async ({id, before}) => {
    await rm(join(directory, id), {force: true});
    if (before && 'copy' in before) await rm(join(directory, basename(before.copy)), {force: true});
  };

  return {record, list, damaged, read, forget};
};

const create = async (path: string, contents: string | Buffer): Promise<void> => {
  const handle = await open(path, 'wx', 0o600);
  try {
    handOver(path);
    await handle.writeFile(contents);
    await sync(handle);
  } finally {
    await handle.close();
  }
};

/** Reads an entry; undefined if it cannot be read, because it could not restore anything. */
const readEntry = async (directory: string, name: string): Promise<JournalEntry | undefined> => {
  try {
    const {run, at, command, path, link, before, after, signedOut, isSignOut, directories, root} = JSON.parse(
      (await readRegular(join(directory, name), limits.copy)).bytes.toString('utf8'),
    );
    if (typeof run !== 'string' || typeof path !== 'string') return undefined;
    if (typeof after !== 'string' && after !== null) return undefined;
    return {
      ...{id: name, run, at, path, before: withGoodCuts(before), after},
      ...(typeof command === 'string' && /^[a-z -]{1,40}$/.test(command) ? {command} : {}),
      ...(typeof link === 'string' ? {link} : {}),
      ...(typeof signedOut === 'string' ? {signedOut} : {}),
      ...(isSignOut === true ? {isSignOut} : {}),
      ...(Array.isArray(directories) ? {directories: directories.filter(one => typeof one === 'string')} : {}),
      ...(typeof root === 'string' ? {root} : {}),
    };
  } catch {
    return undefined;
  }
};

/**
 * Checks the positions at which tokens were cut out: undo needs them to restore the file.
 *
 * @throws Error if they are not usable
 */
const withGoodCuts = (before: JournalEntry['before']): JournalEntry['before'] => {
  const cuts: readonly TokenCut[] = before?.cuts ?? [];
  const isGood = cuts.every(
    ({at, token}, index) => Number.isInteger(at) && at >= (cuts[index - 1]?.at ?? 0) && typeof token === 'string',
  );
  if (!isGood) throw new Error('The places of tokens are not known.');
  return before;
};

/**
 * Returns the digest of the bytes that a sign-out leaves. A sign-out changes the file too, but is not a foreign change.
 */
const signedOutOf = (after: Buffer | null, tokens: TokensInFile, text?: string): {signedOut?: string} => {
  if (after === null) return {};
  const signedOut = text === undefined ? withSignedOut(after, tokens.after) : Buffer.from(text, 'utf8');
  return signedOut.equals(after) ? {} : {signedOut: sha256(signedOut)};
};

/** Bytes that are not text are kept in base64. */
const describe = (bytes: Buffer) =>
  isUtf8(bytes) ? {text: bytes.toString('utf8')} : {base64: bytes.toString('base64')};
