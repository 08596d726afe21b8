import type {FlowEvent} from '../../flows/flow.ts';

/**
 * Runs a flow whose events nobody asked for, to its result.
 *
 * @param warn is told its warnings
 */
export const finish = async <Output>(
  flow: AsyncGenerator<FlowEvent, Output, void>,
  warn: (message: string) => void = () => {},
): Promise<Output> => {
  for (;;) {
    const step = await flow.next();
    if (step.done) return step.value;
    if (step.value.type === 'warning') warn(step.value.message);
  }
};
