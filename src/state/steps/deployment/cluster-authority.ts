import {authoritySecretIn} from '../../derived/wizard-deployment.ts';
import type {RunStep} from '../../step.ts';
import {chooseAgain} from './trust-offers.ts';

/**
 * Reads the certificate authority from the cluster, if the person chose that. The choice is offered with any step's
 * failure that is about an untrusted server.
 */
export const clusterAuthority = {
  id: 'cluster-authority',
  stage: 'deployment',
  kind: 'run',
  title: 'Reading the certificate authority from the cluster',
  when: ({answers}) => answers.authority === 'cluster',
  done: ({facts}) => facts.clusterAuthority !== undefined,
  forgets: {answers: ['authority'], facts: ['clusterAuthority']},
  run: async (state, run) => {
    const secret = authoritySecretIn(state);
    if (!secret) throw new Error('It is offered where a kind of platform has one.');
    const {readAuthority} = await import('../../../flows/deployment/cluster.ts');
    return {clusterAuthority: await readAuthority(secret, run)};
  },
  recovery: (state, {code}) => ({offers: code === 'local-authority-missing' ? [chooseAgain(state)] : []}),
} satisfies RunStep;
