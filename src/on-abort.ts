/**
 * Calls `act` when a signal aborts, and at once where it has already: a listener that is added after that is never called.
 *
 * @returns stops listening
 */
export const onAbort = (signal: AbortSignal, act: () => void): (() => void) => {
  if (signal.aborted) {
    act();
    return () => {};
  }
  signal.addEventListener('abort', act, {once: true});
  return () => signal.removeEventListener('abort', act);
};
