import type {FlowEvent} from '../../flows/flow.ts';
import {setupAwaited} from '../../flows/setup-awaited.ts';
import type {Terminal} from '../command.ts';

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

/** As `finish`, for what writes or removes entries: says on standard error what it warns of, and that another setup is waited for. */
export const finishWriting = async <Output>(
  flow: AsyncGenerator<FlowEvent, Output, void>,
  {stderr}: Pick<Terminal, 'stderr'>,
): Promise<Output> => {
  for (;;) {
    const step = await flow.next();
    if (step.done) return step.value;
    if (step.value.type === 'setup-awaited') stderr.tell(`${setupAwaited}\n`);
    if (step.value.type === 'warning') stderr.tell(`${step.value.message}\n`);
  }
};
