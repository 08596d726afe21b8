import type {Patience} from '../../ports.ts';
import {ConnectionTimeout} from './patience.ts';

type Limits = {
  /** In milliseconds. */
  readonly time: number;
  /** What runs out of it. */
  readonly part: keyof Patience;
  readonly signal: AbortSignal;
};

/**
 * One part of a connection, for as long as it may take.
 *
 * @param drop lets go of what the part holds, whatever it failed of
 * @throws what `begin` does; `ConnectionTimeout`; what `signal` aborts with
 */
export const within = async <T>(
  {time, part, signal}: Limits,
  begin: () => Promise<T>,
  drop: () => void = () => {},
): Promise<T> => {
  const {promise: ended, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new ConnectionTimeout(part)), time);
  signal.addEventListener('abort', abort, {once: true});
  try {
    signal.throwIfAborted();
    return await Promise.race([begin(), ended]);
  } catch (error) {
    drop();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
};
