import {isLogin, isResumed} from './derived/purpose.ts';
import type {WizardEvent} from './events.ts';
import type {StepId, WizardState} from './model.ts';
import type {Step} from './step.ts';
import {assistants} from './steps/assistants/assistants.ts';
import {findAssistants} from './steps/assistants/find-assistants.ts';
import {findOwnCli} from './steps/assistants/find-own-cli.ts';
import {oauthClient} from './steps/assistants/oauth-client.ts';
import {ownCli} from './steps/assistants/own-cli.ts';
import {check} from './steps/check/check.ts';
import {clusterAuthority} from './steps/deployment/cluster-authority.ts';
import {companyFile} from './steps/deployment/company-file.ts';
import {deployment} from './steps/deployment/deployment.ts';
import {findDeployment} from './steps/deployment/find-deployment.ts';
import {home} from './steps/deployment/home.ts';
import {inspectSignIn} from './steps/deployment/inspect-sign-in.ts';
import {signedOut} from './steps/deployment/signed-out.ts';
import {unfinished} from './steps/deployment/unfinished.ts';
import {whichDeployment} from './steps/deployment/which-deployment.ts';
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

/** The wizard, in order. The current step is the first that is not done; nobody ever jumps. */
export const steps: readonly Step[] = [
  unfinished,
  clusterAuthority,
  inspectSignIn,
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
  oauthClient,
  findOwnCli,
  ownCli,
  plan,
  review,
  write,
  verify,
  done,
];

/** The step of this ID. */
export const stepOf = (id: StepId): Step => {
  const found = steps.find(step => step.id === id);
  if (!found) throw new Error(`There is no step ${id}.`);
  return found;
};

/** The steps that this run has, in order: those whose condition holds. */
export const stepsOf = (state: WizardState): readonly Step[] => steps.filter(step => step.when?.(state) ?? true);

/** The first step that is not done. The last one never is. */
export const currentStep = (state: WizardState): Step => {
  const step = stepsOf(state).find(one => !one.done(state));
  if (!step) throw new Error('The last step is never done.');
  return step;
};

/**
 * The question before the current step: the nearest one before the current step, if there is one.
 *
 * Who is signed in is led to how they signed in, where they can stay signed in, and not to the parts of it. A run that
 * goes on with a saved deployment was asked neither for that nor for a way to sign in, so that the way back leads home,
 * unless the person has gone to such a question by themselves.
 */
export const stepBefore = (state: WizardState): StepId | undefined => {
  const present = stepsOf(state);
  const before = present.slice(0, present.indexOf(currentStep(state)));
  const asked = before.findLast(step => step.kind === 'ask' && isOnTheWayBack(step, state))?.id;
  // A command that began with the sign-in was asked nothing, and the way to sign in can be another all the same.
  const canSignInOtherwise = isResumed(state) && (isLogin(state) || !state.facts.token);
  return asked ?? (canSignInOtherwise ? before.find(({id}) => id === 'sign-in')?.id : undefined);
};

/**
 * What Esc does: what was answered to a failure, and has led to another one, is taken back; else the question before is
 * put again.
 */
export const wayBack = (state: WizardState): WizardEvent | undefined => {
  if (state.failure && state.answeredFailure) return {type: 'reconsidered'};
  const to = stepBefore(state);
  return to && {type: 'went-back', to};
};

const isOnTheWayBack = ({id, stage}: Step, state: WizardState): boolean => {
  if (stage === 'sign-in' && id !== 'sign-in' && state.facts.token) return false;
  if (!isResumed(state) || (stage !== 'deployment' && stage !== 'sign-in')) return true;
  return id === 'home' || id === 'signed-out' || state.asked.includes(id);
};
