import {signInOf} from '../../derived/wizard-context.ts';
import {isLogin, isSignedIn} from '../../derived/wizard-deployment.ts';
import {learns, type RunStep, silent} from '../../step.ts';

/** Saves the sign-in at once: if the run is about nothing else, or if it replaces a saved sign-in. */
export const saveSignIn = {
  id: 'save-sign-in',
  stage: 'sign-in',
  kind: 'run',
  title: 'Saving your sign-in',
  // A sign-in that the run continues is saved already; one that the person chose instead of it is not.
  when: state => (isLogin(state) && !isSignedIn(state)) || state.answers.signInAnew === true,
  done: ({facts}) => facts.signInSaved === true,
  forgets: learns('signInSaved'),
  run: async (state, run) => {
    const {saveSignIn: saveSignInFlow} = await import('../../../flows/sign-in/save-sign-in.ts');
    await saveSignInFlow(signInOf(state), run);
    return {signInSaved: true};
  },
  eventTexts: {'token-revoked': silent},
} satisfies RunStep;
