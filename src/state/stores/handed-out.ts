import {rmSync} from 'node:fs';
import {fingerprintOf} from '../../domain/fingerprint.ts';

/** A helper that is asked twice for the same token within this time may have been asked because it was refused, in ms. */
const SOON = 60_000;

type TextFile = {
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
};

/** A token that was handed out, and that its server was last asked about it, in milliseconds since the epoch. */
type HandedOut = {readonly token: string; readonly at: number; readonly checkedAt?: number};

type All = {readonly [key: string]: HandedOut};

/**
 * Which tokens helpers have handed out lately. Assistants run a helper again when a server has refused what it gave, and
 * also when they connect a second time: which of the two it is only the server can tell.
 *
 * Read and written at once, because a helper is all that an assistant waits for. What cannot be read or kept is forgotten.
 *
 * @param path of the file, which holds no token: a token is known by a part of its SHA-256
 * @param text reads and writes a file that is a file, of this program's own; what it throws counts as none
 */
export const createHandedOut = (path: string, text: TextFile) => {
  const read = (): All => {
    try {
      const all: All = JSON.parse(text.read(path));
      return typeof all === 'object' && all !== null ? all : {};
    } catch {
      return {};
    }
  };
  const write = (key: string, one: HandedOut) => {
    try {
      text.write(path, JSON.stringify({...read(), [key]: one}));
    } catch (error) {
      // Then the next one is taken for the first. What a full disk has cut short is of no use.
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') rmSync(path, {force: true});
    }
  };
  return {
    /**
     * Notes that a token is handed out.
     *
     * @param key what it is handed out for
     * @param now milliseconds since the epoch
     */
    note: (key: string, token: string, now: number): void => {
      const {[key]: last} = read();
      const fingerprint = fingerprintOf(token);
      const checked = last?.token === fingerprint && last.checkedAt !== undefined ? {checkedAt: last.checkedAt} : {};
      write(key, {token: fingerprint, at: now, ...checked});
    },
    /** Whether the server is to be asked before the token is handed out again. */
    isDoubtful: (key: string, token: string, now: number): boolean => {
      const {[key]: last} = read();
      if (last?.token !== fingerprintOf(token)) return false;
      const isSoon = (at: number | undefined) => at !== undefined && at <= now && now - at < SOON;
      return isSoon(last.at) && !isSoon(last.checkedAt);
    },
    /** Notes that the server has taken it just now. */
    noteChecked: (key: string, token: string, now: number): void =>
      write(key, {token: fingerprintOf(token), at: now, checkedAt: now}),
  };
};

/** What a token is handed out for. */
export const handedOutKey = (context: string, server: string): string => `${context} ${server}`;
