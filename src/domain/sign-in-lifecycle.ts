import type {Credentials} from './credentials.ts';
import {refreshTokenEndOf} from './tokens.ts';

/** The means of a renewal, and whether a renewal was refused. */
export type Renewal = {
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly refused?: Credentials['refused'];
};

/**
 * Whether a sign-in can be renewed without a person: by its refresh token (RFC 6749 6), or by its client's secret (RFC
 * 6749 4.4). After a refusal it cannot, even if a secret is left: the identity provider is not asked again until the
 * person signs in anew. If the refusal did not say that the sign-in has ended, it is still asked.
 */
export const isRenewable = ({refreshToken, clientSecret, refused}: Renewal): boolean =>
  (refused === undefined || refused.isUnclear === true) && (refreshToken !== undefined || clientSecret !== undefined);

/** Whether a client can sign in with a kept secret: the identity provider has not refused it. */
export const hasUsableSecret = <Kept extends Renewal>(
  renewal: Kept | undefined,
): renewal is Kept & {readonly clientSecret: string} => renewal?.clientSecret !== undefined && isRenewable(renewal);

/**
 * Whether a renewal may be tried when a person asks for it. Besides what `isRenewable` allows, this includes a refresh
 * token that was sent as often as the program may by itself and got no answer: it was never refused.
 */
export const mayBeTried = (renewal: Renewal): boolean =>
  isRenewable(renewal) || (renewal.refused?.isUnanswered === true && renewal.refreshToken !== undefined);

/**
 * Whether the program can promise a renewal to the person: there was no refusal, for whatever reason, and there is a
 * client secret or a refresh token that does not say that it has expired. A renewal is requested even after that,
 * because the identity provider's clock decides.
 *
 * @param now milliseconds since the epoch
 */
export const willBeRenewed = (renewal: Renewal, now: number): boolean => {
  const ends = refreshTokenEndOf(renewal);
  return (
    renewal.refused === undefined &&
    isRenewable(renewal) &&
    (renewal.clientSecret !== undefined || ends === undefined || ends > now)
  );
};

/** Pause after the first failed renewal, in milliseconds, if there is no usable token. */
const FIRST = 3_000;

/** The same while there is a usable token, so that no caller waits. */
const FIRST_WHILE_GOOD = 30_000;

/** Longest pause between renewals, in milliseconds, unless the identity provider asks for a longer one. */
const LONGEST = 5 * 60_000;

/** Longest pause of all, in milliseconds: the identity provider can ask for an hour at most, and chance adds to it. */
const LONGEST_OF_ALL = 2 * 60 * 60_000;

/**
 * Whether renewals are paused until a time, in milliseconds since the epoch. A time further away than the longest pause
 * was computed with a clock that was ahead, and is ignored.
 */
export const isPaused = (until: number | undefined, now: number): boolean =>
  until !== undefined && until > now && until - now <= LONGEST_OF_ALL;

type Failed = {
  /** How many renewals failed in a row, including this one. */
  readonly count: number;
  /** True if the token is still usable. */
  readonly isGood: boolean;
  /** How long the identity provider asks not to be called, in milliseconds. */
  readonly retryAfter: number | undefined;
};

/**
 * Returns the pause after a failed renewal: as long as the identity provider asks for, otherwise longer each time.
 * Chance spreads the retries of processes that failed at the same time.
 *
 * @param chance from 0 to 1
 * @returns milliseconds
 */
export const renewalPause = ({count, isGood, retryAfter}: Failed, chance: number): number => {
  if (retryAfter !== undefined) return retryAfter + chance * Math.max(2_000, retryAfter / 4);
  const first = isGood ? FIRST_WHILE_GOOD : FIRST;
  return Math.min(first * 2 ** (count - 1), LONGEST) * (0.75 + chance * 0.5);
};

/**
 * How much two sign-ins may differ in length and still count as ended by the same rule, as a share of the longer one.
 */
const SAME = 0.05;

/** The facts about a sign-in from which its end may follow. */
type Known = {
  readonly [Key in 'refreshToken' | 'signInEndsAt' | 'signedInAt' | 'lasted' | 'slides']?: Credentials[Key] | undefined;
};

/**
 * Returns when a sign-in ends despite renewals: as the token endpoint said, as its refresh token says, or after the
 * same time as the last two sign-ins. If renewals postpone the end, the first two only say how long it may stay unused,
 * and are ignored. In milliseconds since the epoch; undefined if unknown.
 */
export const signInEndOf = (known: Known): number | undefined =>
  (known.slides ? undefined : saidEndOf(known)) ?? endAsBefore(known);

const saidEndOf = (known: Known) => known.signInEndsAt ?? refreshTokenEndOf(known);

/**
 * The ends of two tokens are not compared if the tokens were issued closer together than this, in milliseconds: ends
 * are given in whole seconds.
 */
const APART = 10_000;

/**
 * Whether each renewal postpones the end, judged by the ends of two successive refresh tokens; undefined if they do not
 * show it.
 *
 * @param apart the time between the first token and the second, in milliseconds
 */
export const slidesBetween = (before: Known, after: Known, apart: number): boolean | undefined => {
  const [first, second] = [saidEndOf(before), saidEndOf(after)];
  if (first === undefined || second === undefined || apart < APART) return undefined;
  return second - first > apart / 2;
};

const endAsBefore = ({signedInAt, lasted = []}: Known): number | undefined => {
  const [last, before] = lasted;
  if (signedInAt === undefined || last === undefined || before === undefined) return undefined;
  const isSame = Math.abs(last - before) <= Math.max(last, before) * SAME;
  return isSame ? signedInAt + Math.min(last, before) : undefined;
};

/** A token that expires sooner than this is not handed out, because it would expire during use. In milliseconds. */
const MARGIN = 30_000;

/** The same margin as a share of the lifetime, for tokens that live for seconds. */
const MARGIN_SHARE = 0.1;

/**
 * A valid token is renewed after a share of its lifetime between these two. The share differs between processes, so
 * that several programs with one sign-in do not all renew at once.
 */
const RENEW_FROM = 0.75;
const RENEW_TO = 0.9;

/** How far a clock may be set back without effect, in milliseconds. */
const CLOCK_STEP = 60_000;

/**
 * Whether a token was obtained later than now. This machine's clock was ahead at that time and was corrected since. The
 * token's expiry was computed from that clock, so it is not known.
 *
 * @param now milliseconds since the epoch
 */
export const isFromFuture = ({obtainedAt}: Pick<Credentials, 'obtainedAt'>, now: number): boolean =>
  obtainedAt !== undefined && obtainedAt > now + CLOCK_STEP;

/**
 * Whether a kept token can be handed out at `now`, in milliseconds since the epoch. A token of unknown lifetime can.
 */
export const isUsable = (
  {accessToken, expiresAt, obtainedAt}: Pick<Credentials, 'accessToken' | 'expiresAt' | 'obtainedAt'>,
  now: number,
): boolean => {
  if (accessToken === undefined || expiresAt === undefined) return accessToken !== undefined;
  if (obtainedAt !== undefined && isFromFuture({obtainedAt}, now)) return false;
  const lifetime = obtainedAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - obtainedAt;
  return expiresAt - Math.min(MARGIN, lifetime * MARGIN_SHARE) > now;
};

/**
 * Whether a stored token is good as it is: it can be handed out, and it need not be renewed yet.
 *
 * @param now milliseconds since the epoch
 * @param chance a number from 0 to 1 that differs between processes and stays the same in one, as `chanceOf` returns it
 */
export const isGood = (credentials: Credentials, now: number, chance: number): boolean =>
  isUsable(credentials, now) && !isDue(credentials, now, chance);

/** Whether it is time to renew, a little before that is necessary. */
const isDue = (credentials: Credentials, now: number, chance: number): boolean => {
  const {expiresAt, obtainedAt, retryAt} = credentials;
  if (expiresAt === undefined || obtainedAt === undefined) return false;
  if (isPaused(retryAt, now)) return false;
  const share = RENEW_FROM + (RENEW_TO - RENEW_FROM) * chance;
  return now >= obtainedAt + (expiresAt - obtainedAt) * share;
};

/** Returns a number from 0 to 1 that depends on the process only. */
export const chanceOf = (pid: number): number => ((pid * 2_654_435_761) % 1_000) / 1_000;

/**
 * The state of a sign-in. `ended`: its renewal was refused, and its token has expired too. `expired`: its token is no
 * longer handed out; `renewable` says whether it can be renewed.
 */
export type SignInState = {
  readonly state: 'valid' | 'expired' | 'ended' | 'none';
  readonly account?: string;
  readonly expiresAt?: string;
  readonly secondsLeft?: number;
  readonly renewable: boolean;
  /** When the sign-in ends despite renewals, if known. ISO 8601. */
  readonly signInEndsAt?: string;
  /** Why the sign-in has ended, or will end with its token. */
  readonly reason?: string;
  /** True if the identity provider did not refuse the renewal, so that the person may have it tried once more. */
  readonly mayBeTried?: true;
  /** True if the refusal of the renewal did not say that the sign-in has ended, although it probably has. */
  readonly isUnclear?: true;
  /** True if the last renewal got no answer and will be tried again. */
  readonly isUnanswered?: true;
  /** Why the last renewal failed, if it will be tried again. A sentence. */
  readonly failure?: string;
};

/**
 * Describes the state of a sign-in.
 *
 * @param now milliseconds since the epoch
 */
export const signInState = (credentials: Credentials | undefined, now: number): SignInState => {
  const {accessToken, expiresAt, account, refused} = credentials ?? {};
  const renewable = willBeRenewed(credentials ?? {}, now);
  const isEnding = refused !== undefined && accessToken !== undefined && isUsable(credentials ?? {}, now);
  const tried = refused?.isUnclear
    ? ({isUnclear: true} as const)
    : refused && mayBeTried(credentials ?? {})
      ? ({mayBeTried: true} as const)
      : {};
  if (refused && !isEnding) return {state: 'ended', renewable, reason: refused.reason, ...tried};
  if (accessToken === undefined) return {state: 'none', renewable};
  const who = account === undefined ? {} : {account};
  const lost = credentials?.unanswered ? ({isUnanswered: true} as const) : {};
  const failed = credentials?.failure && !refused ? {failure: credentials.failure.message} : {};
  const why = refused ? {reason: refused.reason, ...tried} : {...lost, ...failed};
  // A sign-in that cannot be renewed ends with its token.
  const end = isEnding ? expiresAt : signInEndOf(credentials ?? {});
  const ends = end === undefined ? {} : {signInEndsAt: new Date(end).toISOString()};
  if (isFromFuture(credentials ?? {}, now)) return {state: 'expired', renewable, ...who, ...ends, ...why};
  if (expiresAt === undefined) return {state: 'valid', renewable, ...who, ...ends, ...why};
  const secondsLeft = Math.max(0, Math.floor((expiresAt - now) / 1000));
  const until = {expiresAt: new Date(expiresAt).toISOString(), secondsLeft};
  return {
    state: isUsable({...credentials, accessToken, expiresAt}, now) ? 'valid' : 'expired',
    renewable,
    ...who,
    ...until,
    ...ends,
    ...why,
  };
};

/** Whether a token can be had without a person. */
export const isAlive = ({state, renewable}: Pick<SignInState, 'state' | 'renewable'>): boolean =>
  state === 'valid' || renewable;
