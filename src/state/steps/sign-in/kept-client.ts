import type {CreatedClient} from '../../../flows/sign-in/create-client.ts';
import {isRefused} from '../../derived/last-sign-in.ts';
import {DEFAULT_CLIENT_ID, wantedClientId} from '../../derived/wizard-context.ts';
import {deploymentOf} from '../../derived/wizard-deployment.ts';
import {learns, type RunStep} from '../../step.ts';

/** Looks for an MCP client that an earlier run saved. If there is one, none has to be created. */
export const keptClient = {
  id: 'kept-client',
  stage: 'sign-in',
  kind: 'run',
  title: 'Looking for a saved MCP client',
  when: ({answers}) => answers.signIn === 'create-mcp-client',
  done: state => state.facts.keptClient?.clientId === wantedClientId(state),
  forgets: learns('keptClient', 'client'),
  run: async (state, run) => {
    const {issuer} = deploymentOf(state);
    const clientId = wantedClientId(state);
    // Earlier versions gave every person's client the same name. The assistants' account never had it.
    const isPersons = state.answers.clientId === undefined && !state.settings.isAccount;
    const names = isPersons ? [...new Set([clientId, DEFAULT_CLIENT_ID])] : [clientId];
    // A secret that was refused, as after a reinstallation, or that is to be replaced is of no use.
    const isReset = state.answers.existingClient === 'reset-secret';
    if (isReset) return {keptClient: {clientId, isKept: false}};
    let client: CreatedClient | undefined;
    const {findSavedClient} = await import('../../../flows/sign-in/create-client.ts');
    for (const name of names) client ??= await findSavedClient({issuer, clientId: name}, run);
    const isKept = client !== undefined && !isRefused(state, client.secret);
    return {keptClient: {clientId, isKept}, ...(client && isKept ? {client} : {})};
  },
} satisfies RunStep;
