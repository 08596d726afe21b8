import {createLineReader, LeftError} from '../../dialogue/line-reader.ts';
import {cancelled, type Remedy, SetupError} from '../../errors/errors.ts';
import type {Invocation} from '../command.ts';

/**
 * Asks the person whether to go ahead. Resolves if they agree.
 *
 * @param question ends with a question mark
 * @param unasked how to do it without a question: the command that goes ahead, or the sentence that names it
 * @throws SetupError `cancelled` if they do not agree, `input-required` if no person can be asked
 */
export const confirm = async (
  question: string,
  unasked: {readonly command: string} | {readonly remedy: Remedy},
  {flags, terminal, signal}: Pick<Invocation, 'flags' | 'terminal' | 'signal'>,
): Promise<void> => {
  if (!terminal.interactive || flags.json) {
    throw new SetupError(
      'input-required',
      'Nothing was changed: setup needs your consent, and cannot ask for it here.',
      {
        remedy: 'remedy' in unasked ? unasked.remedy : `To go ahead without being asked, run ${unasked.command}.`,
      },
    );
  }
  const reader = createLineReader(terminal.stdin, terminal.raw);
  try {
    const typed = (await reader.ask(`${question} [y/N] `, {signal})).trim().toLowerCase();
    if (typed === 'y' || typed === 'yes') return;
  } catch (error) {
    if (!(error instanceof LeftError)) throw error;
  } finally {
    reader.close();
  }
  terminal.stdout.tell('Nothing was changed.\n');
  throw cancelled();
};
