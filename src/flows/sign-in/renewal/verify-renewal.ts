import type {Context} from '../../../domain/context.ts';
import {type OwnCommand, ownFlags} from '../../../domain/own-command.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {ProcessResult} from '../../../ports/ports.ts';
import {SETUP} from '../../../setup-command.ts';
import {cleanText} from '../../../text.ts';
import type {Flow} from '../../flow.ts';
import {stoppable} from '../../stoppable.ts';
import {RENEWAL_TIMEOUT} from '../../time-limits.ts';

const reasonIn = (result: ProcessResult, command: string): string => {
  if (result.outcome === 'missing') return `${command} was not found.`;
  if (result.outcome === 'timed-out') return `it did not finish within ${RENEWAL_TIMEOUT / 1000} s.`;
  return cleanText(result.stderr) || `it exited with code ${result.code}.`;
};

type Input = {readonly own: OwnCommand; readonly context: Pick<Context, 'name'>};

/**
 * The proof that what assistants start can renew the sign-in: with the way to the platform that is kept, and nothing of
 * this shell's. The token that comes of it is kept as any other is.
 *
 * @throws SetupError `local-entry-failed` with what the program said
 */
export const verifyRenewal: Flow<Input, void> = ({own, context}, run) =>
  stoppable(run, async ({ports, signal}) => {
    const args = [...own.args, 'token', '--renew', '--context', context.name, ...ownFlags(own)];
    const options = {timeout: RENEWAL_TIMEOUT, signal, environment: 'assistant'} as const;
    const result = await ports.processes.run(own.command, args, options);
    if (result.outcome === 'exited' && result.code === 0) return;
    throw new SetupError(
      'local-entry-failed',
      `The program that your assistants start can’t renew your sign-in: ${reasonIn(result, own.command)}`,
      {remedy: `Fix that, then check the entries again: ${SETUP} doctor.`},
    );
  });
