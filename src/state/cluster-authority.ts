import {authoritySecretIn} from './deployment-of.ts';
import type {Run} from './runs.ts';
import type {StepShape} from './step-shape.ts';

/** Reads the authority that the person wants to be taken from the cluster. */
const run: Run = async function* (state, ports, signal) {
  const secret = authoritySecretIn(state);
  if (!secret) throw new Error('It is offered where a kind of platform has one.');
  const {readAuthority} = await import('../flows/deployment/ask-cluster.ts');
  const {reporting} = await import('../flows/reporting.ts');
  return {clusterAuthority: yield* reporting(signal, (_, signal) => readAuthority(secret, ports, signal))};
};

/** Its answer comes with a failure, of whichever step: a server that nobody here trusts. */
export const clusterAuthorityStep = {
  id: 'cluster-authority',
  stage: 'deployment',
  kind: 'run',
  when: ({answers}) => answers.authority === 'cluster',
  done: ({facts}) => facts.clusterAuthority !== undefined,
  forgets: {answers: ['authority'], facts: ['clusterAuthority']},
  run,
} as const satisfies StepShape;
