import {createHash, randomBytes} from 'node:crypto';
import {mkdir, open, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {ACCESS_TOKEN, SIGNED_OUT} from '../../domain/sign-in/signed-out.ts';
import type {FileContents, Journal, JournalEntry, KeptContents} from '../storage.ts';
import {refuseOpen} from './refuse-open.ts';
import {limits, readRegular} from './regular-file.ts';

/** Keeps a copy of what a write is about to replace, and gives it back. */
export type WritableJournal = Journal & {
  /**
   * @returns how to take the record back, when the write did not happen
   */
  record(write: JournaledWrite): Promise<() => Promise<void>>;
};

export type JournaledWrite = {
  readonly path: string;
  /** As which it is written, where that is a link to it. */
  readonly link?: string;
  readonly before: FileContents | undefined;
  /** Null when the file is removed. */
  readonly after: Buffer | null;
  /** Tokens of our own in the bytes, old and new. None of them is kept. */
  readonly hidden: readonly string[];
  /** What a sign-out makes of the bytes, where that is known better than by those tokens. */
  readonly signedOut?: string;
};

/**
 * What was written where, with the old bytes, so that a file can be put back. One file per write, readable by its owner
 * only, because another program's file may hold that program's secrets. Our own access tokens are left out of the copy:
 * they have no business outside the credentials file and the entry itself, and a fresh one is put in on the way back.
 */
export const createJournal = (directory: string, now: () => number): WritableJournal => {
  // What one start of the program writes is put back together.
  const run = `${new Date(now()).toISOString()}-${process.pid}`;
  let writes = 0;

  const record: WritableJournal['record'] = async ({path, link, before, after, hidden, signedOut}) => {
    await mkdir(directory, {recursive: true, mode: 0o700});
    writes += 1;
    const at = new Date(now()).toISOString();
    const entry = {
      version: 1,
      run,
      at,
      path,
      ...(link === undefined ? {} : {link}),
      before: before ? describe(before, hidden) : null,
      after: after && digest(after),
      ...signedOutOf(after, hidden, signedOut),
    };
    // The names sort by time, also those of one millisecond.
    const order = String(writes).padStart(4, '0');
    const name = `${at.replaceAll(/[:.]/g, '-')}-${order}-${randomBytes(4).toString('hex')}.json`;
    const file = join(directory, name);
    const handle = await open(file, 'wx', 0o600);
    const takeBack = () => rm(file, {force: true});
    try {
      await handle.writeFile(`${JSON.stringify(entry, null, 2)}\n`);
      await handle.sync();
    } catch (error) {
      await takeBack().catch(() => undefined);
      throw error;
    } finally {
      await handle.close();
    }
    return takeBack;
  };

  const list: Journal['list'] = async () => {
    const names = (await readdir(directory).catch(() => [])).filter(name => name.endsWith('.json')).sort();
    // What stands in it is written back to the person's files.
    refuseOpen(names.map(name => join(directory, name)));
    const entries = await Promise.all(names.map(name => readEntry(directory, name)));
    return entries.filter(entry => entry !== undefined);
  };

  return {record, list, forget: async ({id}) => rm(join(directory, id), {force: true})};
};

/** An entry that does not read is passed over: there is nothing that it could put back. */
const readEntry = async (directory: string, name: string): Promise<JournalEntry | undefined> => {
  try {
    const {run, at, path, link, before, after, signedOut} = JSON.parse(
      (await readRegular(join(directory, name), limits.copy)).bytes.toString('utf8'),
    );
    if (typeof run !== 'string' || typeof path !== 'string') return undefined;
    if (typeof after !== 'string' && after !== null) return undefined;
    return {
      ...{id: name, run, at, path, before, after},
      ...(typeof link === 'string' ? {link} : {}),
      ...(typeof signedOut === 'string' ? {signedOut} : {}),
    };
  } catch {
    return undefined;
  }
};

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A sign-out changes the file too, and is no change that anybody else made. */
const signedOutOf = (after: Buffer | null, hidden: readonly string[], given?: string): {signedOut?: string} => {
  const text = after?.toString('utf8') ?? '';
  const signedOut = given ?? hidden.reduce((masked, token) => masked.replaceAll(`Bearer ${token}`, SIGNED_OUT), text);
  return signedOut === text ? {} : {signedOut: digest(Buffer.from(signedOut, 'utf8'))};
};

const describe = ({bytes, mode}: FileContents, hidden: readonly string[]): KeptContents => {
  const text = bytes.toString('utf8');
  // Bytes that are no text come back only as bytes, and hold no entry of ours.
  if (!Buffer.from(text, 'utf8').equals(bytes)) return {mode, base64: bytes.toString('base64')};
  return {mode, text: hidden.reduce((masked, token) => masked.replaceAll(token, ACCESS_TOKEN), text)};
};
