import {duration} from '../text.ts';

/** A smaller difference is ignored, in milliseconds. */
const TOLERANCE = 10_000;
/** A smaller difference is mentioned and does no harm, in milliseconds. */
const LIMIT = 60_000;

/** How far this machine's clock is from a server's. */
export type ClockSkew = {
  /** `off` is mentioned. With a `wrong` clock, valid tokens look as if they were not. */
  readonly judgement: 'right' | 'off' | 'wrong';
  /** A short form of it, as `2 h ahead of the server’s`. */
  readonly saw: string;
  readonly sentence: string;
};

/**
 * The one judgement on a clock, by the Date header of a server, which has whole seconds.
 *
 * @param here what this machine's clock said when the server was asked, in milliseconds since the epoch
 */
export const clockSkew = (here: number, server: number): ClockSkew => {
  const skew = here - server;
  const far = Math.abs(skew);
  return {
    judgement: far < TOLERANCE ? 'right' : far < LIMIT ? 'off' : 'wrong',
    saw: `${duration(far)} ${skew > 0 ? 'ahead of' : 'behind'} the server’s`,
    sentence: `This computer’s clock is ${duration(far)} ${skew > 0 ? 'fast' : 'slow'}, so valid tokens ${skew > 0 ? 'look expired' : 'seem not to be valid yet'}.`,
  };
};

export const CLOCK_REMEDY =
  'Correct this computer’s clock, for example by turning network time on. If it is right, tell the platform’s operators.';
