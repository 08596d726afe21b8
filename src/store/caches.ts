import type {EraStore, Files, KeptDocument, ProviderDocuments, ProviderStore, VersionStore} from '../ports/storage.ts';
import {formatJson, isObject, readJsonFile} from './json-files.ts';

/**
 * Creates the store of identity providers' metadata and keys, in a file of its own, so that a renewal takes one
 * request. Nothing in it is secret, but a change to it could redirect refresh tokens: it is readable and writable by
 * its owner only.
 *
 * @param now milliseconds since the epoch
 */
export const createProviderStore = (files: Files, path: string, now: () => number): ProviderStore => {
  const read = async (): Promise<Readonly<Record<string, ProviderDocuments>>> => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    if (json?.version !== 1 || !isObject(json.providers)) return {};
    return Object.fromEntries(
      Object.entries(json.providers).map(([issuer, documents]) => [
        issuer,
        isObject(documents) ? fresh(documents, now()) : {},
      ]),
    );
  };
  const learnt = new Map<string, ProviderDocuments>();
  return {
    get: async issuer => fresh(learnt.get(issuer) ?? (await read())[issuer] ?? {}, now()),
    put: async (issuer, documents) => {
      const {metadata, keys} = {...(learnt.get(issuer) ?? (await read())[issuer]), ...documents};
      learnt.set(issuer, {...(metadata ? {metadata} : {}), ...(keys ? {keys} : {})});
    },
    keep: async () => {
      if (learnt.size === 0) return;
      const providers = {...(await read()), ...Object.fromEntries(learnt)};
      const options = {mode: 0o600, tighten: true, own: true, journal: false};
      await files.write(path, formatJson({version: 1, providers}), options).catch(() => undefined);
    },
  };
};

const fresh = ({metadata, keys}: Readonly<Record<string, unknown>>, now: number): ProviderDocuments => ({
  ...(isFreshDocument(metadata, now) ? {metadata} : {}),
  ...(isFreshDocument(keys, now) ? {keys} : {}),
});

/** More than the longest time for which a document is kept, in milliseconds: a clock that was ahead set a longer one. */
const LONGEST = 25 * 60 * 60 * 1000;

const isFreshDocument = (document: unknown, now: number): document is KeptDocument =>
  isObject(document) &&
  isObject(document.body) &&
  typeof document.until === 'number' &&
  document.until > now &&
  document.until - now <= LONGEST;

/**
 * Creates the store of the versions that programs reported, in a file of its own. A version is valid as long as the
 * program's file has not changed. A file in another format is treated as empty.
 *
 * @param stateOf returns a text that differs if a file may have changed
 */
export const createVersionStore = (files: Files, path: string, stateOf: (program: string) => string): VersionStore => {
  const read = async (): Promise<Readonly<Record<string, unknown>>> => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    return json?.version === 1 && isObject(json.programs) ? json.programs : {};
  };
  // All assistants are asked for their versions at the same time, so one read serves them all.
  let found: ReturnType<typeof read> | undefined;
  const learnt = new Map<string, {readonly state: string; readonly said: string}>();
  return {
    get: async program => {
      found ??= read();
      const cached = (await found)[program];
      return isObject(cached) && cached.state === stateOf(program) && typeof cached.said === 'string'
        ? cached.said
        : undefined;
    },
    put: (program, version) => void learnt.set(program, {state: stateOf(program), said: version.slice(0, MOST)}),
    keep: async () => {
      found = undefined;
      const known = await read();
      const programs = {...known, ...Object.fromEntries(learnt)};
      if (JSON.stringify(programs) === JSON.stringify(known)) return;
      const options = {mode: 0o600, tighten: true, own: true, journal: false};
      await files.write(path, formatJson({version: 1, programs}), options).catch(() => undefined);
    },
  };
};

/** The longest report that is kept, in characters. */
const MOST = 200;

/**
 * Creates the store of the servers that speak only one era of MCP, by address, in a file of its own. If the assistant
 * speaks the other era, the next bridge translates from the start. A record expires after a day, because servers are
 * upgraded.
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
    return Object.fromEntries(Object.entries(json.servers).filter(([, found]) => isFreshEra(found, now())));
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
const isFreshEra = (found: unknown, now: number): boolean =>
  isObject(found) && typeof found.until === 'number' && found.until > now && found.until - now <= DAY;
