import type {WizardState} from '../model.ts';
import type {Stage, Step} from '../step.ts';
import {isHome} from '../step.ts';
import {currentStep, stepsOf, wayBack} from '../steps.ts';
import {failureView} from './failure-view.ts';
import {showPath} from './names.ts';
import {progressRows} from './progress.ts';
import type {Header, Intro, ProgressView, StageLine, StepView, View} from './view.ts';

/**
 * Returns what a new user reads first: what this program does, what it leaves alone, and what it has found on this
 * machine. It is shown only if no platform is saved, and until the person has chosen one.
 */
export const introOf = ({settings, answers, seen}: WizardState, {stage}: Step): {readonly intro?: Intro} => {
  const isNew = settings.saved === undefined && settings.unfinished === undefined && settings.login !== true;
  if (!isNew || stage !== 'deployment' || answers.deploymentAccepted) return {};
  if (settings.demo) return {intro: {text: demonstrationOf(settings.demo), found: []}};
  const project: readonly [string, string] = ['Project', showPath(settings.place.project, settings)];
  return {
    intro: {
      text: PURPOSE,
      found: [project, ...(seen ? [['Assistants', listOf(seen)] as const] : [])],
    },
  };
};

const PURPOSE =
  'Finds your platform, signs you in and connects your AI assistants. You review every change to a file before it is made.';

const demonstrationOf = ({release}: NonNullable<WizardState['settings']['demo']>): string => {
  const sandbox = release === undefined ? 'a sandbox' : `a sandbox that plays release ${release} of the platform`;
  return `Shows how a platform is found, how you sign in and how your AI assistants are connected. Everything runs in ${sandbox}. Your files stay as they are.`;
};

/** The number of names that are listed; the rest is counted. */
const MOST = 4;

const listOf = (names: readonly string[]): string => {
  if (names.length === 0) return 'none found';
  const rest = names.length - MOST;
  return rest > 1 ? `${names.slice(0, MOST).join(', ')} and ${rest} more` : names.join(', ');
};

/**
 * Returns what every renderer draws: the question, or the step that is running. Renderers decide nothing: this module
 * and the steps do.
 *
 * @param now milliseconds since the epoch
 */
export const viewOf = (state: WizardState, now: number): View => {
  const step = currentStep(state);
  const before = wayBack(state);
  const {failure} = state;
  return {
    header: headerOf(state),
    step: step.id,
    // A different key makes it a different question: after the person has come back, it starts at its first offer.
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
  return (
    step.waitingView?.(state, now) ?? {
      ...{type: 'progress', heading, rows: progressRows(state, id), calls},
      ...awaitedIn(state, id),
    }
  );
};

/** Returns the role that a running step waits for, and how it is granted. */
const awaitedIn = ({progress, progressOf}: WizardState, id: Step['id']): Pick<ProgressView, 'awaited'> => {
  const waiting = progressOf === id ? progress.findLast(event => event.type === 'role-awaited') : undefined;
  if (!waiting?.missing) return {};
  return {awaited: {type: 'failure', isCalm: true, whose: 'either', rows: [], ...waiting.missing}};
};

const stageNames: Readonly<Record<Stage, string>> = {
  deployment: 'Deployment',
  'sign-in': 'Sign in',
  check: 'Check',
  assistants: 'Assistants',
  review: 'Review',
};

/** Returns what every screen shows besides its content. */
export const headerOf = (state: WizardState): Header => ({
  title: state.settings.demo ? 'Platform setup, demonstration' : 'Platform setup',
  // The home screen belongs to no stage: the person has been through all of them before.
  stages: isHome(currentStep(state).id) ? [] : stagesOf(state),
  receipts: stepsOf(state).flatMap(step => step.receipts?.(state) ?? []),
  calls: state.calls,
});

const stagesOf = (state: WizardState): readonly StageLine[] => {
  const current = currentStep(state);
  const order = [...new Set(stepsOf(state).map(({stage}) => stage))];
  const at = order.indexOf(current.stage);
  return order.map((stage, index) => ({
    name: stageNames[stage],
    status: current.id === 'done' || index < at ? 'done' : index === at ? 'current' : 'to-come',
  }));
};
