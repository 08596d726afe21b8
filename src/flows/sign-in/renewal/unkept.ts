import {type Credentials, type CredentialsKey, nameOfKey} from '../../../domain/credentials.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Ports} from '../../../ports/ports.ts';

/** What a renewal brought that the disk did not take, and the refresh token that it has spent. */
type Unkept = {readonly spent: string | undefined; readonly credentials: Credentials};

/** For as long as the process lasts: the refresh token that the disk still has is good for nothing any more. */
const unkept = new Map<string, Unkept>();

const nameIn = (key: CredentialsKey, {credentials}: Ports) => `${credentials.path} ${nameOfKey(key)}`;

/** Remembers what could not be written. */
export const rememberUnkept = (key: CredentialsKey, spent: string | undefined, kept: Credentials, ports: Ports) => {
  const name = nameIn(key, ports);
  // Where two in a row could not be written, the disk still has what the first one spent.
  unkept.set(name, {spent: unkept.get(name)?.spent ?? spent, credentials: kept});
};

export const forgetUnkept = (key: CredentialsKey, ports: Ports): void => {
  unkept.delete(nameIn(key, ports));
};

/** What the disk has, or what this process knows that the disk does not. A sign-in that came since is newer than that. */
export const withUnkept = (
  found: Credentials | undefined,
  key: CredentialsKey,
  ports: Ports,
): Credentials | undefined => {
  const own = unkept.get(nameIn(key, ports));
  if (!own) return found;
  if (found !== undefined && found.refreshToken === own.spent) return own.credentials;
  forgetUnkept(key, ports);
  return found;
};

/** Tries again to write what could not be written. Whether it is on the disk is seen by the next who reads. */
export const keepUnkept = async (key: CredentialsKey, ports: Ports): Promise<void> => {
  if (!unkept.has(nameIn(key, ports))) return;
  try {
    await ports.credentials.update(key, async found => withUnkept(found, key, ports));
    forgetUnkept(key, ports);
  } catch {
    // It is kept here until the disk takes it.
  }
};

/** As `credentials.update` takes it. */
export type Changing = Parameters<Ports['credentials']['update']>[1];

/**
 * Changes what is kept, as `credentials.update` does; where nothing can be written at all, the change is made of what can be
 * read. It finds out by `prepare` that it cannot be kept, and is told so in the end.
 *
 * @throws SetupError as `credentials.update`
 */
export const updateOrChange = async (
  key: CredentialsKey,
  change: Changing,
  {credentials}: Ports,
): Promise<Credentials | undefined> => {
  let hasBegun = false;
  try {
    return await credentials.update(key, (found, prepare) => {
      hasBegun = true;
      return change(found, prepare);
    });
  } catch (error) {
    if (!hasBegun && isUnwritable(error)) await change(await credentials.get(key), () => Promise.reject(error));
    throw error;
  }
};

export const isUnwritable = (error: unknown): boolean =>
  error instanceof SetupError && error.code === 'local-write-failed';

/** Whether the disk has what a renewal left, although writing it failed in the end. */
export const isKept = async (
  kept: Credentials | undefined,
  key: CredentialsKey,
  {credentials}: Ports,
): Promise<boolean> => {
  const found = await credentials.get(key).catch(() => undefined);
  return found !== undefined && kept !== undefined && marks.every(mark => found[mark] === kept[mark]);
};

/** What a renewal changes. */
const marks = ['accessToken', 'refreshToken', 'obtainedAt', 'retryAt', 'unanswered'] as const;
