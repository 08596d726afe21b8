import {SetupError} from '../../../errors/errors.ts';
import {phrase, setup} from '../../../errors/remedy.ts';
import {
  accountState,
  createsAccount,
  hasCreatedClient,
  hasRoles,
  isPurposeUnknown,
  purposeIn,
  savedAccount,
} from '../../derived/assistants-account.ts';
import {accountGuideOnRequest} from '../../derived/guide-on-request.ts';
import {isResumed} from '../../derived/wizard-deployment.ts';
import {connectedOf, selectionAtFirst} from '../../derived/wizard-targets.ts';
import {answered} from '../../events.ts';
import type {Answers, Failure, WizardState} from '../../model.ts';
import type {ActsAs} from '../../selection.ts';
import type {AskStep, Recovery} from '../../step.ts';
import {purposeName} from '../../view/names.ts';
import type {Offer} from '../../view/view.ts';

/** Returns the offer to let the assistants act as the person after all. */
export const actAsYou = ({answers: {connect}}: WizardState): readonly Offer[] =>
  connect
    ? [
        {
          label: 'Let them act as you',
          hint: 'They can then do everything that you can.',
          event: answered({connect: {...connect, actsAs: 'you'}}),
        },
      ]
    : [];

/**
 * Returns what to do about a failure that has to do with the account, instead of advice that is about the person's own
 * sign-in; undefined if its own advice fits.
 */
export const adviceFor = ({remedy, advice = remedy}: Failure, offers: readonly Offer[]): string | undefined => {
  if (!/^(?:sign in|paste|enter the)\b/i.test(advice)) return undefined;
  const [first, second] = offers.map(({label}) => label);
  return second === undefined ? `${first}.` : `${first}, or ${second.charAt(0).toLowerCase()}${second.slice(1)}.`;
};

/** Returns the answers with which the assistants that are connected act as said, whatever this run was about before. */
const acting = (state: WizardState, actsAs: ActsAs): Partial<Answers> => {
  const {connect: chosen} = state.answers;
  // A new set-up that is under way goes on with its own sign-in and choice.
  if (chosen && state.facts.deployment && !isResumed(state)) return {connect: {...chosen, actsAs}};
  const {again = {}} = state.settings;
  const connecting = {...state, answers: {...again, resume: 'connect' as const}};
  const connect = {...selectionAtFirst(connecting), assistants: [...new Set(connectedOf(connecting))], actsAs};
  // In a run that continues already these are known, and giving them again would begin another sign-in.
  return {...(isResumed(state) ? {} : again), deploymentAccepted: true, resume: 'connect', connect};
};

/** Returns the answers with which the account that the assistants have is signed in again. */
export const signedInAnew = (state: WizardState): Partial<Answers> => ({
  ...acting(state, purposeSaved(state)),
  accountAnew: true,
});

const purposeSaved = (state: WizardState) =>
  (savedAccount(state) ?? state.settings.saved?.assistantsAccount)?.purpose ?? 'look';

/** Returns the offers if the account that the assistants have is signed out. */
export const signAssistantsIn = (state: WizardState): readonly Offer[] => [
  {
    label: 'Sign your assistants in',
    hint: 'With the secret of their client, or with a new client.',
    event: answered(signedInAnew(state)),
  },
  {
    label: 'Let them act as you',
    hint: 'They can then do everything that you can.',
    event: answered({...acting(state, 'you'), accountAnew: false}),
  },
];

/** Returns the offer if the account that the assistants have lacks the role that it needs. */
export const giveRole = (state: WizardState): Offer => ({
  label: 'Give their account a role',
  hint: 'Shows the role, and the ways to grant it.',
  event: answered({...acting(state, purposeSaved(state)), accountAccessAnew: true}),
});

/** Returns what to do if a step failed because the assistants are signed out; undefined if it failed for another reason. */
export const signedOutAssistants = (state: WizardState, {code, message}: Failure): Recovery | undefined => {
  const isTheirs = code === 'auth-sign-in-required' && message.startsWith('Your assistants');
  if (!isTheirs || !savedAccount(state)) return undefined;
  return {
    heading: 'Your assistants are signed out',
    advice: 'Sign your assistants in, or let them act as you.',
    offers: signAssistantsIn(state),
  };
};

/** Says what limits the account, as a sentence with a blank; nothing if nobody has chosen what it is for. */
const limitsIn = (state: WizardState): string => {
  if (!hasRoles(state)) return 'This release of the platform has no roles, so nothing on the platform limits it. ';
  return isPurposeUnknown(state) ? '' : `With its role, it can ${purposeName[purposeIn(state) ?? 'look']}. `;
};

/** Returns the offer to sign in the client that the assistants have already, if they have one. */
const sameClient = (state: WizardState): readonly Offer[] => {
  const saved = savedAccount(state);
  if (!saved) return [];
  const {clientId, signIn} = saved;
  return [
    {
      label: `Enter the secret of ${clientId}`,
      hint: 'If you have the current one.',
      event: answered({account: {signIn, clientId}}),
    },
  ];
};

/** Asks how the account of the assistants comes about: their client is created, or exists already. */
export const account = {
  id: 'account',
  stage: 'assistants',
  kind: 'ask',
  title: 'Which account should your assistants use?',
  flag: '--assistants-as you, or --admin-username and --admin-password-stdin',
  when: createsAccount,
  done: ({answers}) => answers.account?.signIn !== undefined,
  // `accountAnew` is kept: after Esc in a form below, this question is still about signing the account in anew.
  forgets: {answers: ['account', 'accountRole'], facts: ['account', 'accountAccess']},
  reopenedBy: ['accountAnew'],
  ask: state => ({
    type: 'question',
    about: [
      {
        type: 'text',
        text: `${limitsIn(state)}Your own sign-in stays as it is.`,
      },
    ],
    offers: [
      ...(hasCreatedClient(state) ? [] : sameClient(state)),
      ...(state.facts.deployment?.withoutRecipe
        ? []
        : [
            {
              label: 'Create an MCP client for them',
              hint: 'An administrator signs in here once.',
              event: answered({account: {signIn: 'create-mcp-client'}}),
            },
          ]),
      ...(hasCreatedClient(state) ? sameClient(state) : []),
      {
        label: 'Use an existing MCP client',
        hint: 'If you have its client ID and secret.',
        event: answered({account: {signIn: 'mcp-client'}}),
      },
      ...actAsYou(state),
    ],
    initial: 0,
    guide: () => accountGuideOnRequest(state),
  }),
  defaultAnswer: state => {
    if (accountState(state).answers.adminEntered) return {account: {signIn: 'create-mcp-client'}};
    // Nobody has asked to sign the account in: without a person, the set-up goes on and reports it at the end.
    const isAsked = state.answers.accountAnew === true || !savedAccount(state);
    return isAsked ? undefined : {accountAnew: false};
  },
  inputRequired: () =>
    new SetupError('input-required', 'Nothing says which account your assistants should use.', {
      about: {flag: 'assistants-as'},
      remedy: phrase`Pass --admin-username and --admin-password-stdin to create one. If there is one already, set up without --assistants-as, then run ${setup('login', '--as assistants --client-id ID --client-secret-stdin')}.`,
    }),
} satisfies AskStep;
