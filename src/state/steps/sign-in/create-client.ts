import {CALL_TIMEOUT} from '../../../ports/ports.ts';
import {clientIdOf, wantedClientId} from '../../derived/wizard-context.ts';
import {deploymentOf, isCreating, platformOf} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {learns, ok, type RunStep, waiting} from '../../step.ts';
import type {Offer} from '../../view/view.ts';
import {newSecret, signInRecovery} from './sign-in-recovery.ts';

/** Creates an MCP client, with an administrator's rights. */
export const createClient = {
  id: 'create-client',
  stage: 'sign-in',
  kind: 'run',
  title: 'Creating an MCP client',
  when: isCreating,
  done: ({facts}) => facts.client !== undefined,
  forgets: learns('client'),
  reopenedBy: ['clientId', 'applicationId', 'existingClient'],
  run: async (state, run) => {
    const platform = platformOf(state);
    const {adminUsername: username = '', adminPassword: password, applicationId, existingClient} = state.answers;
    const existing = existingClient ?? (state.created.includes(clientIdOf(state)) ? 'reset-secret' : 'refuse');
    const {authUrl, issuer, version, withoutRecipe} = deploymentOf(state);
    const input = {
      ...{platform, authUrl, issuer, username, password, clientId: clientIdOf(state), existing},
      ...(applicationId ? {applicationId} : {}),
      ...(version ? {version} : {}),
      ...(withoutRecipe ? {withoutRecipe} : {}),
    };
    const {createClient: createClientFlow} = await import('../../../flows/sign-in/create-client.ts');
    return {client: await createClientFlow(input, run)};
  },
  pendingRows: () => [
    waiting('application', 'Application ID', CALL_TIMEOUT),
    waiting('admin', 'Administrator', CALL_TIMEOUT),
    waiting('client', 'MCP client', CALL_TIMEOUT),
  ],
  recovery: (state, failure) => {
    if (failure.code === 'auth-client-exists') {
      return failure.about?.isNameTaken
        ? {offers: [anotherClientId(state)]}
        : {advice: EXISTS_ADVICE, offers: existingClient(state)};
    }
    const known = signInRecovery(state, failure);
    if (failure.code === 'auth-permission-missing') return {...known, advice: ANOTHER_ADMIN_ADVICE};
    return failure.code === 'auth-application-unknown'
      ? {...known, offers: [whichApplication, ...known.offers]}
      : known;
  },
  eventTexts: {
    'application-found': {row: ({applicationId}) => ok('application', 'Application ID', applicationId)},
    'admin-signed-in': {
      row: ({username}) => ok('admin', 'Administrator', username),
      line: ({username}) => `Signed in as ${username} to create the MCP client`,
    },
    'client-created': {
      row: ({clientId}) => ok('client', 'MCP client', clientId),
      line: ({clientId, isReset}) =>
        isReset ? `Set a new secret for the MCP client ${clientId}` : `Created the MCP client ${clientId}`,
    },
  },
} satisfies RunStep;

const whichApplication: Offer = {
  label: 'Enter the Application ID',
  hint: 'The Sample App’s, from the developer portal.',
  ask: 'Application ID',
  initial: '',
  toEvent: text => answered({applicationId: text.trim()}),
};

const ANOTHER_ADMIN_ADVICE = 'Enter the administrator again, and use an account that may create clients.';

/** In the order of the offers. The hint of the second one says what it does to others. */
const EXISTS_ADVICE = 'Create one with another name, set a new secret for it, or use it with its secret.';

const existingClient = (state: WizardState): readonly Offer[] => [
  anotherClientId(state),
  newSecret,
  {label: 'Use it with its secret', event: answered({signIn: 'mcp-client', clientId: wantedClientId(state)})},
];

const anotherClientId = (state: WizardState): Offer => ({
  label: 'Create one with another name',
  ask: 'Client ID of the new client',
  initial: `${wantedClientId(state)}_2`,
  isSuggested: true,
  toEvent: text => answered({clientId: text}),
});
