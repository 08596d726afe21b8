import {rmSync} from 'node:fs';
import {fingerprintOf} from '../domain/fingerprint.ts';

/** A second request for a token within this time, in milliseconds, may mean that the server refused the token. */
const SOON = 60_000;

type TextFile = {
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
};

/** A token that was handed out, and when its server last accepted it, in milliseconds since the epoch. */
type HelperToken = {readonly token: string; readonly at: number; readonly checkedAt?: number};

type All = {readonly [key: string]: HelperToken};

/**
 * Creates the record of the tokens that helpers have handed out lately. An assistant runs its helper again if the
 * server has refused the token, but also when it connects a second time. Only the server can tell which of the two it
 * is.
 *
 * It is read and written synchronously: the assistant is waiting, and the helper has nothing else to do in the
 * meantime. If the file cannot be read or written, the record is forgotten.
 *
 * @param path of the file. It holds no token: a token is identified by a part of its SHA-256
 * @param text reads and writes a regular file of this program's own; an error counts as an empty file
 */
export const createHelperTokens = (path: string, text: TextFile) => {
  const read = (): All => {
    try {
      const all: All = JSON.parse(text.read(path));
      return typeof all === 'object' && all !== null ? all : {};
    } catch {
      return {};
    }
  };
  const write = (key: string, one: HelperToken) => {
    try {
      text.write(path, JSON.stringify({...read(), [key]: one}));
    } catch (error) {
      // The next request is then treated as the first. A file that a full disk has cut short is of no use.
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') rmSync(path, {force: true});
    }
  };
  return {
    /**
     * Records that a token is handed out.
     *
     * @param key what the token is handed out for
     * @param now milliseconds since the epoch
     */
    note: (key: string, token: string, now: number): void => {
      const {[key]: last} = read();
      const fingerprint = fingerprintOf(token);
      const checked = last?.token === fingerprint && last.checkedAt !== undefined ? {checkedAt: last.checkedAt} : {};
      write(key, {token: fingerprint, at: now, ...checked});
    },
    /** Whether the server has to be asked about the token before it is handed out again. */
    isDoubtful: (key: string, token: string, now: number): boolean => {
      const {[key]: last} = read();
      if (last?.token !== fingerprintOf(token)) return false;
      const isSoon = (at: number | undefined) => at !== undefined && at <= now && now - at < SOON;
      return isSoon(last.at) && !isSoon(last.checkedAt);
    },
    /** Records that the server has just accepted the token. */
    noteChecked: (key: string, token: string, now: number): void =>
      write(key, {token: fingerprintOf(token), at: now, checkedAt: now}),
  };
};

/** Returns the key of a token: what it is handed out for. */
export const helperTokenKey = (context: string, server: string): string => `${context} ${server}`;
