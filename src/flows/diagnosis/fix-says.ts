import type {Fix} from '../../domain/finding.ts';

/** What a fix will do, said before it is done. */
export const fixDescriptions: Readonly<Record<Fix, string>> = {
  'sign-in': 'Signs you in again, the way it was done before, and renews every entry.',
  tighten: 'Makes the file with your tokens readable by you only.',
  reconnect:
    'Writes the entries of your assistants anew, each in the way that keeps it signed in. npx setup undo takes it back.',
  'own-cli':
    'Writes this deployment and your sign-in to the file of the platform’s own CLI again. npx setup undo reverts it.',
};
