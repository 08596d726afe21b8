import {SETUP} from '../setup-command.ts';
import {bySigningIn, LOCAL, orByFlag, row} from './error-row.ts';
import {orByHand} from './port-remedies.ts';

/** Failures on this machine; see `error-table.ts`. */
export const localRows = {
  'local-config-invalid': row(LOCAL, 'you', 'Fix the file, or move it away, then try again.'),
  'local-file-invalid': row(LOCAL, 'you', 'Fix the file by hand, then try again. Nothing in it was changed.'),
  'local-file-read-only': row(
    LOCAL,
    'you',
    orByFlag(
      'Change it anyway, or continue without it.',
      'Allow writing to it (chmod u+w), or overwrite it with --overwrite-read-only.',
    ),
  ),
  'local-link-outside': row(
    LOCAL,
    'you',
    orByFlag(
      'Remove the link, or connect the assistant for all projects.',
      'Pass --scope user for that, or name the directory that both are in with --project.',
    ),
  ),
  'local-file-changed': row(LOCAL, 'you', 'Review the changes again: the file changed after they were shown.'),
  'local-read-failed': row(LOCAL, 'you', 'Check the permissions of the file and of its directory.'),
  'local-open-to-others': row(LOCAL, 'you', 'Remove write permission for the group and others: chmod go-w.'),
  'local-write-failed': row(LOCAL, 'you', 'Check the directory’s permissions and the free space.'),
  'local-keychain-failed': row(LOCAL, 'you', bySigningIn('Unlock the keychain, or sign in again')),
  'local-entry-exists': row(
    LOCAL,
    'you',
    orByFlag('Replace it, or give this deployment another name.', 'Pass --replace, or --context NAME.'),
  ),
  'local-entry-blocked': row(
    LOCAL,
    'you',
    'Ask whoever manages this computer to allow the platform’s servers, or connect another assistant.',
  ),
  'local-entry-failed': row(
    LOCAL,
    'you',
    orByFlag(`Connect it again: ${SETUP} mcp connect.`, 'Add --debug to record what happens.'),
  ),
  'local-token-in-git': row(
    LOCAL,
    'you',
    orByFlag(
      'Keep the file out of git, choose a connection that stores no token, or write it anyway.',
      'Pass --in-git ignore, --method bridge or --in-git write.',
    ),
  ),
  'local-nothing-to-undo': row(LOCAL, 'you', `Remove entries: ${SETUP} mcp disconnect. Sign out: ${SETUP} logout.`),
  'local-npm-failed': row(LOCAL, 'you', 'Check that npm works (npm ping), then try again.'),
  'local-uninstall-unfinished': row(
    LOCAL,
    'you',
    `Fix that, then run ${SETUP} uninstall again: it continues with what is left.`,
  ),
  'local-credentials-invalid': row(
    LOCAL,
    'you',
    bySigningIn('Sign in again', 'The old file is kept under another name.'),
  ),
  'local-authority-missing': row(
    LOCAL,
    'you',
    orByFlag('Save the certificate authority to a file.', 'Pass it with --ca-file FILE.'),
  ),
  'local-limit-reached': row(
    LOCAL,
    'you',
    'Allow more files (ulimit -n 1024) and processes (ulimit -u 4096), or close other programs, then try again.',
  ),
  'local-locked': row(LOCAL, 'you', 'Wait for the other setup that is writing, then try again.'),
  'local-callback-failed': row(LOCAL, 'you', orByHand('Allow this program to listen on this machine')),
  'local-port-taken': row(
    LOCAL,
    'you',
    orByFlag('Stop that program and try again.', 'A sandbox takes another port with --port; 0 takes a free one.'),
  ),
  'local-node-old': row(LOCAL, 'you', 'Install a newer Node, then try again.'),
  'local-sandbox-failed': row(LOCAL, 'us', `Run ${SETUP} sandbox by itself to see what it says.`),

  'local-report-unsafe': row(
    LOCAL,
    'us',
    `Please report this bug without attaching the report. ${SETUP} doctor shows the same on screen.`,
  ),
} as const;
