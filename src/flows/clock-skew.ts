import {duration} from '../text.ts';

/** Smaller differences are ignored. In milliseconds. */
const TOLERANCE = 10_000;
/** Smaller differences are mentioned, but do no harm. In milliseconds. */
const LIMIT = 60_000;

/** The difference between this machine's clock and a server's. */
export type ClockSkew = {
  /** `off` is mentioned. With a `wrong` clock, valid tokens look invalid. */
  readonly judgement: 'right' | 'off' | 'wrong';
  /** The difference in a short form, such as `2 h ahead of the server’s`. */
  readonly saw: string;
  readonly sentence: string;
};

/**
 * Judges this machine's clock by the `Date` header of a server, which has whole seconds.
 *
 * @param here this machine's time when the server was asked, in milliseconds since the epoch
 */
export const clockSkew = (here: number, server: number): ClockSkew => {
  const skew = here - server;
  const far = Math.abs(skew);
  const what = `This computer’s clock is ${duration(far)} ${skew > 0 ? 'fast' : 'slow'}`;
  const harm = `valid tokens ${skew > 0 ? 'look expired' : 'seem not to be valid yet'}`;
  return {
    judgement: far < TOLERANCE ? 'right' : far < LIMIT ? 'off' : 'wrong',
    saw: `${duration(far)} ${skew > 0 ? 'ahead of' : 'behind'} the server’s`,
    sentence:
      far < LIMIT ? `${what}. That does no harm yet, but with a larger difference ${harm}.` : `${what}, so ${harm}.`,
  };
};
