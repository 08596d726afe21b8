import {familyOf, type SetupError} from '../../errors/errors.ts';
import type {Clock} from '../../ports/ports.ts';

/** How often it is looked whether another program has changed something, in milliseconds: a look at two files. */
const LOOK = 500;

/** How long a server that cannot be reached is left alone, at first and at the most, in milliseconds. */
const FIRST = 2_000;
const LONGEST = 60_000;

export type Watched = {
  /** Changes when another program may have signed in, or set up a deployment. */
  readonly changes: () => string;
  /** Whether the first try waits for a change. */
  readonly waits: boolean;
  /** Undefined once it has worked; else why not. */
  readonly attempt: () => Promise<SetupError | undefined>;
};

/**
 * Tries until it works, or until `signal` aborts: after each change, and where a network or a server was at fault also
 * without one, in growing pauses with chance in them.
 */
export const watch = async ({changes, waits, attempt}: Watched, clock: Clock, signal: AbortSignal): Promise<void> => {
  let seen = changes();
  let pause = FIRST;
  let due = waits ? Number.POSITIVE_INFINITY : clock.monotonic();
  for (;;) {
    while (changes() === seen && clock.monotonic() < due) await clock.sleep(LOOK, signal);
    // Before trying: a change in between must not pass for seen.
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
    // What a try itself has written is no reason to try without a pause.
    await clock.sleep(LOOK, signal);
  }
};

/** Whether it may be over without anybody having done something on this machine. */
const mendsItself = ({code}: SetupError) => ['network', 'platform'].includes(familyOf(code)) || code === 'local-locked';
