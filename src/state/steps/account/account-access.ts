import {asAssistants} from '../../../domain/context.ts';
import type {Secret} from '../../../domain/secret.ts';
import type {About} from '../../../errors/errors.ts';
import type {Run} from '../../../flows/flow.ts';
import {ROLE_TIME} from '../../../flows/time-limits.ts';
import {
  changesAccount,
  createsAccount,
  isPurposeUnknown,
  purposeIn,
  savedAccount,
} from '../../derived/assistants-account.ts';
import {isOver, tokenOf} from '../../derived/wizard-context.ts';
import {contactIn, deploymentOf, platformOf, savedOf} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {type RunStep, type StepFlow, waiting} from '../../step.ts';
import {back} from '../../view/offers.ts';
import type {Offer} from '../../view/view.ts';
import {actAsYou, adviceFor, signedOutAssistants} from './account.ts';
import {accountToken} from './account-sign-in.ts';

/** Returns the access token of the assistants' account: of this run, or of the account that they have already. */
export const accountTokenNow = async (state: WizardState, run: Run): Promise<Secret> => {
  const token = state.facts.account?.token;
  if (token) return token.access;
  const theirs = asAssistants(savedOf(state.settings));
  if (!theirs) throw new Error('Only an account that exists has access.');
  const {takeTokens} = await import('../../../flows/sign-in/resume-sign-in.ts');
  return (await takeTokens(theirs, run)).signIn;
};

const run: StepFlow = async (before, run) => {
  // The token of an account that is not saved yet may have expired while the person waited for its role.
  const account = before.facts.account?.token;
  const isDue = account !== undefined && isOver(account, run.ports.clock.now());
  const renewed = isDue ? await accountToken.run(before, {...run, tell: () => {}}) : {};
  const state: WizardState = {...before, facts: {...before.facts, ...renewed}};
  const {version, controlPlaneUrl} = deploymentOf(state);
  const contact = contactIn(state);
  const input = {
    ...{platform: platformOf(state), controlPlaneUrl},
    ...(version === undefined ? {} : {version}),
    ...(contact === undefined ? {} : {contact}),
    token: await accountTokenNow(state, run),
    own: tokenOf(state).access,
    mightGrant: state.facts.check?.mayGrant === true,
    purpose: purposeIn(state) ?? 'look',
    isPurposeUnknown: isPurposeUnknown(state),
    role: state.answers.accountRole,
    // Only a role that this program granted can be taken back.
    isReplacing: savedAccount(state)?.granted !== undefined && savedAccount(state)?.purpose !== purposeIn(state),
    grantedIn: savedAccount(state)?.granted?.kubeContext,
  } as const;
  const {checkAccount} = await import('../../../flows/platform-tools/account-access.ts');
  return {...renewed, accountAccess: await checkAccount(input, run)};
};

/** Finds out whether the account of the assistants may do what it is for. */
export const accountAccess = {
  id: 'account-access',
  stage: 'assistants',
  kind: 'run',
  title: 'Checking what your assistants may do',
  when: changesAccount,
  done: ({facts}) => facts.accountAccess !== undefined,
  forgets: {answers: ['accountRole'], facts: ['accountAccess']},
  // The role may turn out to be refused only when it is granted, which is after the review.
  reopenedBy: ['accountRole'],
  run,
  pendingRows: () => [waiting('role', 'Role', ROLE_TIME)],
  recovery: (state, failure) => {
    const others = [
      createsAccount(state)
        ? back('Choose another account', 'account')
        : back('Choose the assistants again', 'assistants'),
      ...actAsYou(state),
    ];
    const signedOut = signedOutAssistants(state, failure);
    if (signedOut) return signedOut;
    if (failure.code !== 'auth-no-role') {
      const advice = adviceFor(failure, others);
      return {offers: others, ...(advice === undefined ? {} : {advice})};
    }
    return {
      heading: 'Your assistants’ account needs a role',
      offers: [...rolesFor(failure.about), ...others],
    };
  },
} satisfies RunStep;

/** Returns the ways to go on if the role was refused when it was to be granted. */
export const withoutGrant: readonly Offer[] = [
  {
    label: 'Wait for the role',
    hint: 'Checks again for up to a minute.',
    event: answered({accountRole: 'wait'}),
  },
  {
    label: 'Go on without a role',
    hint: 'Your assistants can do only what the account may do now.',
    event: answered({accountRole: 'without'}),
  },
];

const rolesFor = ({isGrantable, kubeContext}: About = {}): readonly Offer[] => [
  ...(isGrantable
    ? [
        {
          label: 'Grant it with your sign-in',
          hint: 'When the files are written.',
          event: answered({accountRole: 'grant' as const}),
        },
      ]
    : []),
  ...(kubeContext === undefined
    ? []
    : [
        {
          label: 'Grant it with kubectl',
          hint: `In the kube context ${kubeContext}, when the files are written.`,
          event: answered({accountRole: 'kubectl' as const}),
        },
      ]),
  ...withoutGrant,
];
