import {preparedClientsOf} from '../../../platform/recognise.ts';
import {DEFAULT_CLIENT_ID} from '../../derived/client-of.ts';
import {deploymentOf, platformOf} from '../../derived/deployment-of.ts';
import {isByClient, isSignedIn} from '../../derived/purpose.ts';
import {clientSecretIn} from '../../derived/validate.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {type AskStep, asks} from '../../step.ts';

/** The client that signs in by a secret that the person has. */
export const client = {
  id: 'client',
  stage: 'sign-in',
  kind: 'ask',
  title: 'Which client?',
  flag: '--client-id and --client-secret-stdin',
  when: state => isByClient(state) && !isSignedIn(state),
  done: ({answers}) => answers.clientEntered === true,
  forgets: asks('clientEntered'),
  ask: state => ({
    type: 'form',
    explanation:
      state.answers.signIn === 'service-account'
        ? 'A service account sends its secret in the request body (client_secret_post), or in the header if that is refused.'
        : 'An MCP client sends its secret in the header (client_secret_basic), or in the request body if that is refused.',
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

/** The MCP client that an installation of this release made, else the one of the documentation; none for CI. */
const suggestedIn = (state: WizardState): string => {
  if (state.answers.signIn !== 'mcp-client') return '';
  return preparedClientsOf(platformOf(state), deploymentOf(state).version)[0] ?? DEFAULT_CLIENT_ID;
};
