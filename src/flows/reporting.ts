import {cancelled, findSetupError} from '../errors/errors.ts';
import type {FlowEvent} from './flow.ts';

export type Tell = (event: FlowEvent) => void;

/** Lets `work` be left alone: when a flow ends before it, it is stopped, and that it was stopped is no news to anybody. */
export const leavable = <Output>(work: Promise<Output>): Promise<Output> => {
  work.catch(() => undefined);
  return work;
};

/**
 * The same for work that must not be left in the middle: writing files. It looks at the signal itself, where it can stop,
 * and the generator ends when it has.
 */
export const reportingToItsEnd = <Output>(
  work: (tell: Tell) => Promise<Output>,
): AsyncGenerator<FlowEvent, Output, void> => reporting(new AbortController().signal, work);

/**
 * Runs `work`, which may do several things at once, and yields what it tells as it tells it; returns what it returns.
 * Ends promptly when `signal` aborts, also where `work` waits for something that ignores signals. When the generator is
 * left early, the signal that `work` was given aborts, so nothing goes on behind the caller's back.
 */
export async function* reporting<Output>(
  signal: AbortSignal,
  work: (tell: Tell, signal: AbortSignal) => Promise<Output>,
): AsyncGenerator<FlowEvent, Output, void> {
  const left = new AbortController();
  const told: FlowEvent[] = [];
  let wake = () => {};
  const tell: Tell = event => {
    told.push(event);
    wake();
  };

  let settled: PromiseSettledResult<Output> | undefined;
  const settle = (result: PromiseSettledResult<Output>) => {
    settled ??= result;
    wake();
  };
  const abort = () => settle({status: 'rejected', reason: findSetupError(signal.reason) ?? cancelled()});
  signal.addEventListener('abort', abort, {once: true});
  if (signal.aborted) abort();
  else {
    work(tell, AbortSignal.any([signal, left.signal])).then(
      value => settle({status: 'fulfilled', value}),
      reason => settle({status: 'rejected', reason}),
    );
  }

  try {
    for (;;) {
      for (let event = told.shift(); event; event = told.shift()) yield event;
      if (settled) break;
      await new Promise<void>(resolve => {
        wake = resolve;
        if (settled || told.length > 0) resolve();
      });
    }
  } finally {
    signal.removeEventListener('abort', abort);
    left.abort(cancelled());
  }
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
