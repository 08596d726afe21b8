/** A timer that fires this much too late, in milliseconds, shows that the process was suspended, or had no time. */
const TOO_LATE = 250;

/** How long a process that was suspended has to read what has arrived meanwhile, in milliseconds. */
const CATCH_UP = 1_000;

/**
 * Calls `act` when the time is up, and what had arrived by then has been read: timers come before sockets in a turn of the
 * event loop (Node's guide to it), so in a process that was suspended (SIGSTOP, Ctrl+Z) a deadline fires before an answer
 * that lies in the socket is seen.
 *
 * @param time in milliseconds
 * @returns puts it off for good
 */
export const whenUp = (time: number, act: () => void): (() => void) => {
  const started = performance.now();
  let immediate: NodeJS.Immediate | undefined;
  const soon = () => {
    immediate = setImmediate(act);
  };
  const up = () => {
    if (performance.now() - started > time + TOO_LATE) timer = setTimeout(soon, CATCH_UP).unref();
    else soon();
  };
  let timer = setTimeout(up, time).unref();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
};
