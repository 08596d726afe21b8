import {cancelled, findSetupError} from '../errors/errors.ts';
import {createMessageQueue} from '../message-queue.ts';
import type {Ports} from '../ports/ports.ts';
import type {FlowEvent} from './flow.ts';

export type Tell = (event: FlowEvent) => void;

/** What travels with all work of a flow: the world, when to stop, and who is told. */
export type Run = {readonly ports: Ports; readonly signal: AbortSignal; readonly tell: Tell};

/** Lets `work` be left alone: when a flow ends before it, it is stopped, and that it was stopped is no news to anybody. */
export const markHandled = <Output>(work: Promise<Output>): Promise<Output> => {
  work.catch(() => undefined);
  return work;
};

/** Runs a flow inside of another one's work: tells its events on, and returns what it returns. */
export const relay = async <Output>(flow: AsyncGenerator<FlowEvent, Output, void>, tell: Tell): Promise<Output> => {
  for (;;) {
    const step = await flow.next();
    if (step.done) return step.value;
    tell(step.value);
  }
};

/**
 * As `reporting`, for work that must not be left in the middle: writing files. It looks at the signal itself, where it can stop,
 * and the generator ends when it has.
 */
export const reportingToItsEnd = <Output>(
  work: (tell: Tell) => Promise<Output>,
): AsyncGenerator<FlowEvent, Output, void> => events(new AbortController().signal, work);

/**
 * Runs `work` with what it needs, and yields what it tells as it tells it; returns what it returns. When the generator is
 * left early, the signal of its run aborts.
 */
export const reporting = <Output>(
  {ports, signal}: Pick<Run, 'ports' | 'signal'>,
  work: (run: Run) => Promise<Output>,
): AsyncGenerator<FlowEvent, Output, void> => events(signal, (tell, signal) => work({ports, signal, tell}));

/**
 * Runs `work`, which may do several things at once, and yields what it tells as it tells it; returns what it returns.
 * Ends promptly when `signal` aborts, also where `work` waits for something that ignores signals. When the generator is
 * left early, the signal that `work` was given aborts, so nothing goes on behind the caller's back.
 */
async function* events<Output>(
  signal: AbortSignal,
  work: (tell: Tell, signal: AbortSignal) => Promise<Output>,
): AsyncGenerator<FlowEvent, Output, void> {
  const left = new AbortController();
  const told = createMessageQueue<FlowEvent>();
  const {promise: result, resolve, reject} = Promise.withResolvers<Output>();
  result.then(told.end, told.end);
  const abort = () => reject(findSetupError(signal.reason) ?? cancelled());
  signal.addEventListener('abort', abort, {once: true});
  if (signal.aborted) abort();
  else work(told.push, AbortSignal.any([signal, left.signal])).then(resolve, reject);

  try {
    for (;;) {
      // It rejects when all has been told.
      const event = await told.next().catch(() => undefined);
      if (!event) break;
      yield event;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    left.abort(cancelled());
  }
  return result;
}
