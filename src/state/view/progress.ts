import type {FlowEvent} from '../../flows/flow.ts';
import type {WizardEvent} from '../events.ts';
import type {Settings, StepId, WizardState} from '../model.ts';
import {type EventText, type PathsShown, silent} from '../step.ts';
import {findAssistants} from '../steps/assistants/find-assistants.ts';
import {oauthClient} from '../steps/assistants/oauth-client.ts';
import {check} from '../steps/check/check.ts';
import {findDeployment} from '../steps/deployment/find-deployment.ts';
import {plan} from '../steps/review/plan.ts';
import {verify} from '../steps/review/verify.ts';
import {write} from '../steps/review/write.ts';
import {createClient} from '../steps/sign-in/create-client.ts';
import {obtainToken} from '../steps/sign-in/obtain-token.ts';
import {saveSignIn} from '../steps/sign-in/save-sign-in.ts';
import {stepOf} from '../steps.ts';
import type {ProgressRow} from './view.ts';

type Texts = {readonly [T in FlowEvent['type']]: EventText<Extract<FlowEvent, {type: T}>>};

/** The texts of every event, from the steps whose flows report it. An event without texts does not compile. */
const texts: Texts = {
  ...findDeployment.eventTexts,
  ...createClient.eventTexts,
  ...obtainToken.eventTexts,
  ...saveSignIn.eventTexts,
  ...check.eventTexts,
  ...findAssistants.eventTexts,
  ...oauthClient.eventTexts,
  ...plan.eventTexts,
  ...write.eventTexts,
  ...verify.eventTexts,
  warning: {line: ({message}) => `Warning: ${message}`},
  // Calls are shown as calls, and a diagnosis has a screen of its own.
  'call-started': silent,
  'call-answered': silent,
  'call-failed': silent,
  'check-started': silent,
  'check-finished': silent,
};

const textOf = (event: FlowEvent) => texts[event.type] as EventText<FlowEvent>;

/** Returns the row of an event while its step runs, if it has one. */
export const toRow = (event: FlowEvent, settings: Settings): ProgressRow | undefined =>
  textOf(event).row?.(event, settings);

/** Returns the line of an event for output without a terminal; undefined if it has none. */
export const toLine = (event: WizardEvent, shownAs: PathsShown): string | undefined =>
  event.type in texts ? textOf(event as FlowEvent).line?.(event as FlowEvent, shownAs) : undefined;

/** Returns the rows of the step that is running or ran last: those reported, and those to come, if they are known. */
export const progressRows = (state: WizardState, id: StepId): readonly ProgressRow[] => {
  const step = stepOf(id);
  // Between an answer and the start of the next step there is a frame, which must not show the rows of the step before.
  const events = state.progressOf === undefined || state.progressOf === id ? state.progress : [];
  const rows = events.flatMap(event => toRow(event, state.settings) ?? []);
  const expected = step.kind === 'run' ? (step.pendingRows?.(state) ?? []) : [];
  // A later event about the same thing replaces the earlier one.
  return [...new Map([...expected, ...rows].map(row => [row.key, row])).values()];
};
