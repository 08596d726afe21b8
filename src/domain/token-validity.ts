import type {Credentials} from './credentials.ts';

/** A token that ends sooner than this is not handed out: it would end while it is used. In milliseconds. */
const MARGIN = 30_000;

/**
 * From which share of its lifetime on a token is renewed although it still is good: between these two, by chance, so
 * that several programs with one sign-in do not all come at once.
 */
const RENEW_FROM = 0.75;
const RENEW_TO = 0.9;

/** Whether a kept token can be handed out at `now`, in milliseconds since the epoch. One of unknown lifetime can. */
export const isUsable = ({accessToken, expiresAt}: Credentials, now: number): boolean =>
  accessToken !== undefined && (expiresAt === undefined || expiresAt - MARGIN > now);

/**
 * Whether it is time to renew, a little before that is needed.
 *
 * @param now milliseconds since the epoch
 * @param chance which of all asking this is, from 0 to 1: the same for all calls of one process
 */
export const isDue = (credentials: Credentials, now: number, chance: number): boolean => {
  const {accessToken, expiresAt, obtainedAt, retryAt} = credentials;
  if (accessToken === undefined) return true;
  if (expiresAt === undefined) return false;
  if (retryAt !== undefined && now < retryAt && isUsable(credentials, now)) return false;
  if (obtainedAt === undefined) return expiresAt - MARGIN <= now;
  const share = RENEW_FROM + (RENEW_TO - RENEW_FROM) * chance;
  return now >= obtainedAt + (expiresAt - obtainedAt) * share;
};

/** A number from 0 to 1 that is this process's own. */
export const chanceOf = (pid: number): number => ((pid * 2_654_435_761) % 1_000) / 1_000;
