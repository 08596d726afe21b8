import {createHash, randomBytes} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Journal} from '../ports/node-files.ts';

type JournalOptions = {
  readonly directory: string;
  readonly now: () => number;
  /** The identity providers whose tokens this program writes. */
  readonly issuers: () => Promise<readonly string[]>;
};

/**
 * What was written where, with the old bytes, so that a file can be put back. One file per write, readable by its owner
 * only, because another program's file may hold that program's secrets. Our own access tokens are left out of the copy:
 * they have no business outside the credentials file and the entry itself, and a fresh one is put in on the way back.
 */
export const createJournal = ({directory, now, issuers}: JournalOptions): Journal => ({
  record: async (path, before, after) => {
    await mkdir(directory, {recursive: true, mode: 0o700});
    const entry = {
      version: 1,
      path,
      at: new Date(now()).toISOString(),
      before: before ? await describe(before.bytes, before.mode, issuers) : null,
      after: createHash('sha256').update(after).digest('hex'),
    };
    const name = `${entry.at.replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}.json`;
    await writeFile(join(directory, name), `${JSON.stringify(entry, null, 2)}\n`, {mode: 0o600, flag: 'wx'});
  },
});

const describe = async (bytes: Buffer, mode: number, issuers: JournalOptions['issuers']) => {
  const text = bytes.toString('utf8');
  // Bytes that are no text come back only as bytes, and hold no entry of ours.
  if (!Buffer.from(text, 'utf8').equals(bytes)) return {mode, base64: bytes.toString('base64')};
  const ours = await issuers();
  return {mode, text: text.replaceAll(JWT, token => (ours.includes(issuerOf(token)) ? ACCESS_TOKEN : token))};
};

/** Stands in a kept copy where an access token of ours stood. */
export const ACCESS_TOKEN = '<access token>';

const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

const issuerOf = (token: string): string => {
  try {
    return String(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')).iss);
  } catch {
    return '';
  }
};
