import {SetupError} from '../../../errors/errors.ts';
import {deploymentOf} from '../../derived/wizard-deployment.ts';
import {oauthClientOf, oauthRedirectsOf, oauthWantedOf, wantsOAuth} from '../../derived/wizard-targets.ts';
import {answered} from '../../events.ts';
import {learns, type RunStep} from '../../step.ts';
import {back} from '../../view/offers.ts';

const NO_CLIENT =
  'Your assistants can share your sign-in. To give them sign-ins of their own, ask your platform team to register a client.';

/** Checks whether the assistants that should sign in by themselves can. One that cannot is connected in another way. */
export const oauthClient = {
  id: 'oauth-client',
  stage: 'assistants',
  kind: 'run',
  title: 'Checking whether your assistants can sign in on their own',
  when: wantsOAuth,
  done: ({facts}) => facts.oauthClient !== undefined,
  forgets: learns('oauthClient'),
  run: async (state, run) => {
    const clientId = oauthClientOf(state);
    const {issuer} = deploymentOf(state);
    if (clientId === undefined) {
      throw new SetupError('input-required', 'No OAuth client is known for your assistants.', {
        remedy: {do: 'Name a public client of the identity provider.', flag: 'Pass --oauth-client-id ID.'},
        about: {flag: 'oauth-client-id', url: issuer},
      });
    }
    const assistants = oauthRedirectsOf(state);
    const input = {issuer, clientId, wanted: oauthWantedOf(state), assistants};
    const {checkAssistantClients} = await import('../../../flows/sign-in/assistant-clients.ts');
    return {oauthClient: {clientId, refused: await checkAssistantClients(input, run)}};
  },
  recovery: ({answers: {connect}}, {code}) => ({
    // The error's remedy names a flag, but a person must not have to leave the wizard for one.
    ...(code === 'input-required' ? {heading: 'No client is known for your assistants', advice: NO_CLIENT} : {}),
    offers: [
      ...(connect
        ? [
            {
              label: 'Share your sign-in with them instead',
              hint: 'They stay signed in as long as you do.',
              event: answered({connect: {...connect, method: 'auto'}}),
            },
          ]
        : []),
      back('Choose the assistants again', 'assistants'),
    ],
  }),
  eventTexts: {
    'oauth-client-checked': {
      row: ({assistant, taken}) => ({
        key: `oauth ${assistant}`,
        status: taken ? 'ok' : 'warning',
        label: assistant,
        value: taken ? 'can sign in by itself' : 'cannot sign in by itself',
      }),
      line: ({assistant, taken}) => `${assistant} ${taken ? 'can' : 'cannot'} sign in by itself`,
    },
  },
} satisfies RunStep;
