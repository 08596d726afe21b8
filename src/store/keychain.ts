import {randomBytes} from 'node:crypto';
import {existsSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {AsyncEntry} from '@napi-rs/keyring';
import {sha256} from '../domain/fingerprint.ts';
import type {Env} from '../ports/ports.ts';

/** The operating system's store for secrets. */
export type Keychain = {
  /** The name that people know it by. */
  readonly name: string;
  /** Whether the keychain stores, returns and deletes a secret. Takes a few seconds at most. */
  works(): Promise<boolean>;
  /** Undefined if there is no secret of that account. Rejects if it cannot be read: locked, or unreachable. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
};

/** Stores bytes by name, like a system's keychain. */
export type SecretEntries = {
  /** Undefined if there is no entry of that name. */
  get(name: string): Promise<Uint8Array | undefined>;
  set(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
};

/** The contents of an entry whose secret is too long for it: the number of parts, their name, and the secret's hash. */
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

const SERVICE = 'platform-setup';

const names: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'the macOS keychain',
  win32: 'the Windows Credential Manager',
  linux: 'the desktop’s keyring',
};

/**
 * How long a keychain may take to show that it works, in milliseconds: one that prompts the person is unsuitable for a
 * CLI.
 */
const TIMEOUT = 3_000;

/** How long one secret may take, in milliseconds: a service that hangs must not delay a caller that needs a token. */
const DEADLINE = 10_000;

/** The largest size of an entry of the Credential Manager, in bytes (CRED_MAX_CREDENTIAL_BLOB_SIZE of wincred.h). */
const LONGEST_ON_WINDOWS = 2_560;

/**
 * Opens the system's keychain if there may be one. Undefined if there is certainly none, or if `SETUP_HOME` is set:
 * nothing outside that directory may be touched then. `@napi-rs/keyring` is an optional dependency, loaded only for
 * this.
 */
export const openKeychain = async (env: Env): Promise<Keychain | undefined> => {
  if (env.SETUP_HOME || !mayHaveOne(env)) return undefined;
  try {
    const {AsyncEntry} = await import('@napi-rs/keyring');
    // The kernel's keyring, the other store of Linux, forgets everything at a restart.
    const options = process.platform === 'linux' ? ({linuxStore: 'secret-service'} as const) : undefined;
    const entry = (account: string) => new AsyncEntry(SERVICE, account, options as never);
    const store = inTime(
      process.platform === 'win32'
        ? inParts(entriesOf(entry), LONGEST_ON_WINDOWS)
        : {
            get: async account => (await entry(account).getPassword()) ?? undefined,
            set: (account, secret) => entry(account).setPassword(secret),
            remove: async account => void (await entry(account).deletePassword()),
          },
    );
    const name = names[process.platform] ?? 'the system’s keychain';
    return {name, ...store, works: () => within(TIMEOUT, tryOut(store)).catch(() => false)};
  } catch {
    return undefined;
  }
};

type Store = Pick<Keychain, 'get' | 'set' | 'remove'>;

/** Uses bytes: a password takes two bytes of the Credential Manager for each character. */
const entriesOf = (entry: (account: string) => AsyncEntry): SecretEntries => ({
  get: async name => {
    const bytes = await entry(name).getSecret();
    return bytes === null ? undefined : Uint8Array.from(bytes);
  },
  set: (name, bytes) => entry(name).setSecret(bytes),
  remove: async name => void (await entry(name).deleteCredential()),
});

/** Adds a deadline to each call. */
export const inTime = ({get, set, remove}: Store, deadline = DEADLINE): Store => ({
  get: account => within(deadline, get(account)),
  set: (account, secret) => within(deadline, set(account, secret)),
  remove: account => within(deadline, remove(account)),
});

/**
 * Rejects if `work` takes longer than the deadline.
 *
 * @param deadline in milliseconds
 */
const within = <Result>(deadline: number, work: Promise<Result>): Promise<Result> => {
  const {promise, reject} = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The keychain did not answer within ${deadline} ms.`)), deadline);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/** Whether there may be a keyring. Without a session bus there is none, and searching for one would take seconds. */
const mayHaveOne = (env: Env): boolean =>
  process.platform !== 'linux' ||
  Boolean(env.DBUS_SESSION_BUS_ADDRESS) ||
  (env.XDG_RUNTIME_DIR !== undefined &&
    isAbsolute(env.XDG_RUNTIME_DIR) &&
    existsSync(join(env.XDG_RUNTIME_DIR, 'bus')));

const tryOut = async ({get, set, remove}: Pick<Keychain, 'get' | 'set' | 'remove'>): Promise<boolean> => {
  const account = `probe-${process.pid}`;
  await set(account, account);
  const found = await get(account);
  await remove(account);
  return found === account;
};
