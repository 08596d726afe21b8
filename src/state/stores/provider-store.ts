import type {Files, KeptDocument, ProviderDocuments, ProviderStore} from '../../ports/storage.ts';
import {formatJson, isObject, readJsonFile} from './json-file.ts';

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
      Object.entries(json.providers).map(([issuer, kept]) => [issuer, isObject(kept) ? fresh(kept, now()) : {}]),
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
  ...(isFresh(metadata, now) ? {metadata} : {}),
  ...(isFresh(keys, now) ? {keys} : {}),
});

/** The longest time for which a document is kept, in milliseconds. A longer one was set by a clock that was ahead. */
const LONGEST = 25 * 60 * 60 * 1000;

const isFresh = (kept: unknown, now: number): kept is KeptDocument =>
  isObject(kept) &&
  isObject(kept.body) &&
  typeof kept.until === 'number' &&
  kept.until > now &&
  kept.until - now <= LONGEST;
