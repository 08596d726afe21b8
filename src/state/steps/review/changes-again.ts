import type {Failure} from '../../model.ts';
import type {Recovery} from '../../step.ts';
import {back} from '../../view/offers.ts';

/** Where another program has changed a file since it was planned, the changes are to be looked at again. */
export const changesAgain = ({code}: Failure): Recovery => ({
  offers: code === 'local-file-changed' ? [back('Review the changes again', 'plan')] : [],
});
