import type {EraStore, Files} from '../../ports/storage.ts';
import {formatJson, isObject, readJsonFile} from './json-file.ts';

/**
 * Creates the store of the only era of MCP that a server speaks, by the server's address, in a file of its own. The
 * next bridge then translates from the start if the assistant speaks the other era. A record expires after a day,
 * because servers are upgraded.
 *
 * @param fileVersion changes when the file may have changed; `none` if there is no file
 * @param now milliseconds since the epoch
 */
export const createEraStore = (
  files: Files,
  path: string,
  {fileVersion, now}: {readonly fileVersion: (path: string) => string; readonly now: () => number},
): EraStore => {
  const read = async (): Promise<Readonly<Record<string, unknown>>> => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    if (json?.version !== 1 || !isObject(json.servers)) return {};
    return Object.fromEntries(Object.entries(json.servers).filter(([, found]) => isFresh(found, now())));
  };
  return {
    isEmpty: () => fileVersion(path) === 'none',
    get: async url => {
      const found = (await read())[url];
      return isObject(found) && (found.era === 'legacy' || found.era === 'modern') ? found.era : undefined;
    },
    put: async (url, era) => {
      const {[url]: known, ...others} = await read();
      if (isObject(known) ? known.era === era : era === undefined) return;
      const servers = era === undefined ? others : {...others, [url]: {era, until: now() + DAY}};
      const options = {mode: 0o600, tighten: true, own: true, journal: false};
      await files.write(path, formatJson({version: 1, servers}), options).catch(() => undefined);
    },
  };
};

const DAY = 24 * 60 * 60 * 1000;

/** A record that would last longer than a day was written by a clock that was ahead. */
const isFresh = (found: unknown, now: number): boolean =>
  isObject(found) && typeof found.until === 'number' && found.until > now && found.until - now <= DAY;
