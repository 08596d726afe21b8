import {signInOf} from '../../derived/wizard-context.ts';
import {isSignedIn} from '../../derived/wizard-deployment.ts';
import type {WizardState} from '../../model.ts';
import type {StepFlow} from '../../step.ts';

/** Whether this run has a sign-in that is not saved yet, so that only this run can renew it. */
export const hasUnsavedSignIn = (state: WizardState): boolean => {
  const {token, written, signInSaved} = state.facts;
  return token !== undefined && !isSignedIn(state) && (written ?? signInSaved) === undefined;
};

/**
 * Renews a sign-in that is not saved yet, and returns its tokens.
 *
 * @throws SetupError if the identity provider refuses, or cannot be asked
 */
export const renewUnsavedSignIn: StepFlow = async (state, run) => {
  const {renewUnsaved} = await import('../../../flows/sign-in/renew-unsaved.ts');
  const {context, ...signIn} = signInOf(state);
  const {token, ownTokens} = await renewUnsaved({context, ...signIn}, run);
  const {observability} = ownTokens;
  if (!observability) return {token};
  const {facts} = state;
  return {
    token,
    ownTokens: {...facts.ownTokens, observability},
    serverTokens: {...facts.serverTokens, observability: observability.access},
  };
};
