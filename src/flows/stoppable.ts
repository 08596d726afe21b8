import {cancelled, findSetupError} from '../errors/errors.ts';
import type {Run} from './flow.ts';

/** Marks work as handled: if a flow ends before the work does, the work is stopped, and its failure is not reported. */
export const markHandled = <Output>(work: Promise<Output>): Promise<Output> => {
  work.catch(() => undefined);
  return work;
};

/**
 * Runs `work`, which may do several things at once, so that it can be stopped. It ends as soon as the signal aborts,
 * even if it waits for something that ignores signals. When it ends, everything that it has begun is stopped, and its
 * events are dropped.
 *
 * Work that must not stop in the middle, such as writing files, does not run this way: it checks the signal where it
 * can stop.
 *
 * @param work receives the same run with a signal and a `tell` of its own
 * @throws the signal's reason if it is a SetupError, otherwise `cancelled`; and what `work` throws
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
