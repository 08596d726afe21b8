import type {About} from '../../../errors/errors.ts';
import {ROLE_TIME} from '../../../flows/time-limits.ts';
import {changesAccount, createsAccount} from '../../derived/assistants-account.ts';
import {answered} from '../../events.ts';
import {type RunStep, type StepFlow, waiting} from '../../step.ts';
import {back} from '../../view/offers.ts';
import type {Offer} from '../../view/view.ts';
import {actAsYou, adviceFor, signedOutAssistants} from './account.ts';

/** What checks is loaded when the wizard gets there, long after its first screen. */
const run: StepFlow = async (state, run) => (await import('./check-account-access.ts')).checkAccountAccess(state, run);

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
          label: 'Grant the role with your sign-in',
          hint: 'When the files are written.',
          event: answered({accountRole: 'grant' as const}),
        },
      ]
    : []),
  ...(kubeContext === undefined
    ? []
    : [
        {
          label: 'Grant the role with kubectl',
          hint: `In the kube context ${kubeContext}, when the files are written.`,
          event: answered({accountRole: 'kubectl' as const}),
        },
      ]),
  ...withoutGrant,
];
