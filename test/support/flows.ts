import type {Flow, FlowEvent, Tell} from '../../src/flows/flow.ts';
import type {Ports} from '../../src/ports/ports.ts';

export type Collected<Output> = {readonly events: readonly FlowEvent[]; readonly result: Output};

/** A signal that never aborts. */
export const noSignal = new AbortController().signal;

/** Runs a flow to its end, and returns its events and its result. `react` gets each event when it is told. */
export const collect = async <Input, Output>(
  flow: Flow<Input, Output>,
  input: Input,
  ports: Ports,
  signal: AbortSignal = noSignal,
  react: Tell = () => {},
): Promise<Collected<Output>> => {
  const events: FlowEvent[] = [];
  const tell: Tell = event => {
    events.push(event);
    react(event);
  };
  const result = await flow(input, {ports, signal, tell});
  return {events, result};
};
