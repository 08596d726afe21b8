import type {Context} from '../domain/context.ts';
import type {Verdict} from '../domain/finding.ts';
import type {ToolPreset} from '../domain/tool-sets.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {Answers, Facts, Failure, StepId} from './model.ts';
import type {AssistantSelection} from './selection.ts';

/** The events of the wizard: what flows report, how they end, and what the person decides. */
export type WizardEvent =
  | FlowEvent
  | {readonly type: 'step-started'; readonly step: StepId}
  | {readonly type: 'answered'; readonly answers: Partial<Answers>}
  | {readonly type: 'learned'; readonly step: StepId; readonly facts: Partial<Facts>}
  | {readonly type: 'failed'; readonly failure: Failure}
  | {readonly type: 'went-back'; readonly to: StepId}
  | {readonly type: 'retried'}
  /** The person takes back their answer to a failure, and is asked about the failure again. */
  | {readonly type: 'reconsidered'}
  /** The tokens of this run have been renewed outside of its steps. */
  | {readonly type: 'renewed'; readonly facts: Partial<Facts>}
  /** The person keeps the sign-in from before they went back. */
  | {readonly type: 'stayed-signed-in'}
  /** The person has looked at a diagnosis, which ended with this verdict. */
  | {readonly type: 'diagnosed'; readonly verdict: Verdict}
  /** The person changes what is ticked or set for assistants, before they answer the question. */
  | {readonly type: 'selection-changed'; readonly connect: AssistantSelection}
  /** Another run has changed the saved context of this one. */
  | {readonly type: 'saved-context-changed'; readonly saved: Context}
  /** The person looks at a preset of tools, so a call that finds out its cost is justified now. */
  | {readonly type: 'tools-looked-at'; readonly tools: ToolPreset};

/** The person's actions that move the wizard from one step to another, and so end a flow that is running. */
const persons: ReadonlySet<WizardEvent['type']> = new Set(['answered', 'went-back', 'reconsidered', 'retried']);

/** Whether an event is one of the person's actions that end a running flow. */
export const isByPerson = ({type}: Pick<WizardEvent, 'type'>): boolean => persons.has(type);

/** Returns the event of an answer. */
export const answered = (answers: Partial<Answers>): WizardEvent => ({type: 'answered', answers});
