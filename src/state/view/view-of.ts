import type {WizardState} from '../model.ts';
import type {Stage, Step} from '../step.ts';
import {currentStep, stepsOf, wayBack} from '../steps.ts';
import {failureView} from './failure-view.ts';
import {introOf} from './intro.ts';
import {progressRows} from './progress.ts';
import type {Receipt, StepView, View} from './view.ts';

/**
 * What every renderer draws: the question that is put, or what is waited for. All that is decided is decided here and in
 * the steps.
 *
 * @param now milliseconds since the epoch
 */
export const viewOf = (state: WizardState, now: number): View => {
  const step = currentStep(state);
  const before = wayBack(state);
  const {failure} = state;
  return {
    step: step.id,
    // Another key is another question: the one that stands where a person has come back to begins at its first choice.
    key: `${step.id} ${failure?.code ?? ''}${state.left ? ' again' : ''}`,
    body: failure ? failureView(state, failure) : bodyOf(state, step, now),
    ...introOf(state, step),
    ...(before ? {back: before} : {}),
  };
};

const bodyOf = (state: WizardState, step: Step, now: number): StepView => {
  const {id, title: heading} = step;
  if (step.kind === 'ask') return {heading, ...step.ask(state, now)};
  const calls = step.hidesCalls ? [] : state.calls.filter(call => call.step === id);
  return step.waitingView?.(state, now) ?? {type: 'progress', heading, rows: progressRows(state, id), calls};
};

export const stageNames: Readonly<Record<Stage, string>> = {
  deployment: 'Deployment',
  'sign-in': 'Sign in',
  check: 'Check',
  assistants: 'Assistants',
  review: 'Review',
};

/** The stages of the wizard, in order, with how each stands. */
export const stagesOf = (state: WizardState): readonly {stage: Stage; status: 'done' | 'current' | 'to-come'}[] => {
  const current = currentStep(state);
  const order = [...new Set(stepsOf(state).map(({stage}) => stage))];
  const at = order.indexOf(current.stage);
  return order.map((stage, index) => ({
    stage,
    status: current.id === 'done' || index < at ? 'done' : index === at ? 'current' : 'to-come',
  }));
};

/** What is finished, a line each, in the words of the person's own answers. */
export const receiptsOf = (state: WizardState): readonly Receipt[] =>
  stepsOf(state).flatMap(step => step.receipts?.(state) ?? []);
