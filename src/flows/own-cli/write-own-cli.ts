import {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import {digest} from '../file-contents.ts';
import type {Flow} from '../flow.ts';
import {reportingToItsEnd} from '../reporting.ts';
import type {PlannedCli} from './plan-own-cli.ts';

type Input = {
  /** The name of the context that the CLI is signed in to. */
  readonly context: string;
  readonly planned: PlannedCli;
};

/**
 * Writes the file of the platform's own CLI as it was planned, readable by its owner only, after what is to be known of
 * it. The sign-in is kept by then. Returns the path.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeOwnCli: Flow<Input, string> = ({context, planned}, {config, files}) =>
  reportingToItsEnd(async tell => {
    const {path, change, before, write} = planned.file;
    if (!(write?.after instanceof Secret)) throw new Error('The file of a CLI is planned with its text.');
    const after = write.after.reveal();
    const expected = (await files.read(path))?.bytes ?? null;
    if (change !== 'unchanged' && before !== digest(expected)) {
      throw new SetupError('local-file-changed', `${path} was changed by another program after you saw the plan.`, {
        about: {path},
      });
    }
    await config.saveCli(context, planned.record);
    const hidden = write.hidden.map(secret => secret.reveal());
    const options = {mode: write.mode, tighten: true, journal: true, hidden, signedOut: planned.signedOut.reveal()};
    await files.withLock(path, () => files.write(path, after, {...options, expected}));
    tell({type: 'file-written', path, change});
    return path;
  });
