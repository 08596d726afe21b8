import {existsSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {AsyncEntry} from '@napi-rs/keyring';
import type {Keychain} from './keychain.ts';
import {inParts, type SecretEntries} from './keychain-parts.ts';
import type {Env} from './ports.ts';

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
const PATIENCE = 3_000;

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
    return {name, ...store, works: () => within(PATIENCE, tryOut(store)).catch(() => false)};
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
