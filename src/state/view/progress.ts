import type {StepId, WizardState} from '../model.ts';
import {stepOf} from '../steps.ts';
import {toRow} from './event-texts.ts';
import type {ProgressRow} from './view.ts';

/** Returns the rows of the step that is running or ran last: those reported, and those to come, if they are known. */
export const progressRows = (state: WizardState, id: StepId): readonly ProgressRow[] => {
  const step = stepOf(id);
  // Between an answer and the start of the next step there is a frame, which must not show the rows of the step before.
  const told = state.progressOf === undefined || state.progressOf === id ? state.progress : [];
  const rows = told.flatMap(event => toRow(event, state.settings) ?? []);
  const expected = step.kind === 'run' ? (step.pendingRows?.(state) ?? []) : [];
  // A later event about the same thing replaces the earlier one.
  return [...new Map([...expected, ...rows].map(row => [row.key, row])).values()];
};
