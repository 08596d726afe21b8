import {savedOf} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import type {AskStep} from '../../step.ts';
import {diagnostics} from '../../view/offers.ts';
import {againHint} from '../sign-in/sign-in-recovery.ts';
import {awaitSignIn, diagnosedIn, homeForgets, othersIn, startOver} from './home.ts';

/** Asks whether to restore a saved sign-in that has ended, or to set up something else. */
export const signedOut = {
  id: 'signed-out',
  stage: 'deployment',
  kind: 'ask',
  title: 'You are signed out',
  flag: '--yes',
  when: ({facts}) => facts.inspectedSignIn?.state === 'ended',
  done: ({answers}) => answers.resume !== undefined,
  forgets: homeForgets,
  beside: () => awaitSignIn,
  ask: ({settings, facts}) => ({
    type: 'question',
    heading: mayBeTried(facts)
      ? `Your sign-in to ${savedOf(settings).name} is no longer renewed`
      : isUnclear(facts)
        ? `Your sign-in to ${savedOf(settings).name} has probably ended`
        : `You are signed out of ${savedOf(settings).name}`,
    // The heading names the deployment, so a reason that only repeats it is left out.
    about: [...reasonIn(facts, savedOf(settings).name), ...diagnosedIn(facts), ...othersIn(facts)],
    offers: [
      ...(mayBeTried(facts)
        ? [
            {
              label: 'Renew it once more',
              hint: 'It was not refused; the last two attempts got no answer.',
              event: answered({...settings.again, resume: 'renew'}),
            },
          ]
        : []),
      {
        label: 'Sign in again',
        hint: againHint({settings}),
        event: answered({...settings.again, resume: 'sign-in'}),
      },
      startOver,
      diagnostics,
      {label: 'Quit', leave: 'cancelled'},
    ],
    initial: 0,
  }),
} satisfies AskStep;

/** Returns why the sign-in has ended, if that says more than the heading. */
const reasonIn = ({inspectedSignIn}: WizardState['facts'], name: string) => {
  const reason = inspectedSignIn?.state === 'ended' ? inspectedSignIn.reason : undefined;
  return reason === undefined || reason === `You are signed out of ${name}.`
    ? []
    : [{type: 'text', text: reason} as const];
};

const mayBeTried = ({inspectedSignIn}: WizardState['facts']): boolean =>
  inspectedSignIn?.state === 'ended' && inspectedSignIn.mayBeTried === true;

const isUnclear = ({inspectedSignIn}: WizardState['facts']): boolean =>
  inspectedSignIn?.state === 'ended' && inspectedSignIn.isUnclear === true;
