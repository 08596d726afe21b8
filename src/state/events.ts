import type {Verdict} from '../domain/finding.ts';
import type {ToolPreset} from '../domain/tool-sets.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {Answers, Facts, Failure, StepId} from './model.ts';

/** What happens to the wizard: what flows tell, what they end with, and what the person decides. */
export type WizardEvent =
  | FlowEvent
  | {readonly type: 'step-started'; readonly step: StepId}
  | {readonly type: 'answered'; readonly answers: Partial<Answers>}
  | {readonly type: 'learned'; readonly step: StepId; readonly facts: Partial<Facts>}
  | {readonly type: 'failed'; readonly failure: Failure}
  | {readonly type: 'went-back'; readonly to: StepId}
  | {readonly type: 'retried'}
  /** The person takes back what they answered to a failure, which they are asked about again. */
  | {readonly type: 'reconsidered'}
  /** The person goes on with the sign-in that there was before they went back. */
  | {readonly type: 'stayed-signed-in'}
  /** The person has looked at a diagnosis, which came to this. */
  | {readonly type: 'diagnosed'; readonly verdict: Verdict}
  /** A person looks at a preset of tools: what it takes is worth a call now. */
  | {readonly type: 'tools-looked-at'; readonly tools: ToolPreset};

/** The event of an answer. */
export const answered = (answers: Partial<Answers>): WizardEvent => ({type: 'answered', answers});
