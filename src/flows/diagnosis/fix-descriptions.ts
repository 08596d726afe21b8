import type {Fix} from '../../domain/finding.ts';
import {SETUP} from '../../setup-command.ts';

/** The descriptions of the fixes, shown before they are applied. */
export const fixDescriptions: Readonly<Record<Fix, string>> = {
  'sign-in': 'Signs you in again with the same method, and updates the assistants that use this sign-in.',
  'assistants-sign-in': 'Signs your assistants’ account in again: with the secret of its client, or with a new client.',
  renew: 'Tries once more to renew the sign-in. The earlier attempts got no answer.',
  tighten: 'Closes the file with your tokens to everybody but you.',
  reconnect: `Writes the entries of your assistants again; those that hold a token get a new one. ${SETUP} undo reverts it.`,
  'own-cli': `Writes this deployment and your sign-in to the file of the platform’s own CLI again. ${SETUP} undo reverts it.`,
};
