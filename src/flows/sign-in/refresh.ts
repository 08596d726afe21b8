import {type Credentials, type CredentialsKey, keyOf, nameOfKey, secretKeyOf} from '../../domain/credentials.ts';
import {isRenewable, isUsable, mayBeTried, renewalPause, signInEndOf} from '../../domain/sign-in-lifecycle.ts';
import type {TokenContext, TokenSet} from '../../domain/tokens.ts';
import {SetupError, toSetupError} from '../../errors/errors.ts';
import {onAbort} from '../../on-abort.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Prepare} from '../../ports/storage.ts';
import type {Run} from '../flow.ts';
import {type Claim, claimRefreshToken} from './claim.ts';
import {ended, failedOnce, paused, probablyEnded, renewed, spent, unanswered} from './kept-after.ts';
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

/** Adds the secret of the client, which is stored once, with the sign-in itself. */
export const withSecret = async (
  kept: Credentials | undefined,
  context: TokenContext,
  {credentials}: Ports,
): Promise<Credentials | undefined> => {
  const {audience, signIn} = context;
  if (audience === undefined || signIn === 'browser') return kept;
  const {clientSecret} = (await credentials.get(secretKeyOf(context))) ?? {};
  return clientSecret === undefined ? kept : {...keyOf(context), ...kept, clientSecret};
};

/** The result of a renewal that could not be written to the disk, and the refresh token that it used up. */
type Unkept = {readonly spent: string | undefined; readonly credentials: Credentials};

/**
 * Results that could not be written, for as long as the process lasts: the refresh token on the disk no longer works.
 */
const unkept = new Map<string, Unkept>();

const nameIn = (key: CredentialsKey, {credentials}: Ports) => `${credentials.path} ${nameOfKey(key)}`;

/** Remembers credentials that could not be written. */
export const rememberUnkept = (key: CredentialsKey, spent: string | undefined, kept: Credentials, ports: Ports) => {
  const name = nameIn(key, ports);
  // If two renewals in a row could not be written, the disk still has the refresh token that the first one used up.
  unkept.set(name, {spent: unkept.get(name)?.spent ?? spent, credentials: kept});
};

export const forgetUnkept = (key: CredentialsKey, ports: Ports): void => {
  unkept.delete(nameIn(key, ports));
};

/**
 * Returns the credentials on the disk, or those that this process could not write. A sign-in that was stored in the
 * meantime is newer than those.
 */
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

/** Tries again to write what could not be written. The next reader finds out whether it is on the disk. */
export const keepUnkept = async (key: CredentialsKey, ports: Ports): Promise<void> => {
  if (!unkept.has(nameIn(key, ports))) return;
  try {
    await ports.credentials.update(key, async found => withUnkept(found, key, ports));
    forgetUnkept(key, ports);
  } catch {
    // The result stays in memory until the disk takes it.
  }
};

/** The change function of `credentials.update`. */
export type Changing = Parameters<Ports['credentials']['update']>[1];

/**
 * Changes the stored credentials, as `credentials.update` does. If nothing can be written at all, runs the change on
 * what can be read: the change learns from its failing `prepare` that the result cannot be stored, and the error is
 * thrown at the end.
 *
 * @throws SetupError as `credentials.update` does
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

/** Whether the disk has the result of a renewal, although writing it ended with an error. */
export const isKept = async (
  kept: Credentials | undefined,
  key: CredentialsKey,
  {credentials}: Ports,
): Promise<boolean> => {
  const found = await credentials.get(key).catch(() => undefined);
  return found !== undefined && kept !== undefined && marks.every(mark => found[mark] === kept[mark]);
};

/** The fields that a renewal changes. */
const marks = ['accessToken', 'refreshToken', 'obtainedAt', 'retryAt', 'unanswered'] as const;

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
  readonly serves: (kept: Credentials | undefined) => boolean;
};

/**
 * The stored credentials after a renewal, with the failure if there was one; or the claim of a process that has to
 * finish first.
 */
export type Renewed =
  | {readonly kept: Credentials | undefined; readonly failure?: SetupError}
  | {readonly holder: Claim}
  /** The stored credentials have changed since they were read: they have to be read again. */
  | 'changed';

/**
 * Renews a sign-in while no other process does: reads again under the lock, claims the right to send the refresh token,
 * reserves room on the disk for the result, sends the request, and writes. Once the request is sent, the renewal runs
 * to its end and keeps the process alive until then: the new refresh token may be the only one that still works (RFC
 * 9700 4.14.2).
 *
 * @throws SetupError `local-*` if it could not begin, or the reason of `signal` if that aborts before the request
 */
export const renew = async (wanted: RenewalWanted, run: Run): Promise<Renewed> => {
  const {context} = wanted;
  const {ports, signal, tell} = run;
  const {promise: ended, resolve: end} = Promise.withResolvers<void>();
  let outcome: Outcome = {};
  let hasAsked = false;
  const asking = () => {
    signal.throwIfAborted();
    hasAsked = true;
    ports.processes.hold(ended);
  };
  /** Cleans up once the result is on the disk. */
  const settle = async (kept: Credentials | undefined) => {
    forgetUnkept(context, ports);
    await outcome.release?.();
    if (outcome.fresh) await ports.providers.keep();
    return kept;
  };
  const changing: Changing = async (found, prepare) => {
    outcome = await change(withUnkept(found, context, ports), wanted, {...run, prepare, asking});
    if (outcome.isStale) throw new Error('What was read is not what is there.');
    return outcome.kept;
  };
  const update = updateOrChange(context, changing, ports)
    .then(kept => settle(kept))
    .catch(async (error): Promise<Credentials | undefined> => {
      const {fresh, kept, spent, failure, isStale, release} = outcome;
      if (isStale) return undefined;
      // A suspended process learns that it lost the lock only after it has written.
      const isWritten = async () => error instanceof SetupError && (await isKept(kept, context, ports));
      if ((fresh || failure) && (await isWritten())) return settle(kept);
      if (!fresh || !kept || !(error instanceof SetupError)) {
        // If the outcome is unknown, the claim stays: it alone shows that the refresh token was sent.
        if (!failure || !isOutcomeUnknown(failure)) await release?.();
        // The reason why there is no token says more than that it could not have been stored.
        if (failure && isUnwritable(error)) return kept;
        throw error;
      }
      // The tokens were issued and work now, although they could not be stored.
      rememberUnkept(context, spent, kept, ports);
      // Another process may have changed something else in the file meanwhile.
      await keepUnkept(context, ports);
      if (await isWritten()) return settle(kept);
      tell({
        type: 'warning',
        message: `Your sign-in was renewed, but the new tokens could not be saved. ${error.message}`,
      });
      return kept;
    })
    .finally(end);
  const kept = await Promise.race([update, stopped(signal, () => !hasAsked)]);
  const {holder, failure, isStale} = outcome;
  if (isStale) return 'changed';
  if (holder) return {holder};
  return {kept, ...(failure ? {failure} : {})};
};

type Outcome = {
  /** The credentials to write. */
  readonly kept?: Credentials | undefined;
  /** New tokens, which are in `kept`. */
  readonly fresh?: TokenSet;
  /** The refresh token that was sent for them. */
  readonly spent?: string | undefined;
  readonly failure?: SetupError;
  readonly holder?: Claim;
  /**
   * True if another process has renewed the sign-in since it was read: this process was suspended and lost the lock.
   */
  readonly isStale?: true;
  /** Releases the claim on the refresh token, once the result is on the disk. */
  readonly release?: () => Promise<void>;
};

type Locked = Run & {readonly prepare: Prepare; readonly asking: () => void};

const change = async (kept: Credentials | undefined, wanted: RenewalWanted, locked: Locked): Promise<Outcome> => {
  const {context, serves, despite} = wanted;
  const {ports, signal, prepare, asking} = locked;
  const {credentials} = ports;
  // Another process may have renewed it, or signed out, while this one waited for the lock.
  if (serves(kept)) return {kept};
  const current = await withSecret(kept, context, ports);
  const isPossible = despite === 'all' ? mayBeTried : isRenewable;
  if (!current || !isPossible(current)) return {kept};
  const now = ports.clock.now();
  const before = failureBefore(kept, now, despite !== undefined, context);
  if (before) return {kept, failure: before};
  const {unanswered: none = 0, ...rest}: Credentials = kept ?? keyOf(context);
  // A person's refresh token may work only once, so it needs a claim; anything else does not.
  if (context.signIn !== 'browser' || current.rotates === false || current.refreshToken === undefined) {
    asking();
    return ask({before: rest, unanswered: none, current}, wanted, locked);
  }
  signal.throwIfAborted();
  const claim = await claimRefreshToken(current.refreshToken, ports).catch(error => {
    throw unkeepable(context, credentials.path, error);
  });
  if ('holder' in claim) return {kept, holder: claim.holder};
  const {release} = claim;
  // A process that held the claim before has written its result before it released the claim.
  const still = withUnkept(await credentials.get(context), context, ports);
  if (still?.refreshToken !== current.refreshToken) {
    await release();
    return {isStale: true};
  }
  const count = none + claim.unanswered;
  if (count >= MOST_UNANSWERED && despite !== 'all')
    return {kept: unanswered(rest, wanted.refused, now, count), release};
  try {
    await prepare();
    asking();
  } catch (error) {
    await release();
    throw unkeepable(context, credentials.path, error);
  }
  return {
    ...(await ask({before: rest, unanswered: count, current: {...current, unanswered: count}}, wanted, locked)),
    release,
  };
};

/** Clocks differ, and renewals begin a little early: an end within this time counts as reached. In milliseconds. */
const END_IS_NEAR = 60_000;

const ANNOUNCED = 'The sign-in has reached the end that the identity provider had set for it.';

type Asked = {
  /** The stored credentials without the marks of a renewal. */
  readonly before: Credentials;
  readonly unanswered: number;
  /** The stored credentials with the secret of the client. */
  readonly current: Credentials;
};

const ask = async (
  {before, unanswered: count, current}: Asked,
  {context, refused}: RenewalWanted,
  run: Run,
): Promise<Outcome> => {
  const {ports, tell} = run;
  const kept: Credentials = count > 0 ? {...before, unanswered: count} : before;
  try {
    const fresh = await patiently(() => requestRenewal(context, current, ports, tell), kept, run);
    return {kept: renewed(before, fresh, ports.clock.now()), fresh, spent: current.refreshToken};
  } catch (error) {
    const now = ports.clock.now();
    const failure = toSetupError(error);
    if (error instanceof SpentError) {
      return {kept: paused(spent(before, error.refreshToken, refused, now), failure, now), failure};
    }
    if (isRefusal(failure)) {
      const {said, claims} = failure.about;
      const words = {...(said === undefined ? {} : {said}), ...(claims === undefined ? {} : {claims})};
      const end = signInEndOf(before);
      const isAnnounced = end !== undefined && end <= now + END_IS_NEAR;
      const why = isAnnounced ? {reason: ANNOUNCED, isAnnounced} : {reason: failure.message};
      return {kept: ended(before, refused, now, {at: now, ...why, ...words}), failure};
    }
    if (isUnclear(failure)) {
      return {kept: probablyEnded(kept, refused, now, failure), failure};
    }
    if (isOfThisNetwork(failure)) return {kept: failedOnce(kept, failure), failure};
    if (!isPassing(failure)) return {kept, failure};
    const lost = isOutcomeUnknown(failure) ? {unanswered: count + 1} : {};
    return {kept: paused({...kept, ...lost}, failure, now), failure};
  }
};

/** Sends the request again if a busy provider asks for a moment only and there is no usable token meanwhile. */
const patiently = async (
  request: () => Promise<TokenSet>,
  kept: Credentials,
  {ports: {clock}}: Run,
): Promise<TokenSet> => {
  try {
    return await request();
  } catch (error) {
    const wait = error instanceof SetupError ? error.about.retryAfter : undefined;
    if (wait === undefined || wait > SHORT_PAUSE || isUsable(kept, clock.now())) throw error;
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
