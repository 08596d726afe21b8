import {onTestFinished, vi} from 'vitest';
import type {FlowEvent, Run} from '../../src/flows/flow.ts';
import type {Ports} from '../../src/ports/ports.ts';
import type {WizardState} from '../../src/state/model.ts';
import type {RunStep} from '../../src/state/step.ts';
import {collect} from './flows.ts';

/** Runs a step in a state to its end, and returns its events and the facts that it brought. */
export const runStep = (step: RunStep, state: WizardState, ports = atTheEpoch) => collect(step.run, state, ports);

/** The ports of a flow that only asks for the time: the moment at which the states of tests begin. */
const atTheEpoch = {clock: {now: () => 0}} as Ports;

/** A flow of a test: it tells these events, then returns or throws `outcome`. */
type Stub = {readonly outcome: unknown; readonly events?: readonly FlowEvent[]};

/**
 * Replaces flows that a module exports with flows of the test, for steps that run until the test ends. With several
 * outcomes, the first call gets the first one, and so on. Returns the inputs of each flow.
 *
 * @param module below `src/flows/`
 */
export const replaceFlows = <Name extends string>(
  module: string,
  flows: {readonly [N in Name]: Stub | readonly Stub[]},
): {readonly [N in Name]: unknown[]} => {
  const path = `../../src/flows/${module}`;
  const inputs = Object.fromEntries(Object.keys(flows).map(name => [name, []])) as unknown as {
    [N in Name]: unknown[];
  };
  const exported = Object.entries<Stub | readonly Stub[]>(flows).map(([name, stubs]) => {
    const flow = async (input: unknown, {tell}: Run) => {
      const got = inputs[name as Name];
      got.push(input);
      const {outcome, events = []} = [stubs].flat()[got.length - 1] as Stub;
      for (const event of events) tell(event);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    return [name, flow] as const;
  });
  vi.doMock(path, async importOriginal => ({
    ...(await importOriginal<object>()),
    ...Object.fromEntries(exported),
  }));
  onTestFinished(() => void vi.doUnmock(path));
  return inputs;
};
