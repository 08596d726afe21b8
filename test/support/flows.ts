import type {FlowEvent} from '../../src/flows/flow.ts';

export type Collected<Output> = {readonly events: readonly FlowEvent[]; readonly result: Output};

/** Runs a flow to its end: everything it said, and what it returned. */
export const collect = async <Output>(flow: AsyncGenerator<FlowEvent, Output, void>): Promise<Collected<Output>> => {
  const events: FlowEvent[] = [];
  for (;;) {
    const step = await flow.next();
    if (step.done) return {events, result: step.value};
    events.push(step.value);
  }
};

/** A signal that never aborts. */
export const noSignal = new AbortController().signal;
