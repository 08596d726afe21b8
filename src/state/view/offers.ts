import type {StepId} from '../model.ts';
import type {Offer} from './view.ts';

/** Leaves the wizard for the diagnosis, which leads back to it. */
export const diagnostics: Offer = {
  label: 'Diagnostics',
  hint: 'Find out what’s wrong, step by step.',
  leave: 'diagnose',
};

/** Returns an offer that goes back to an earlier step. */
export const back = (label: string, to: StepId): Offer => ({label, event: {type: 'went-back', to}});
