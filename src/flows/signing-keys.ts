import {SetupError} from '../errors/errors.ts';
import type {HttpReply} from '../ports/ports.ts';
import {namedAddress} from './foreign-address.ts';
import {isSuccess, type JsonObject, readJson, statusError} from './http-answers.ts';

type Get = (address: URL) => Promise<HttpReply>;

/**
 * Returns the identifiers of the keys that verify an identity provider's tokens (RFC 7517 4.5); undefined if its
 * metadata names no keys.
 *
 * @throws SetupError by the answer; `platform-invalid-answer` if it is no set of keys
 */
export const publishedKeys = async (
  metadata: JsonObject | undefined,
  get: Get,
): Promise<readonly string[] | undefined> => {
  const url = namedAddress(metadata?.jwks_uri);
  if (!url) return undefined;
  const reply = await get(url);
  if (!isSuccess(reply)) throw statusError(reply, url, {isOpen: true});
  const {keys} = readJson(reply, url);
  if (!Array.isArray(keys))
    throw new SetupError('platform-invalid-answer', `${url.href} did not return the keys that sign its ID tokens.`, {
      about: {url: url.href},
    });
  return keys.flatMap((key: {kid?: unknown} | null) => (typeof key?.kid === 'string' ? [key.kid] : []));
};

/** Returns the sentence that says that a token is signed with a key that its issuer no longer publishes. */
export const replacedKey = (issuer: string): string =>
  `The token is signed with a key that ${issuer} no longer publishes: the provider was reinstalled, or its keys were replaced.`;

/**
 * Whether an identity provider no longer publishes a signing key, as after a reinstallation. False if that cannot be
 * found out.
 *
 * @param keyId the ID of the key (RFC 7515 4.1.4)
 * @param metadata reads the provider's metadata
 */
export const isKeyReplaced = async (
  keyId: string | undefined,
  metadata: () => Promise<JsonObject | undefined>,
  get: Get,
): Promise<boolean> => {
  if (keyId === undefined) return false;
  try {
    const published = await publishedKeys(await metadata(), get);
    return published !== undefined && !published.includes(keyId);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return false;
  }
};
