import type {Credentials, CredentialsKey, CredentialsStore, Files} from '../ports/storage.ts';
import {formatJson, invalid, isObject, type JsonObject, readJsonFile} from './json-file.ts';

/** Tokens and client secrets by issuer and client, in a file that only its owner can read (RFC 6750 5.3). */
export const createCredentialsStore = (files: Files, path: string): CredentialsStore => {
  const readAll = async (): Promise<readonly Credentials[]> => {
    const json = await readJsonFile(files, path);
    return json ? parse(json, path) : [];
  };
  const find = (all: readonly Credentials[], key: CredentialsKey) => all.find(one => isSame(one, key));

  const update: CredentialsStore['update'] = (key, change) =>
    files.withLock(path, async () => {
      const all = await readAll();
      const changed = await change(find(all, key));
      const others = all.filter(one => !isSame(one, key));
      const credentials = changed ? [...others, changed] : others;
      await files.write(path, formatJson({version: 1, credentials}), {mode: 0o600, tighten: true, journal: false});
      return changed;
    });

  return {path, get: async key => find(await readAll(), key), update};
};

const isSame = (one: CredentialsKey, other: CredentialsKey) =>
  one.issuer === other.issuer && one.clientId === other.clientId;

const parse = (json: JsonObject, path: string): readonly Credentials[] => {
  if (json.version !== 1) throw invalid(path, `its version is ${String(json.version)}, and this program knows 1`);
  if (!Array.isArray(json.credentials)) throw invalid(path, '"credentials" is not a list');
  return json.credentials.map((value, index) => {
    const usable =
      isObject(value) &&
      typeof value.issuer === 'string' &&
      typeof value.clientId === 'string' &&
      ['clientSecret', 'accessToken', 'refreshToken', 'account'].every(key => isOptional(value[key], 'string')) &&
      ['expiresAt', 'obtainedAt'].every(key => isOptional(value[key], 'number')) &&
      (value.refused === undefined || (isObject(value.refused) && typeof value.refused.at === 'number'));
    if (!usable) throw invalid(path, `credentials[${index}] is not complete`);
    // Every field of the type was looked at above.
    return value as unknown as Credentials;
  });
};

const isOptional = (value: unknown, type: 'string' | 'number') => value === undefined || typeof value === type;
