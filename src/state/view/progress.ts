import type {StepId, WizardState} from '../model.ts';
import {stepOf} from '../steps.ts';
import {toRow} from './event-texts.ts';
import type {ProgressRow} from './view.ts';

/** The rows of the step that runs, or ran last: what was told so far, and what is still to come where that is known. */
export const progressRows = (state: WizardState, id: StepId): readonly ProgressRow[] => {
  const step = stepOf(id);
  // Between an answer and the step that it leads to there is a frame, which must not show the step before.
  const told = state.progressOf === undefined || state.progressOf === id ? state.progress : [];
  const rows = told.flatMap(event => toRow(event, state.settings) ?? []);
  const expected = step.kind === 'run' ? (step.pendingRows?.(state) ?? []) : [];
  // A later event about the same thing takes the place of the earlier one.
  return [...new Map([...expected, ...rows].map(row => [row.key, row])).values()];
};
