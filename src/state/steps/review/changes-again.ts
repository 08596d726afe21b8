import type {Failure} from '../../model.ts';
import type {Recovery} from '../../step.ts';
import {back} from '../../view/offers.ts';

/** Another program has changed a file since it was planned: offers to review the changes again. */
export const changesAgain = ({code}: Failure): Recovery => ({
  offers: code === 'local-file-changed' ? [back('Review the changes again', 'plan')] : [],
});
