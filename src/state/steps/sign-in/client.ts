import {preparedClientsOf} from '../../../platform/recognise.ts';
import {clientSecretIn} from '../../derived/validate.ts';
import {DEFAULT_CLIENT_ID} from '../../derived/wizard-context.ts';
import {deploymentOf, isByClient, isResumed, isSignedIn, platformOf} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {type AskStep, asks, isHome} from '../../step.ts';

/** Asks for the client that signs in, and for its secret. */
export const client = {
  id: 'client',
  stage: 'sign-in',
  kind: 'ask',
  title: 'Which client should sign in?',
  flag: '--client-id and --client-secret-stdin',
  when: state => isByClient(state) && !isSignedIn(state),
  done: ({answers}) => answers.clientEntered === true,
  forgets: asks('clientEntered'),
  ask: state => ({
    type: 'form',
    explanation: `${whoHasSecret(state)} The secret is sent in the ${sentIn(state)} if that is refused.`,
    name: {
      label: 'Client ID',
      initial: state.answers.clientId ?? suggestedIn(state),
      isKnown: state.answers.clientId !== undefined,
    },
    secret: {
      label: 'Client secret',
      read: clientSecretIn,
    },
    toEvent: (clientId, clientSecret) => answered({clientId, clientSecret, clientEntered: true}),
  }),
} satisfies AskStep;

/** Says who has the secret. This program has the only copy of one that it made, until a sign-out. */
const whoHasSecret = (state: WizardState): string =>
  state.answers.signIn === 'mcp-client' && isResumed(state) && !deploymentOf(state).withoutRecipe
    ? `If nobody has the secret, ${state.asked.some(isHome) ? 'start over' : 'go back'} and choose “Create an MCP client”: with an administrator’s sign-in, you get a client with a new secret.`
    : 'Your platform team has the ID and the secret.';

const sentIn = ({answers}: WizardState): string =>
  answers.signIn === 'service-account'
    ? 'body (client_secret_post), or in the header'
    : 'header (client_secret_basic), or in the body';

/**
 * Returns the suggested MCP client: the one that the release installs, else the documented one. Empty for a service
 * account.
 */
const suggestedIn = (state: WizardState): string => {
  if (state.answers.signIn !== 'mcp-client') return '';
  return preparedClientsOf(platformOf(state), deploymentOf(state).version)[0] ?? DEFAULT_CLIENT_ID;
};
