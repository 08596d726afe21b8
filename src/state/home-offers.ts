import {savedOf} from './derived.ts';
import type {Answers, WizardState} from './model.ts';
import type {Offer} from './questions.ts';
import type {WizardEvent} from './reducer.ts';

export const diagnostics: Offer = {
  label: 'Diagnostics',
  hint: 'What works and what does not, from the ground up.',
  leave: 'diagnose',
};

const answered = (answers: Partial<Answers>): WizardEvent => ({type: 'answered', answers});

const isAlive = ({facts}: WizardState) => facts.savedSignIn?.state === 'alive';

/** How a saved deployment stands. */
export const homeHeading = (state: WizardState) => {
  const {name, entries = []} = savedOf(state.settings);
  if (!isAlive(state)) return `${name} is saved`;
  return entries.length > 0 ? `${name} is connected` : `${name}: you are signed in`;
};

export const homeOffers = (state: WizardState): readonly Offer[] => {
  const {again} = state.settings;
  const first: readonly Offer[] = isAlive(state)
    ? [
        {
          ...((savedOf(state.settings).entries ?? []).length > 0
            ? {label: 'Check, and renew the entries', hint: 'A valid token in every file that has one.'}
            : {label: 'Check that it works', hint: 'No assistant is connected.'}),
          event: answered({...again, resume: 'renew'}),
        },
      ]
    : [
        {label: 'Look again', hint: 'When the network is back.', event: {type: 'went-back', to: 'saved-sign-in'}},
        {
          label: 'Sign in again',
          hint: 'The same deployment, in the same way.',
          event: answered({...again, resume: 'sign-in'}),
        },
      ];
  return [
    ...first,
    ...(isAlive(state)
      ? [
          {
            label: 'Connect assistants',
            hint: 'Add or take out one, or change how they stay signed in.',
            event: answered({...again, resume: 'connect'}),
          } as const,
        ]
      : []),
    {
      label: 'Set up anew',
      hint: 'Another deployment, or another way to sign in.',
      event: answered({resume: 'anew'}),
    },
    diagnostics,
    {label: 'Leave', leave: 'done'},
  ];
};

export const signedOutOffers = ({settings}: WizardState): readonly Offer[] => [
  {
    label: 'Sign in again',
    hint: 'As before; every entry is renewed.',
    event: answered({...settings.again, resume: 'sign-in'}),
  },
  {label: 'Set up anew', hint: 'Another deployment, or another way.', event: answered({resume: 'anew'})},
  diagnostics,
  {label: 'Quit', leave: 'cancelled'},
];
