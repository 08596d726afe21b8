import type {Credentials} from './credentials.ts';
import {refreshTokenEndOf} from './tokens.ts';

/** What a renewal is asked for with, and whether one was refused. */
export type Renewal = {
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly refused?: Credentials['refused'];
};

/**
 * Whether a sign-in can be renewed without a person: by its refresh token (RFC 6749 6), or by the secret of its client
 * (RFC 6749 4.4). One whose renewal was refused cannot, also where a secret is left: until somebody signs in anew the
 * identity provider is not asked again by itself. Where it did not say that the sign-in has ended, it is.
 */
export const isRenewable = ({refreshToken, clientSecret, refused}: Renewal): boolean =>
  (refused === undefined || refused.isUnclear === true) && (refreshToken !== undefined || clientSecret !== undefined);

/**
 * The same where a person asks for it: nobody has refused a refresh token that was sent as often as it may be by itself, and
 * got no answer.
 */
export const mayBeTried = (renewal: Renewal): boolean =>
  isRenewable(renewal) || (renewal.refused?.isUnanswered === true && renewal.refreshToken !== undefined);

/**
 * The same as a promise to a person: not one that was refused, whatever the reason, and not by a refresh token that says of itself that it has ended. Who renews asks
 * nevertheless, because the clock that counts is the identity provider's.
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

/** How long the first failed renewal is left alone, in milliseconds, where nobody has a token that is good. */
const FIRST = 3_000;

/** The same while there is one: nobody waits. */
const FIRST_WHILE_GOOD = 30_000;

/** No renewal is left alone for longer than this, unless the provider asks for it, in milliseconds. */
const LONGEST = 5 * 60_000;

/** No pause ends later than this, in milliseconds: an hour is the longest that a provider can ask for, and chance adds to it. */
const LONGEST_OF_ALL = 2 * 60 * 60_000;

/**
 * Whether renewals are left alone until a time, in milliseconds since the epoch. One that is further away than any pause
 * was counted from a clock that was ahead.
 */
export const isPaused = (until: number | undefined, now: number): boolean =>
  until !== undefined && until > now && until - now <= LONGEST_OF_ALL;

type Failed = {
  /** How many renewals failed in a row, with this one. */
  readonly count: number;
  /** Whether the token is still good. */
  readonly isGood: boolean;
  /** How long the identity provider asks to be left alone, in milliseconds. */
  readonly retryAfter: number | undefined;
};

/**
 * How long a renewal that could not be had is left alone: as long as the identity provider asks for, else longer each time.
 * Chance keeps those from coming again together who came together.
 *
 * @param chance from 0 to 1
 * @returns milliseconds
 */
export const renewalPause = ({count, isGood, retryAfter}: Failed, chance: number): number => {
  if (retryAfter !== undefined) return retryAfter + chance * Math.max(2_000, retryAfter / 4);
  const first = isGood ? FIRST_WHILE_GOOD : FIRST;
  return Math.min(first * 2 ** (count - 1), LONGEST) * (0.75 + chance * 0.5);
};

/** How much two sign-ins may differ in length to have ended by the same rule, as a share of it. */
const SAME = 0.05;

/** What is known of a sign-in that may say when it ends. */
type Known = {
  readonly [Key in 'refreshToken' | 'signInEndsAt' | 'signedInAt' | 'lasted' | 'slides']?: Credentials[Key] | undefined;
};

/**
 * When a sign-in ends, whatever is renewed until then: as the token endpoint said, as its refresh token says, or as long
 * after it began as the last two lasted. What slides says when a pause ends that is too long, and not that. In
 * milliseconds since the epoch; undefined where nobody knows.
 */
export const signInEndOf = (known: Known): number | undefined =>
  (known.slides ? undefined : saidEndOf(known)) ?? endAsBefore(known);

const saidEndOf = (known: Known) => known.signInEndsAt ?? refreshTokenEndOf(known);

/** Shorter than this nothing is learnt from two ends, in milliseconds: they are told in whole seconds. */
const APART = 10_000;

/**
 * Whether each renewal puts the end off, by the ends of two refresh tokens that followed each other; undefined where they
 * do not tell.
 *
 * @param apart how long the first was there before the second came, in milliseconds
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

/** A token that ends sooner than this is not handed out: it would end while it is used. In milliseconds. */
const MARGIN = 30_000;

/** The same as a share of its lifetime, for tokens that live for seconds. */
const MARGIN_SHARE = 0.1;

/**
 * From which share of its lifetime on a token is renewed although it still is good: between these two, by chance, so
 * that several programs with one sign-in do not all come at once.
 */
const RENEW_FROM = 0.75;
const RENEW_TO = 0.9;

/** By how much a clock may be set back without anybody's noticing, in milliseconds. */
const CLOCK_STEP = 60_000;

/**
 * Whether a token was obtained later than now: this machine's clock was ahead then, and was set right. Its end was counted
 * from that clock, so nobody knows when it is.
 *
 * @param now milliseconds since the epoch
 */
export const isFromFuture = ({obtainedAt}: Pick<Credentials, 'obtainedAt'>, now: number): boolean =>
  obtainedAt !== undefined && obtainedAt > now + CLOCK_STEP;

/** Whether a kept token can be handed out at `now`, in milliseconds since the epoch. One of unknown lifetime can. */
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
 * Whether a kept token is good as it is: it can be handed out, and nobody has to ask for another one yet.
 *
 * @param now milliseconds since the epoch
 * @param chance which of all asking this is, from 0 to 1: the same for all calls of one process
 */
export const isGood = (credentials: Credentials, now: number, chance: number): boolean =>
  isUsable(credentials, now) && !isDue(credentials, now, chance);

/** Whether it is time to renew, a little before that is needed. */
const isDue = (credentials: Credentials, now: number, chance: number): boolean => {
  const {expiresAt, obtainedAt, retryAt} = credentials;
  if (expiresAt === undefined || obtainedAt === undefined) return false;
  if (isPaused(retryAt, now)) return false;
  const share = RENEW_FROM + (RENEW_TO - RENEW_FROM) * chance;
  return now >= obtainedAt + (expiresAt - obtainedAt) * share;
};

/** A number from 0 to 1 that is this process's own. */
export const chanceOf = (pid: number): number => ((pid * 2_654_435_761) % 1_000) / 1_000;

/**
 * How a sign-in stands. `ended`: its renewal was refused, and its token has ended too. `expired`: its token is no longer
 * handed out, but may still be renewed.
 */
export type SignInStanding = {
  readonly state: 'valid' | 'expired' | 'ended' | 'none';
  readonly account?: string;
  readonly expiresAt?: string;
  readonly secondsLeft?: number;
  readonly renewable: boolean;
  /** When the sign-in ends, whatever is renewed until then, where that is known. ISO 8601. */
  readonly signInEndsAt?: string;
  /** Why it has ended, or will end with its token. */
  readonly reason?: string;
  /** Set where nobody refused that, so that a person may have it renewed once more. */
  readonly mayBeTried?: true;
  /** Set where its renewal was refused without saying that the sign-in has ended, which it probably has. */
  readonly isUnclear?: true;
  /** Set where the last attempt to renew it got no answer, and another one will be made. */
  readonly isUnanswered?: true;
  /** Why the last attempt to renew it failed, where another one will be made. A sentence. */
  readonly failure?: string;
};

/** @param now in milliseconds since the epoch */
export const signInStanding = (credentials: Credentials | undefined, now: number): SignInStanding => {
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
  // What cannot be renewed ends with its token.
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

/** Whether a token is to be had without a person. */
export const isAlive = ({state, renewable}: Pick<SignInStanding, 'state' | 'renewable'>): boolean =>
  state === 'valid' || renewable;
