import {randomBytes, randomUUID} from 'node:crypto';

/** One person signing in to one application, step by step. */
export type Flow = {
  readonly id: string;
  readonly applicationId: string;
  /** What was answered so far. A password is not kept once it was tried. */
  readonly inputs: Readonly<Record<string, string>>;
  /** What the next step has to send back where steps are chained; undefined before the first. */
  readonly challenge?: string;
};

export type Flows = {
  begin(applicationId: string, id?: string): Flow;
  get(id: string): Flow | undefined;
  /** Keeps what was answered, and asks for the next step with another challenge. */
  answer(flow: Flow, inputs: Flow['inputs']): Flow;
  end(id: string): void;
};

/** Nobody finishes a flow that is this many flows old. */
const kept = 1000;

export const createFlows = (): Flows => {
  const flows = new Map<string, Flow>();
  const put = (flow: Flow) => {
    flows.set(flow.id, flow);
    for (const id of flows.keys()) if (flows.size > kept) flows.delete(id);
    return flow;
  };
  return {
    begin: (applicationId, id = randomUUID()) => put({id, applicationId, inputs: {}}),
    get: id => flows.get(id),
    answer: (flow, inputs) => put({...flow, inputs, challenge: randomBytes(24).toString('base64url')}),
    end(id) {
      flows.delete(id);
    },
  };
};
