import {randomBytes} from 'node:crypto';
import {sha256} from '../domain/fingerprint.ts';
import type {Keychain} from './keychain.ts';

/** Stores bytes by name, like a system's keychain. */
export type SecretEntries = {
  /** Undefined if there is no entry of that name. */
  get(name: string): Promise<Uint8Array | undefined>;
  set(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
};

/** The contents of an entry whose secret is too long for it: the number and the names of the parts, and their hash. */
const index = /^parts:(\d{1,3}):([\da-f]{8}):([\da-f]{64})$/;

/**
 * Keeps secrets of any length in entries that have a limit. A longer secret is cut into parts, with an entry each. They
 * are written under new names, and take effect once the entry itself names them, so that a run that ends in between
 * leaves the former secret.
 *
 * @param most bytes that fit into an entry
 */
export const inParts = (entries: SecretEntries, most: number): Pick<Keychain, 'get' | 'set' | 'remove'> => {
  const textAt = async (name: string) => {
    const bytes = await entries.get(name);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  };

  const namesIn = (account: string, text: string | undefined): readonly string[] => {
    const [, count, generation] = index.exec(text ?? '') ?? [];
    return Array.from({length: Number(count ?? 0)}, (_, at) => `${account}#${generation}.${at + 1}`);
  };

  const removeAll = async (names: readonly string[]) => {
    // An entry that no longer exists need not be removed.
    for (const name of names) await entries.remove(name).catch(() => undefined);
  };

  return {
    get: async account => {
      const text = await textAt(account);
      const [, , , hash] = index.exec(text ?? '') ?? [];
      if (hash === undefined) return text;
      const parts = await Promise.all(namesIn(account, text).map(name => entries.get(name)));
      const whole = Buffer.concat(parts.map(part => part ?? Buffer.alloc(0)));
      if (sha256(whole) !== hash) throw new Error(`Parts of ${account} are missing.`);
      return whole.toString('utf8');
    },
    set: async (account, secret) => {
      const bytes = Buffer.from(secret, 'utf8');
      const before = namesIn(account, await textAt(account).catch(() => undefined));
      if (bytes.length <= most && !index.test(secret)) {
        await entries.set(account, bytes);
      } else {
        const count = Math.ceil(bytes.length / most);
        const text = `parts:${count}:${randomBytes(4).toString('hex')}:${sha256(bytes)}`;
        const names = namesIn(account, text);
        try {
          for (const [at, name] of names.entries()) await entries.set(name, bytes.subarray(at * most, (at + 1) * most));
          await entries.set(account, Buffer.from(text, 'utf8'));
        } catch (error) {
          await removeAll(names);
          throw error;
        }
      }
      await removeAll(before);
    },
    remove: async account => {
      const parts = namesIn(account, await textAt(account).catch(() => undefined));
      await entries.remove(account);
      await removeAll(parts);
    },
  };
};
