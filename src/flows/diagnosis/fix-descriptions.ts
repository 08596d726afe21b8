import type {Fix} from '../../domain/finding.ts';
import {SETUP} from '../../setup-command.ts';

/** The descriptions of the fixes, shown before they are applied. */
export const fixDescriptions: Readonly<Record<Fix, string>> = {
  'sign-in': 'Signs you in again with the same method, and updates every assistant.',
  tighten: 'Closes the file with your tokens to everybody but you.',
  reconnect: `Rewrites the entries of your assistants so that each stays signed in. ${SETUP} undo reverts it.`,
  'own-cli': `Writes this deployment and your sign-in to the file of the platform’s own CLI again. ${SETUP} undo reverts it.`,
};
