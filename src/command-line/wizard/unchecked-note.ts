import {SETUP} from '../../setup-command.ts';
import type {WizardState} from '../../state/model.ts';

/** Says what this run wrote and did not check; undefined if it changed no file, or has checked everything. */
export const uncheckedNote = ({facts, answers}: WizardState): string | undefined => {
  const {written, verified, plan} = facts;
  const isReviewed = answers.resume !== 'renew' && answers.resume !== 'sign-in';
  // The person is not asked about this program's own files if they only renew what is there.
  const isChanged = plan?.files.some(({change, isOwn}) => change !== 'unchanged' && (isReviewed || !isOwn)) === true;
  if (!written || verified || !isChanged) return undefined;
  if (!isReviewed) return `The entries of your assistants were renewed, but not checked. To check them, run ${SETUP}.`;
  return `Everything that you reviewed was written, but not checked. To check it, run ${SETUP}. To take it back, run ${SETUP} undo.`;
};
