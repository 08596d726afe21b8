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
