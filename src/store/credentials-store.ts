import {
  type Credentials,
  type CredentialsKey,
  findSignIn,
  hasSecrets,
  keyOf,
  nameOfKey,
} from '../domain/credentials.ts';
import {isAccessToken, isRefreshToken} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import type {CredentialsStore, CredentialsTransaction, Files, Reservation} from '../ports/storage.ts';
import {formatJson, invalid, isObject, type JsonObject, parseJson, requireVersion} from './json-files.ts';
import type {Keychain} from './keychain.ts';

/** Where the secrets are: in the file, or in the system's keychain with everything else in the file. */
type Place = 'file' | 'keychain';

/** The space reserved for new tokens, in bytes. Tokens of some providers are 10 KiB long. */
const ROOM = 64 * 1024;

type Contents = {readonly place?: Place; readonly credentials: readonly Credentials[]};

/**
 * Creates the store of tokens and client secrets, by `CredentialsKey`, in a file that only its owner can read (RFC 6750
 * 5.3) or in the system's keychain. The choice between the two is made at the first sign-in and stays. A
 * secret that the keychain refuses is kept in the file.
 */
export const createCredentialsStore = (
  files: Files,
  path: string,
  openKeychain: () => Promise<Keychain | undefined>,
): CredentialsStore => {
  let opened: Promise<Keychain | undefined> | undefined;
  const keychain = () => {
    opened ??= openKeychain();
    return opened;
  };

  /** Reads the file, and tightens its mode if others can read it. */
  const readBytes = async (): Promise<Buffer | undefined> => {
    const contents = await files.read(path, {own: true});
    if (!contents) return undefined;
    if ((contents.mode & 0o077) !== 0) {
      await files
        .write(path, contents.bytes, {mode: 0o600, tighten: true, own: true, secret: true, journal: false})
        .catch(ignoreReadOnly);
    }
    return contents.bytes;
  };

  const contentsOf = (bytes: Buffer | undefined): Contents => {
    try {
      return bytes ? parse(parseJson(bytes, path), path) : {credentials: []};
    } catch (error) {
      if (!(error instanceof SetupError) || error.code !== 'local-config-invalid') throw error;
      const {remedy} = error;
      const advice = remedy === undefined ? {} : {remedy};
      throw new SetupError('local-credentials-invalid', error.message, {cause: error, ...advice});
    }
  };

  const read = async (): Promise<Contents> => contentsOf(await readBytes());

  /**
   * Returns the contents. A file that cannot be parsed is copied aside, so that the person can sign in again and
   * nothing is lost.
   */
  const contentsOrMovedAside = async (bytes: Buffer | undefined): Promise<Contents> => {
    try {
      return contentsOf(bytes);
    } catch (error) {
      if (!bytes || !(error instanceof SetupError) || error.code !== 'local-credentials-invalid') throw error;
      const aside = `${path}.bad-${Math.floor(performance.timeOrigin + performance.now())}`;
      await files.write(aside, bytes, {mode: 0o600, tighten: true, own: true, secret: true, journal: false});
      return {credentials: []};
    }
  };

  const choose = async (): Promise<Place> => ((await (await keychain())?.works()) ? 'keychain' : 'file');

  const whole = async (stored: Credentials | undefined): Promise<Credentials | undefined> => {
    if (!stored?.inKeychain) return stored && withoutBadTokens(stored);
    const secrets = parseSecrets(await (await keychain())?.get(nameOfKey(stored)).catch(() => undefined));
    if (secrets) return withoutBadTokens({...withoutMark(stored), ...secrets});
    throw new SetupError(
      'local-keychain-failed',
      `Setup could not read the secrets of ${stored.clientId} from the keychain.`,
    );
  };

  /**
   * Stores the secrets in the keychain, unless their place is the file. Returns what goes into the file: the rest, or
   * everything if the keychain took nothing.
   */
  const put = async (changed: Credentials, place: Place): Promise<Credentials> => {
    const {accessToken, refreshToken, clientSecret, createdSecret, pendingSignIn, heldTokens, ...rest} = changed;
    const secrets = {accessToken, refreshToken, clientSecret, createdSecret, pendingSignIn, heldTokens};
    if (place === 'file' || !hasSecrets(changed)) return changed;
    const taken = (await keychain())?.set(nameOfKey(changed), JSON.stringify(secrets)).then(
      () => true,
      () => false,
    );
    return (await taken) ? {...rest, inKeychain: true} : changed;
  };

  /** One sign-in under the lock, as the file has it: without the secrets in the keychain. */
  type Locked = {
    readonly before: Credentials | undefined;
    readonly reserve: () => Promise<void>;
    /** @throws SetupError `local-locked` if another process has changed the file, and other `local-*` */
    readonly write: (next: Credentials | undefined) => Promise<void>;
  };

  const locked = <T>(key: CredentialsKey, work: (locked: Locked) => Promise<T>): Promise<T> =>
    files.withLock(path, async () => {
      const found = await readBytes();
      let reserved: Reservation | undefined;
      const {place, credentials: all} = await contentsOrMovedAside(found);
      const before = findSignIn(all, key);
      const others = all.filter(one => one !== before);
      // A process that was suspended does not know that it has lost its lock. If another process has written since, its
      // contents are newer, so the write is refused.
      const options = {mode: 0o600, tighten: true, own: true, secret: true, journal: false, expected: found ?? null};
      const save = async (text: string) => {
        try {
          await files.write(path, text, reserved ? {...options, reserved} : options);
        } catch (error) {
          if (!(error instanceof SetupError) || error.code !== 'local-file-changed') throw error;
          throw new SetupError('local-locked', `Another setup process changed ${path} in the meantime.`, {
            cause: error,
          });
        }
      };
      const write: Locked['write'] = async next => {
        const chosen = place ?? (await choose());
        // If the keychain refuses the secrets, they go into the file after all.
        const credentials = next ? [...others, await put(next, chosen)] : others;
        await save(formatJson({version: 1, ...(chosen ? {place: chosen} : {}), credentials}));
        if (before?.inKeychain && !credentials.some(one => one.inKeychain && nameOfKey(one) === nameOfKey(before))) {
          await (await keychain())?.remove(nameOfKey(before)).catch(() => undefined);
        }
      };
      const reserve = async () => {
        reserved = await files.reserve(path, (found?.length ?? 0) + ROOM);
      };

      try {
        return await work({before, reserve, write});
      } finally {
        await reserved?.release();
      }
    });

  const get = async (key: CredentialsKey) => whole(findSignIn((await read()).credentials, key));

  /** Whether a renewed sign-in is stored, in the file or the keychain, although writing it ended with an error. */
  const isStored = async (key: CredentialsKey, next: Credentials | undefined): Promise<boolean> => {
    const found = await get(key).catch(() => undefined);
    return found !== undefined && next !== undefined && renewedMembers.every(name => found[name] === next[name]);
  };

  const transaction: CredentialsStore['transaction'] = async (key, work) => {
    let hasBegun = false;
    let done: {readonly value: Awaited<ReturnType<typeof work>>} | undefined;
    let written: Written | undefined;
    try {
      await locked(key, async ({before, reserve, write}) => {
        hasBegun = true;
        const current = await whole(before);
        const writing = async (next: Credentials | undefined) => {
          written = {next};
          await write(withHeld(next, current)).catch(error => {
            written = {next, error};
          });
        };
        done = {value: await work({current, read: () => get(key), reserve, write: writing})};
      });
    } catch (error) {
      if (!hasBegun && isUnwritable(error))
        return withoutLock({current: await get(key), read: () => get(key), error}, work);
      // A process that was suspended learns only at the end that it has lost its lock.
      if (!done) throw error;
      if (written) written = {error, ...written};
    }
    if (!done) throw new Error('The lock was released before the work ended.');
    const {next, error} = written ?? {};
    if (error === undefined || (await isStored(key, next))) return done;
    if (!(error instanceof SetupError)) throw error;
    return {...done, unwritten: error};
  };

  return {
    path,
    get,
    getEach: async keys => {
      const {credentials} = await read();
      const byIssuer = Map.groupBy(credentials, ({issuer}) => issuer);
      return Promise.allSettled(keys.map(key => whole(findSignIn(byIssuer.get(key.issuer) ?? [], key))));
    },
    withClientSecret: async () => {
      const {credentials} = await read();
      const all = await Promise.allSettled(credentials.map(whole));
      return all.flatMap(one => {
        const stored = one.status === 'fulfilled' ? one.value : undefined;
        return stored && (stored.clientSecret ?? stored.createdSecret) !== undefined ? [keyOf(stored)] : [];
      });
    },
    where: async () => {
      const {place, credentials} = await read();
      // Some secrets may be in the file although the keychain was chosen, because the keychain refused them.
      if (credentials.some(one => !one.inKeychain && hasSecrets(one))) return 'file';
      if ((place ?? (await choose())) === 'file') return 'file';
      return (await keychain())?.name ?? 'a missing keychain';
    },
    transaction,
    update: (key, change) =>
      locked(key, async ({before, write}) => {
        const current = await whole(before);
        const changed = withHeld(await change(current), current);
        await write(changed);
        return changed;
      }),
    // The old secrets are not needed, so a keychain that does not return them does not prevent a new sign-in.
    replace: (key, credentials) =>
      locked(key, async ({before, write}) => {
        await write(withHeld(credentials, credentials && (await whole(before).catch(() => undefined))));
      }),
    purge: async () => {
      // Without leftovers no lock is taken: its file may be impossible to create.
      if ((await files.leftoversOf(path)).length === 0) return;
      const removing = files.withLock(path, async () => {
        const left = await files.leftoversOf(path);
        // If one file cannot be removed, the others must still be removed.
        await Promise.all(left.map(leftover => files.remove(leftover).catch(ignoreReadOnly)));
      });
      await removing.catch(ignoreReadOnly);
      const left = await files.leftoversOf(path);
      if (left.length === 0) return;
      throw new SetupError('local-write-failed', `Could not remove ${left.join(', ')}.`);
    },
  };
};

/** What a transaction has written last, and why that failed. */
type Written = {readonly next: Credentials | undefined; readonly error?: unknown};

/** The members of a sign-in that a renewal changes. */
const renewedMembers = ['accessToken', 'refreshToken', 'obtainedAt', 'retryAt', 'unanswered'] as const;

const isUnwritable = (error: unknown): error is SetupError =>
  error instanceof SetupError && error.code === 'local-write-failed';

/** Runs the work of a transaction on what can be read, if nothing can be written. */
const withoutLock = async <T>(
  {current, read, error}: Pick<CredentialsTransaction, 'current' | 'read'> & {readonly error: SetupError},
  work: (transaction: CredentialsTransaction) => Promise<T>,
): Promise<{readonly value: T; readonly unwritten?: SetupError}> => {
  let hasWritten = false;
  const value = await work({
    current,
    read,
    reserve: () => Promise.reject(error),
    write: async () => {
      hasWritten = true;
    },
  });
  return hasWritten ? {value, unwritten: error} : {value};
};

/** The members of a sign-in that a keychain holds. */
const secretNames = [
  'accessToken',
  'refreshToken',
  'clientSecret',
  'createdSecret',
  'pendingSignIn',
  'heldTokens',
] as const;

type Secrets = Partial<Record<(typeof secretNames)[number], string>>;

/**
 * Returns a sign-in without tokens that no server can have issued (RFC 6750 2.1, RFC 6749 A.17): the file was tampered
 * with, or written before tokens were checked. The sign-in is renewed with what is left, or the person has to sign in
 * again. Other sign-ins in the file are not affected.
 */
const withoutBadTokens = ({accessToken, refreshToken, ...rest}: Credentials): Credentials => ({
  ...rest,
  ...(isAccessToken(accessToken) ? {accessToken} : {}),
  ...(isRefreshToken(refreshToken) ? {refreshToken} : {}),
});

/** Keeps the tokens that are held for the journal, as long as the sign-in has any secret. */
const withHeld = (changed: Credentials | undefined, before: Credentials | undefined): Credentials | undefined => {
  const {heldTokens} = before ?? {};
  if (!changed || heldTokens === undefined || changed.heldTokens !== undefined || !hasSecrets(changed)) return changed;
  return {...changed, heldTokens};
};

/** Ignores a write or a removal that fails. The callers go on without it or look at the files again. */
const ignoreReadOnly = (error: unknown) => {
  if (!(error instanceof SetupError) || error.code !== 'local-write-failed') throw error;
};

/** Parses what the keychain returned. A parse error is dropped, because its message would quote the secrets. */
const parseSecrets = (text: string | undefined): Secrets | undefined => {
  try {
    const secrets: unknown = JSON.parse(text ?? '');
    if (!isObject(secrets)) return undefined;
    return Object.fromEntries(
      secretNames.flatMap(name => (typeof secrets[name] === 'string' ? [[name, secrets[name]]] : [])),
    );
  } catch {
    return undefined;
  }
};

const withoutMark = <C extends Credentials | undefined>(stored: C): C => {
  if (!stored) return stored;
  const {inKeychain: _, ...rest} = stored;
  return rest as C;
};

const parse = (json: JsonObject, path: string): Contents => {
  requireVersion(json, path);
  if (!Array.isArray(json.credentials)) throw invalid(path, '"credentials" is not a list');
  const credentials = json.credentials.map((value, index) => {
    if (!isCredentials(value)) throw invalid(path, `credentials[${index}] is not complete`);
    return value;
  });
  const {place} = json;
  return {credentials, ...(place === 'keychain' || place === 'file' ? {place} : {})};
};

const isCredentials = (value: unknown): value is Credentials =>
  isObject(value) &&
  typeof value.issuer === 'string' &&
  typeof value.clientId === 'string' &&
  [
    'audience',
    'controlPlaneUrl',
    'clientSecret',
    'createdSecret',
    'pendingSignIn',
    'accessToken',
    'refreshToken',
    'heldTokens',
    'account',
  ].every(key => isOptional(value[key], 'string')) &&
  ['expiresAt', 'obtainedAt', 'retryAt', 'unanswered', 'signedInAt', 'signInEndsAt'].every(key =>
    isOptional(value[key], 'number'),
  ) &&
  ['inKeychain', 'rotates', 'slides'].every(key => isOptional(value[key], 'boolean')) &&
  (value.lasted === undefined || Array.isArray(value.lasted)) &&
  (value.failure === undefined || (isObject(value.failure) && typeof value.failure.count === 'number')) &&
  (value.renewing === undefined || (isObject(value.renewing) && isObject(value.renewing.process))) &&
  (value.refused === undefined || (isObject(value.refused) && typeof value.refused.at === 'number'));

const isOptional = (value: unknown, type: 'string' | 'number' | 'boolean') =>
  value === undefined || typeof value === type;
