import {SetupError} from '../errors.ts';
import type {Context} from '../ports/storage.ts';
import {cleanText} from '../text.ts';
import {type OwnCommand, ownFlags} from './assistant-entry.ts';
import type {Flow} from './flow.ts';
import {reporting} from './reporting.ts';
import {RENEWAL_TIMEOUT} from './time-limits.ts';

type Input = {readonly own: OwnCommand; readonly context: Pick<Context, 'name'>};

/**
 * The proof that what assistants start can renew the sign-in: with the way to the platform that is kept, and nothing of
 * this shell's. The token that comes of it is kept as any other is.
 *
 * @throws SetupError `local-entry-failed` with what the program said
 */
export const verifyRenewal: Flow<Input, void> = ({own, context}, ports, signal) =>
  reporting(signal, async (_, signal) => {
    const args = [...own.args, 'token', '--renew', '--context', context.name, ...ownFlags(own)];
    const options = {timeout: RENEWAL_TIMEOUT, signal, environment: 'assistant'} as const;
    const result = await ports.processes.run(own.command, args, options);
    if (result.outcome === 'exited' && result.code === 0) return;
    const said = result.outcome === 'exited' ? cleanText(result.stderr).trim() : '';
    const reason = said === '' ? 'it said nothing' : said;
    throw new SetupError('local-entry-failed', `What your assistants start cannot renew your sign-in: ${reason}`);
  });
