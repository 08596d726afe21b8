import type {FlowEvent} from '../../flows/flow.ts';

/** Runs a flow whose events nobody asked for, to its result. */
export const finish = async <Output>(flow: AsyncGenerator<FlowEvent, Output, void>): Promise<Output> => {
  for (;;) {
    const step = await flow.next();
    if (step.done) return step.value;
  }
};
