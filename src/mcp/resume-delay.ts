const FIRST = 1_000;
const LONGEST = 30_000;

/**
 * How long to wait before a stream is taken up again, in milliseconds: what the server wished for, else longer each time.
 *
 * @param tries how many there were since something was heard
 */
export const resumeDelay = (tries: number, wish: number | undefined): number =>
  Math.min(wish ?? FIRST * 1.5 ** tries, LONGEST);
