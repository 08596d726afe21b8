import {createHash, randomBytes} from 'node:crypto';
import {mkdir, open, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {FileContents} from './storage.ts';

/** Keeps a copy of what a write is about to replace. */
export type Journal = {
  /**
   * @param hidden tokens of our own in the old bytes, which are left out of the copy
   * @returns how to take the record back, when the write did not happen
   */
  record(write: JournaledWrite): Promise<() => Promise<void>>;
};

export type JournaledWrite = {
  readonly path: string;
  readonly before: FileContents | undefined;
  readonly after: Buffer;
  readonly hidden: readonly string[];
};

/**
 * What was written where, with the old bytes, so that a file can be put back. One file per write, readable by its owner
 * only, because another program's file may hold that program's secrets. Our own access tokens are left out of the copy:
 * they have no business outside the credentials file and the entry itself, and a fresh one is put in on the way back.
 */
export const createJournal = (directory: string, now: () => number): Journal => ({
  record: async ({path, before, after, hidden}) => {
    await mkdir(directory, {recursive: true, mode: 0o700});
    const at = new Date(now()).toISOString();
    const entry = {
      version: 1,
      path,
      at,
      before: before ? describe(before, hidden) : null,
      after: createHash('sha256').update(after).digest('hex'),
    };
    const name = `${at.replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}.json`;
    const file = join(directory, name);
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(entry, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return () => rm(file, {force: true});
  },
});

const describe = ({bytes, mode}: FileContents, hidden: readonly string[]) => {
  const text = bytes.toString('utf8');
  // Bytes that are no text come back only as bytes, and hold no entry of ours.
  if (!Buffer.from(text, 'utf8').equals(bytes)) return {mode, base64: bytes.toString('base64')};
  return {mode, text: hidden.reduce((masked, token) => masked.replaceAll(token, ACCESS_TOKEN), text)};
};

/** Stands in a kept copy where an access token of ours stood. */
export const ACCESS_TOKEN = '<access token>';
