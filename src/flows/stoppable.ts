import {cancelled, findSetupError} from '../errors/errors.ts';
import type {Run} from './flow.ts';

/** Lets `work` be left alone: when a flow ends before it, it is stopped, and that it was stopped is no news to anybody. */
export const markHandled = <Output>(work: Promise<Output>): Promise<Output> => {
  work.catch(() => undefined);
  return work;
};

/**
 * Runs `work`, which may do several things at once, as one that can be stopped. It ends as soon as the signal aborts, also
 * where it waits for something that ignores signals; and when it ends, whatever it has begun is stopped and no longer heard.
 *
 * Work that must not be left in the middle, such as writing files, is not run by this: it looks at the signal where it can stop.
 *
 * @param work is given the same run with a signal and a `tell` of its own
 * @throws what the signal aborts with, as SetupError, `cancelled` unless it is one; and what `work` throws
 */
export const stoppable = async <Output>(
  {ports, signal, tell}: Run,
  work: (run: Run) => Promise<Output>,
): Promise<Output> => {
  const ended = new AbortController();
  const {promise, resolve, reject} = Promise.withResolvers<Output>();
  const abort = () => reject(findSetupError(signal.reason) ?? cancelled());
  if (signal.aborted) abort();
  else {
    signal.addEventListener('abort', abort, {once: true});
    const own: Run = {
      ports,
      signal: AbortSignal.any([signal, ended.signal]),
      tell: event => {
        if (!ended.signal.aborted && !signal.aborted) tell(event);
      },
    };
    work(own).then(resolve, reject);
  }
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    ended.abort(cancelled());
  }
};
