import {SetupError} from '../errors/errors.ts';

/** The pause that no server has wished for, and the longest of all, in milliseconds. */
const FIRST = 1_000;
const LONGEST = 30_000;

/** Shorter wishes are not followed, not even the first time: a server could have itself asked a thousand times a second. */
const LEAST = 250;

/**
 * How long to wait before a stream is taken up again, in milliseconds: what the server wished for, longer each time that
 * it fails, and as long as it asks to be left alone.
 *
 * @param tries how many there were since something new was said
 * @param wish `retry` of the stream (HTML 9.2.6), in milliseconds
 * @param broke what the last try failed with
 */
export const resumeDelay = (tries: number, wish: number | undefined, broke?: unknown): number => {
  const alone = broke instanceof SetupError ? (broke.about.retryAfter ?? 0) : 0;
  const own = Math.max(wish ?? FIRST, LEAST) * 1.5 ** tries;
  return Math.min(Math.max(own, alone), LONGEST);
};
