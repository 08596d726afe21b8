import {wantedOf} from '../../../domain/token-request.ts';
import {CALL_TIMEOUT} from '../../../ports/ports.ts';
import {
  clientIdOf,
  clientSecretOf,
  contextOf,
  methodOf,
  personWay,
  tokenOf,
  wantedResource,
} from '../../derived/wizard-context.ts';
import {deploymentOf} from '../../derived/wizard-deployment.ts';
import {learns, type RunStep, waiting} from '../../step.ts';
import {browserRecovery, waitingFor} from './person-sign-in.ts';

/** Obtains a token of its own for a server that accepts no other. Runs once the check has found such a server. */
export const ownToken = {
  id: 'own-token',
  stage: 'sign-in',
  kind: 'run',
  title: 'Signing in to a server that needs its own token',
  when: ({facts}) => facts.ownResources !== undefined,
  done: state => wantedResource(state) === undefined,
  forgets: learns('ownTokens', 'serverTokens'),
  run: async (state, run) => {
    const {facts} = state;
    const wanted = wantedResource(state);
    if (!wanted) throw new Error('A token is asked for where the check has found a resource.');
    const {issuer} = deploymentOf(state);
    const {account} = tokenOf(state);
    const method = methodOf(state);
    const clientId = clientIdOf(state);
    const own = {clientId, wanted: wantedOf(contextOf(state))};
    const by = method === 'browser' ? {...personWay(state), ...own} : {...own, method, secret: clientSecretOf(state)};
    const {obtainOwnToken} = await import('../../../flows/sign-in/server-token.ts');
    const token = await obtainOwnToken({...wanted, issuer, account, by}, run);
    const ownTokens = {...facts.ownTokens, [wanted.server]: token};
    if (token === 'refused') return {ownTokens};
    if (wanted.server === 'control-plane') return {ownTokens, token};
    return {ownTokens, serverTokens: {...facts.serverTokens, [wanted.server]: token.access}};
  },
  pendingRows: () => [waiting('token', 'Access token', CALL_TIMEOUT)],
  waitingView: waitingFor,
  recovery: browserRecovery,
} satisfies RunStep;
