import type {FlowEvent} from '../../flows/flow.ts';
import type {WizardEvent} from '../events.ts';
import type {Settings} from '../model.ts';
import {silent, type Telling} from '../step.ts';
import {findAssistants} from '../steps/assistants/find-assistants.ts';
import {check} from '../steps/check/check.ts';
import {findDeployment} from '../steps/deployment/find-deployment.ts';
import {plan} from '../steps/review/plan.ts';
import {verify} from '../steps/review/verify.ts';
import {write} from '../steps/review/write.ts';
import {createClient} from '../steps/sign-in/create-client.ts';
import {obtainToken} from '../steps/sign-in/obtain-token.ts';
import {saveSignIn} from '../steps/sign-in/save-sign-in.ts';
import type {ProgressRow} from './view.ts';

type Tellings = {readonly [T in FlowEvent['type']]: Telling<Extract<FlowEvent, {type: T}>>};

/** How each event is told, by the step whose flow tells it; a new event that none tells does not compile. */
const tellings: Tellings = {
  ...findDeployment.tells,
  ...createClient.tells,
  ...obtainToken.tells,
  ...saveSignIn.tells,
  ...check.tells,
  ...findAssistants.tells,
  ...plan.tells,
  ...write.tells,
  ...verify.tells,
  warning: {line: ({message}) => `Warning: ${message}`},
  // Calls are shown as such, and a diagnosis has a screen of its own.
  'call-started': silent,
  'call-answered': silent,
  'call-failed': silent,
  'check-started': silent,
  'check-finished': silent,
};

const tellingOf = (event: FlowEvent) => tellings[event.type] as Telling<FlowEvent>;

/** The row that an event becomes while its step runs, if any. */
export const toRow = (event: FlowEvent, settings: Settings): ProgressRow | undefined =>
  tellingOf(event).row?.(event, settings);

/** A progress line for people without a terminal, or undefined for an event that needs none. */
export const toLine = (event: WizardEvent, home: string): string | undefined =>
  event.type in tellings ? tellingOf(event as FlowEvent).line?.(event as FlowEvent, home) : undefined;
