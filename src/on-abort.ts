/**
 * Calls `act` when a signal aborts, or at once if it has already: a listener that is added later is never called.
 *
 * @returns a function that stops listening
 */
export const onAbort = (signal: AbortSignal, act: () => void): (() => void) => {
  if (signal.aborted) {
    act();
    return () => {};
  }
  signal.addEventListener('abort', act, {once: true});
  return () => signal.removeEventListener('abort', act);
};
