import type {StepId} from '../model.ts';
import type {Offer} from './view.ts';

/** Leaves the wizard for the diagnosis, which leads back to it. */
export const diagnostics: Offer = {
  label: 'Diagnostics',
  hint: 'What works and what does not, from the ground up.',
  leave: 'diagnose',
};

/** Goes back to an earlier step. */
export const back = (label: string, to: StepId): Offer => ({label, event: {type: 'went-back', to}});
