import {SetupError} from '../../errors/errors.ts';
import {digest} from '../assistants/assistant-file.ts';
import type {Flow} from '../flow.ts';
import {reportingToItsEnd} from '../reporting.ts';
import {composeCli, type OwnCliInput, secretsFor} from './compose-cli.ts';
import type {PlannedCli} from './plan-own-cli.ts';

type Input = OwnCliInput & {readonly planned: PlannedCli};

/**
 * Writes the file of the platform's own CLI as it was planned, readable by its owner only, after what is to be known of
 * it. The sign-in is kept by then. Returns the path.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeOwnCli: Flow<Input, string> = (input, ports) =>
  reportingToItsEnd(async tell => {
    const {planned, context} = input;
    const secrets = await secretsFor(input, ports);
    if (!secrets) throw new SetupError('auth-sign-in-required', `You are not signed in to ${context.name}.`);
    const {path, change, before, after, signedOut, hidden} = await composeCli(input, planned, secrets, ports);
    if (change !== 'unchanged' && planned.file.before !== digest(before)) {
      throw new SetupError('local-file-changed', `${path} was changed by another program after you saw the plan.`, {
        about: {path},
      });
    }
    await ports.config.saveCli(context.name, planned.record);
    const options = {mode: 0o600, tighten: true, journal: true, hidden, signedOut, expected: before};
    await ports.files.withLock(path, () => ports.files.write(path, after, options));
    tell({type: 'file-written', path, change});
    return path;
  });
