import {isLogin, isResumed} from './derived/wizard-deployment.ts';
import type {WizardEvent} from './events.ts';
import type {StepId, WizardState} from './model.ts';
import {isHome, type Step} from './step.ts';
import {account} from './steps/account/account.ts';
import {accountAccess} from './steps/account/account-access.ts';
import {
  accountAdmin,
  accountClient,
  accountCreateClient,
  accountKeptClient,
  accountToken,
} from './steps/account/account-sign-in.ts';
import {assistants} from './steps/assistants/assistants.ts';
import {findAssistants} from './steps/assistants/find-assistants.ts';
import {findOwnCli} from './steps/assistants/find-own-cli.ts';
import {oauthClient} from './steps/assistants/oauth-client.ts';
import {ownCli} from './steps/assistants/own-cli.ts';
import {check} from './steps/check/check.ts';
import {clusterAuthority} from './steps/deployment/cluster-authority.ts';
import {companyFile} from './steps/deployment/company-file.ts';
import {deployment, whichDeployment} from './steps/deployment/deployment.ts';
import {findDeployment} from './steps/deployment/find-deployment.ts';
import {home} from './steps/deployment/home.ts';
import {inspectSignIn} from './steps/deployment/inspect-sign-in.ts';
import {onlyLook} from './steps/deployment/only-look.ts';
import {signedOut} from './steps/deployment/signed-out.ts';
import {unfinished} from './steps/deployment/unfinished.ts';
import {done} from './steps/review/done.ts';
import {plan} from './steps/review/plan.ts';
import {review} from './steps/review/review.ts';
import {verify} from './steps/review/verify.ts';
import {write} from './steps/review/write.ts';
import {admin} from './steps/sign-in/admin.ts';
import {client} from './steps/sign-in/client.ts';
import {createClient} from './steps/sign-in/create-client.ts';
import {keptClient} from './steps/sign-in/kept-client.ts';
import {obtainToken} from './steps/sign-in/obtain-token.ts';
import {ownToken} from './steps/sign-in/own-token.ts';
import {saveSignIn} from './steps/sign-in/save-sign-in.ts';
import {signIn} from './steps/sign-in/sign-in.ts';

/** The steps of the wizard, in order. The current step is always the first step of this run that is not done. */
export const steps: readonly Step[] = [
  unfinished,
  clusterAuthority,
  inspectSignIn,
  onlyLook,
  home,
  signedOut,
  companyFile,
  findDeployment,
  whichDeployment,
  deployment,
  signIn,
  client,
  keptClient,
  admin,
  createClient,
  obtainToken,
  saveSignIn,
  ownToken,
  check,
  findAssistants,
  assistants,
  account,
  accountClient,
  accountKeptClient,
  accountAdmin,
  accountCreateClient,
  accountToken,
  accountAccess,
  oauthClient,
  findOwnCli,
  ownCli,
  plan,
  review,
  write,
  verify,
  done,
];

/** Returns the step with this ID. */
export const stepOf = (id: StepId): Step => {
  const found = steps.find(step => step.id === id);
  if (!found) throw new Error(`There is no step ${id}.`);
  return found;
};

/** Returns the steps of this run, in order: those whose condition holds. */
export const stepsOf = (state: WizardState): readonly Step[] => steps.filter(step => step.when?.(state) ?? true);

/** Returns the first step that is not done. The last step is never done. */
export const currentStep = (state: WizardState): Step => {
  const step = stepsOf(state).find(one => !one.done(state));
  if (!step) throw new Error('The last step is never done.');
  return step;
};

/**
 * Returns the question before the current step; undefined if there is none.
 *
 * A person who is signed in is led back to the choice of a way to sign in, where they can stay signed in, and not to
 * its details. A run that continues a saved deployment was asked neither for the deployment nor for a way to sign in,
 * so Esc leads to the home screen, unless the person has gone to such a question in this run.
 */
export const stepBefore = (state: WizardState): StepId | undefined => {
  const present = stepsOf(state);
  const before = present.slice(0, present.indexOf(currentStep(state)));
  const asked = before.findLast(step => step.kind === 'ask' && isOnTheWayBack(step, state))?.id;
  // A command that began with the sign-in has asked nothing; the person may still want another way to sign in.
  const canSignInOtherwise = isResumed(state) && (isLogin(state) || !state.facts.token);
  return asked ?? (canSignInOtherwise ? before.find(({id}) => id === 'sign-in')?.id : undefined);
};

/**
 * Returns what Esc does. If the answer to a failure has led to another failure, that answer is taken back. Otherwise
 * the previous question is asked again. A question that only a failure has led to leads back to that failure.
 */
export const wayBack = (state: WizardState): WizardEvent | undefined => {
  const {failure, answeredFailure} = state;
  if (failure && answeredFailure) return {type: 'reconsidered'};
  const to = stepBefore(state);
  if (to) return {type: 'went-back', to};
  return answeredFailure?.failure && currentStep(state).kind === 'ask' ? {type: 'reconsidered'} : undefined;
};

/** Whether the assistants were chosen in this run, by the person or by flags. Otherwise they stay as they were. */
const isChosenHere = ({answers, asked, initialAnswers}: WizardState): boolean =>
  !isResumed({answers}) || asked.includes('assistants') || initialAnswers.connect !== undefined;

const isOnTheWayBack = ({id, stage}: Step, state: WizardState): boolean => {
  // As with the person's own sign-in, Esc leads to the choice of an account, and not to its details.
  if (id === 'account-client' || id === 'account-admin') return false;
  if (stage === 'sign-in' && id !== 'sign-in' && state.facts.token) return false;
  if (id === 'assistants') return isChosenHere(state);
  if (!isResumed(state) || (stage !== 'deployment' && stage !== 'sign-in')) return true;
  return isHome(id) || state.asked.includes(id);
};
