import {SetupError} from '../errors/errors.ts';

const FIRST = 1_000;
const LONGEST = 30_000;

/** A server that wishes for no wait at all is not asked without one once it has failed, in milliseconds. */
const LEAST = 100;

/**
 * How long to wait before a stream is taken up again, in milliseconds: what the server wished for, longer each time that
 * it fails, and as long as it asks to be left alone.
 *
 * @param tries how many there were since something was heard
 * @param wish `retry` of the stream (HTML 9.2.6), in milliseconds
 * @param broke what the last try failed with
 */
export const resumeDelay = (tries: number, wish: number | undefined, broke?: unknown): number => {
  const alone = broke instanceof SetupError ? (broke.about.retryAfter ?? 0) : 0;
  const first = wish ?? FIRST;
  const own = tries === 0 ? first : Math.max(first, LEAST) * 1.5 ** tries;
  return Math.min(Math.max(own, alone), LONGEST);
};
