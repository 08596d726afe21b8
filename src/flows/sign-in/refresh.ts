import {type Credentials, type CredentialsKey, keyOf, nameOfKey, secretKeyOf} from '../../domain/credentials.ts';
import {isRenewable, isUsable, mayBeTried, renewalPause, signInEndOf} from '../../domain/sign-in-lifecycle.ts';
import type {TokenContext, TokenSet} from '../../domain/tokens.ts';
import {SetupError, toSetupError} from '../../errors/errors.ts';
import {onAbort} from '../../on-abort.ts';
import type {Ports} from '../../ports/ports.ts';
import type {CredentialsTransaction} from '../../ports/storage.ts';
import type {Run} from '../flow.ts';
import {acquireLease, type Lease} from './refresh-lease.ts';
import {
  failureBefore,
  isOfThisNetwork,
  isOutcomeUnknown,
  isPassing,
  isRefusal,
  isUnclear,
  requestRenewal,
  SpentError,
  unkeepable,
} from './refresh-request.ts';
import {ended, failedOnce, paused, probablyEnded, renewed, spent, unanswered} from './sign-in-transitions.ts';

/** Adds the secret of the client, which is stored once, with the sign-in itself. */
export const withSecret = async (
  stored: Credentials | undefined,
  context: TokenContext,
  {credentials}: Ports,
): Promise<Credentials | undefined> => {
  const {audience, signIn} = context;
  if (audience === undefined || signIn === 'browser') return stored;
  const {clientSecret} = (await credentials.get(secretKeyOf(context))) ?? {};
  return clientSecret === undefined ? stored : {...keyOf(context), ...stored, clientSecret};
};

/**
 * Returns the sign-in as the disk has it, or the renewed one that this process could not write: the refresh token on
 * the disk no longer works then. A sign-in that was stored in the meantime is newer than both.
 */
export const withUnsaved = (
  found: Credentials | undefined,
  key: CredentialsKey,
  {memory: {unsaved}}: Ports,
): Credentials | undefined => {
  const own = unsaved.get(nameOfKey(key));
  if (!own) return found;
  if (found !== undefined && found.refreshToken === own.usedUp) return own.credentials;
  unsaved.delete(nameOfKey(key));
  return found;
};

/**
 * Tries again to write a renewed sign-in that could not be written. It stays in memory until the disk takes it.
 *
 * @returns whether it is on the disk now
 */
export const saveUnsaved = async (key: CredentialsKey, ports: Ports): Promise<boolean> => {
  const {memory, credentials} = ports;
  if (!memory.unsaved.has(nameOfKey(key))) return false;
  const saving = credentials.transaction(key, async ({current, write}) => {
    const newest = withUnsaved(current, key, ports);
    if (newest === current) return false;
    await write(newest);
    return true;
  });
  const {value: isWritten, unwritten} = await saving.catch(error => ({value: false, unwritten: error}));
  const isSaved = isWritten && unwritten === undefined;
  if (isSaved) memory.unsaved.delete(nameOfKey(key));
  return isSaved;
};

/**
 * How often a refresh token is sent if no answer comes: some providers accept it once more, and others end the sign-in.
 */
const MOST_UNANSWERED = 2;

/** The longest pause for a busy provider before its failure is reported, in milliseconds. */
const SHORT_PAUSE = 3_000;

export type RenewalWanted = {
  readonly context: TokenContext;
  /** The access token to replace, usually because a server has refused it. */
  readonly refused?: string;
  /**
   * The obstacles that a renewal ignores, because a person asks for it. `pause`: the pause after a failure, unless the
   * identity provider asked for it. `all`: also a refresh token that was sent without an answer before.
   */
  readonly despite?: 'pause' | 'all' | undefined;
  /** Whether the stored credentials are good enough, so that no renewal is needed. */
  readonly serves: (stored: Credentials | undefined) => boolean;
};

export type Renewed =
  /** The sign-in after the renewal, with the failure if there was one. */
  | {readonly stored: Credentials | undefined; readonly failure?: SetupError}
  /** Another process has begun to renew the sign-in, and has to finish first. */
  | {readonly holder: Lease}
  /** The stored sign-in has changed since it was read, and has to be read again. */
  | 'changed';

/**
 * Renews a sign-in while no other process does: reads again under the lock, sends the request, and writes. If the
 * refresh token may work only once, acquires its lease and reserves room on the disk before the request, and releases
 * the lease after the write. Once the request is sent, the renewal runs to its end and keeps the process alive until
 * then: the new refresh token may be the only one that still works (RFC 9700 4.14.2).
 *
 * @throws SetupError `local-*` if the renewal could not begin, or if a result without new tokens could not be stored;
 *   the reason of `signal` if that aborts before the request
 */
export const renew = async (wanted: RenewalWanted, run: Run): Promise<Renewed> => {
  const {signal} = run;
  const {promise: ended, resolve: end} = Promise.withResolvers<void>();
  let isSent = false;
  const sending = () => {
    signal.throwIfAborted();
    isSent = true;
    run.ports.processes.hold(ended);
  };
  const renewal = renewAndStore(wanted, {...run, sending}).finally(end);
  return Promise.race([renewal, stopped(signal, () => !isSent)]);
};

/** A run with a function to call before the request is sent: it throws if the run was aborted. */
type Sending = Run & {readonly sending: () => void};

const renewAndStore = async (wanted: RenewalWanted, run: Sending): Promise<Renewed> => {
  const {context} = wanted;
  const {ports, tell} = run;
  const {value, unwritten} = await ports.credentials.transaction(context, transaction =>
    renewIn(transaction, wanted, run),
  );
  if (value === 'changed' || 'holder' in value) return value;
  const {isWritten, lease, fresh, usedUp, ...renewed} = value;
  if (!isWritten) return renewed;
  const isStored = unwritten === undefined || (fresh && (await isStoredLater(context, {...value, usedUp}, ports)));
  if (isStored) {
    ports.memory.unsaved.delete(nameOfKey(context));
    await lease?.release();
    if (fresh) await ports.providers.keep();
    return renewed;
  }
  if (fresh) {
    // The tokens were issued and work now, although they could not be stored. The lease stays: the refresh token on the
    // disk no longer works.
    const message = `Your sign-in was renewed, but the new tokens could not be saved. ${unwritten.message}`;
    tell({type: 'warning', message});
    return renewed;
  }
  // If the answer is unknown, the lease stays: it alone shows that the refresh token was sent.
  if (!renewed.failure || !isOutcomeUnknown(renewed.failure)) await lease?.release();
  // The reason why there is no token says more than that it could not have been stored.
  if (renewed.failure && unwritten.code === 'local-write-failed') return renewed;
  throw unwritten;
};

/**
 * Remembers renewed credentials that could not be written, and tries once more: another process may only have changed
 * something else in the file.
 *
 * @returns whether they are on the disk now
 */
const isStoredLater = async (
  key: CredentialsKey,
  {stored, usedUp}: Pick<Attempt, 'stored' | 'usedUp'>,
  ports: Ports,
): Promise<boolean> => {
  if (!stored) return false;
  const {unsaved} = ports.memory;
  const name = nameOfKey(key);
  // If two renewals in a row could not be written, the disk still has the refresh token that the first one used up.
  unsaved.set(name, {usedUp: unsaved.get(name)?.usedUp ?? usedUp, credentials: stored});
  return saveUnsaved(key, ports);
};

/** A renewal that was tried, or was not possible or not needed. */
type Attempt = {
  readonly stored: Credentials | undefined;
  readonly failure?: SetupError;
  /** True if the transaction has written `stored`, or has tried to. */
  readonly isWritten?: true;
  /** True if `stored` has new tokens. */
  readonly fresh?: true;
  /** The refresh token that was sent for the new tokens. */
  readonly usedUp?: string | undefined;
  /** The lease of the refresh token, to be released once the result is on the disk. */
  readonly lease?: {readonly release: () => Promise<void>};
};

const renewIn = async (
  transaction: CredentialsTransaction,
  wanted: RenewalWanted,
  run: Sending,
): Promise<Attempt | Exclude<Renewed, {readonly stored: unknown}>> => {
  const {context, serves, refused, despite} = wanted;
  const {ports, signal, sending} = run;
  const {credentials, clock} = ports;
  const stored = withUnsaved(transaction.current, context, ports);
  // Another process may have renewed it, or signed out, while this one waited for the lock.
  if (serves(stored)) return {stored};
  const current = await withSecret(stored, context, ports);
  const isPossible = despite === 'all' ? mayBeTried : isRenewable;
  if (!current || !isPossible(current)) return {stored};
  const before = failureBefore(stored, clock.now(), despite !== undefined, context);
  if (before) return {stored, failure: before};
  const {unanswered: none = 0, ...rest}: Credentials = stored ?? keyOf(context);
  const written = async (attempt: Attempt): Promise<Attempt> => {
    await transaction.write(attempt.stored);
    return {...attempt, isWritten: true};
  };

  // A person's refresh token may work only once, so it needs a lease; anything else does not.
  if (context.signIn !== 'browser' || current.rotates === false || current.refreshToken === undefined) {
    sending();
    return written(await request({before: rest, unanswered: none, current}, wanted, run));
  }

  signal.throwIfAborted();
  const lease = await acquireLease(current.refreshToken, ports).catch(error => {
    throw unkeepable(context, credentials.path, error);
  });
  if ('holder' in lease) return lease;
  // A process that had the lease before has written its result before it released the lease.
  const newest = withUnsaved(await transaction.read(), context, ports);
  if (newest?.refreshToken !== current.refreshToken) {
    await lease.release();
    return 'changed';
  }
  const count = none + lease.unanswered;
  if (count >= MOST_UNANSWERED && despite !== 'all')
    return written({stored: unanswered(rest, refused, clock.now(), count), lease});
  try {
    await transaction.reserve();
    sending();
  } catch (error) {
    await lease.release();
    throw unkeepable(context, credentials.path, error);
  }
  const asked = {before: rest, unanswered: count, current: {...current, unanswered: count}};
  return written({...(await request(asked, wanted, run)), lease});
};

/** Clocks differ, and renewals begin a little early: an end within this time counts as reached. In milliseconds. */
const END_IS_NEAR = 60_000;

const ANNOUNCED = 'The sign-in has reached the end that the identity provider had set for it.';

type Asked = {
  /** The stored credentials without the count of attempts that got no answer. */
  readonly before: Credentials;
  readonly unanswered: number;
  /** The stored credentials with the secret of the client. */
  readonly current: Credentials;
};

/** Sends the request, and returns the sign-in that has to be written after the answer. */
const request = async (
  {before, unanswered: count, current}: Asked,
  {context, refused}: RenewalWanted,
  run: Run,
): Promise<Attempt> => {
  const {ports, tell} = run;
  const marked: Credentials = count > 0 ? {...before, unanswered: count} : before;
  try {
    const fresh = await patiently(() => requestRenewal(context, current, ports, tell), marked, run);
    return {stored: renewed(before, fresh, ports.clock.now()), fresh: true, usedUp: current.refreshToken};
  } catch (error) {
    const now = ports.clock.now();
    const failure = toSetupError(error);
    if (error instanceof SpentError) {
      return {stored: paused(spent(before, error.refreshToken, refused, now), failure, now), failure};
    }
    if (isRefusal(failure)) {
      const {said, claims} = failure.about;
      const words = {...(said === undefined ? {} : {said}), ...(claims === undefined ? {} : {claims})};
      const end = signInEndOf(before);
      const isAnnounced = end !== undefined && end <= now + END_IS_NEAR;
      const why = isAnnounced ? {reason: ANNOUNCED, isAnnounced} : {reason: failure.message};
      return {stored: ended(before, refused, now, {at: now, ...why, ...words}), failure};
    }
    if (isUnclear(failure)) {
      return {stored: probablyEnded(marked, refused, now, failure), failure};
    }
    if (isOfThisNetwork(failure)) return {stored: failedOnce(marked, failure), failure};
    if (!isPassing(failure)) return {stored: marked, failure};
    const lost = isOutcomeUnknown(failure) ? {unanswered: count + 1} : {};
    return {stored: paused({...marked, ...lost}, failure, now), failure};
  }
};

/** Sends the request again if a busy provider asks for a moment only and there is no usable token meanwhile. */
const patiently = async (
  request: () => Promise<TokenSet>,
  stored: Credentials,
  {ports: {clock}}: Run,
): Promise<TokenSet> => {
  try {
    return await request();
  } catch (error) {
    const wait = error instanceof SetupError ? error.about.retryAfter : undefined;
    if (wait === undefined || wait > SHORT_PAUSE || isUsable(stored, clock.now())) throw error;
    const pause = renewalPause({count: 1, isGood: false, retryAfter: wait}, Math.random());
    await clock.sleep(pause, new AbortController().signal);
    return request();
  }
};

/** Rejects when the caller aborts while that is still allowed: the wait for the lock can be long. */
const stopped = (signal: AbortSignal, mayStop: () => boolean): Promise<never> =>
  new Promise((_, reject) => {
    onAbort(signal, () => {
      if (mayStop()) reject(signal.reason);
    });
  });
