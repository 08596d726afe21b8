import type {Answers, Facts, WizardState} from './model.ts';
import type {Run} from './runs.ts';

/** The parts of the wizard that the rail at the top shows. */
export type Stage = 'deployment' | 'sign-in' | 'check' | 'assistants' | 'review';

export type StepShape = {
  readonly id: string;
  readonly stage: Stage;
  when?(state: WizardState): boolean;
  done(state: WizardState): boolean;
  /** Answers and facts that came from this step: going back to it forgets these, and those of every later step. */
  readonly forgets: {readonly answers: readonly (keyof Answers)[]; readonly facts: readonly (keyof Facts)[]};
} & ({readonly kind: 'ask'; readonly flag: string} | {readonly kind: 'run'; readonly run: Run});

export const nothing = {answers: [], facts: []} as const;
export const learns = (...facts: readonly (keyof Facts)[]) => ({answers: [], facts});
export const asks = (...keys: readonly (keyof Answers)[]) => ({answers: keys, facts: []});
