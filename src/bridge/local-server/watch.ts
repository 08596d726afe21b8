import {familyOf, type SetupError} from '../../errors/errors.ts';
import type {Clock} from '../../ports/ports.ts';

/**
 * How often to check whether another program has changed something, in milliseconds. Each check compares two files'
 * versions.
 */
const LOOK = 500;

/** The pause after a server could not be reached, at first and at most, in milliseconds. */
const FIRST = 2_000;
const LONGEST = 60_000;

export type Watched = {
  /** Returns a text that changes when another program may have signed in, or set up a deployment. */
  readonly changes: () => string;
  /** True if the first attempt waits for a change. */
  readonly waits: boolean;
  /** Returns undefined on success, otherwise the failure. */
  readonly attempt: () => Promise<SetupError | undefined>;
};

/**
 * Repeats the attempt until it succeeds, or until `signal` aborts: after each change, and also without a change if the
 * failure may end by itself, with growing and partly random pauses.
 */
export const watch = async ({changes, waits, attempt}: Watched, clock: Clock, signal: AbortSignal): Promise<void> => {
  let seen = changes();
  let pause = FIRST;
  let due = waits ? Number.POSITIVE_INFINITY : clock.monotonic();
  for (;;) {
    while (changes() === seen && clock.monotonic() < due) await clock.sleep(LOOK, signal);
    // Taken before the attempt, so that a change in between is noticed later.
    const now = changes();
    if (now !== seen) pause = FIRST;
    seen = now;
    const failure = await attempt();
    if (!failure || signal.aborted) return;
    const wish = failure.about.retryAfter ?? 0;
    due = mendsItself(failure)
      ? clock.monotonic() + Math.max(wish, pause * (0.75 + Math.random() / 2))
      : Number.POSITIVE_INFINITY;
    pause = Math.min(pause * 2, LONGEST);
    // The attempt may have changed these files itself, which leads to the next attempt. This pause keeps that from
    // becoming a busy loop.
    await clock.sleep(LOOK, signal);
  }
};

/** Whether the failure may end without a change on this machine. */
const mendsItself = ({code}: SetupError) => ['network', 'platform'].includes(familyOf(code)) || code === 'local-locked';
