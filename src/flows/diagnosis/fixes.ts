import type {UnattendedFix} from '../../domain/finding.ts';
import {renewEntries} from '../assistants/renew-entries.ts';
import type {Flow} from '../flow.ts';
import {refreshTokenUse} from '../own-cli/compose-cli.ts';
import {planOwnCli, writeOwnCli} from '../own-cli/own-cli-file.ts';
import {accessTokenNow, accessTokenOnceMore} from '../sign-in/access-token.ts';
import type {Machine, Subject} from './check.ts';

type Input = {readonly fix: UnattendedFix; readonly subject: Subject; readonly machine: Machine};

/**
 * Applies the fix that a check offers. `undo` can revert what is written to the files of assistants and of the
 * platform's CLI.
 *
 * @throws SetupError `local-*`, and the errors of a renewal
 */
export const applyFix: Flow<Input, void> = async (input, run) => {
  const {ports} = run;
  if (input.fix === 'reconnect') {
    const {context, platform} = input.subject;
    if (context) await renewEntries({context, platform, ...input.machine}, run);
    return;
  }
  if (input.fix === 'renew') {
    if (input.subject.context) await accessTokenOnceMore(input.subject.context, run);
    return;
  }
  if (input.fix === 'own-cli') {
    await enterInOwnCli(input, run);
    return;
  }
  const {path} = ports.credentials;
  const contents = await ports.files.read(path);
  if (contents)
    await ports.files.write(path, contents.bytes, {
      mode: 0o600,
      tighten: true,
      own: true,
      secret: true,
      journal: false,
    });
};

const enterInOwnCli: Flow<Input, void> = async ({subject, machine}, run) => {
  const {context, platform} = subject;
  if (!context) return;
  await accessTokenNow(context, run);
  const use = await refreshTokenUse(context, run);
  const input = {platform, context, home: machine.place.home, replace: true, use};
  const planned = await planOwnCli(input, run);
  await writeOwnCli({context: context.name, planned}, run);
};
