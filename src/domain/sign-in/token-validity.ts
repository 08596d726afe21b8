import type {Credentials} from './credentials.ts';
import {isPaused} from './renewal-pause.ts';

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
