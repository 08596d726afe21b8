import {holdDialogue} from '../../dialogue/dialogue.ts';
import {createLineReader} from '../../dialogue/line-reader.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Ending} from '../../state/view/view.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';
import {asciiOutput, createOutput, isPlain} from '../output/output.ts';

/** Runs the wizard as lines that stay, with numbers to choose by. Resolves to how it was left. */
export const runDialogue = async (
  wizard: Wizard,
  ports: Ports,
  {terminal, env, flags, signal}: Invocation,
): Promise<Ending> => {
  const stream = isPlain(flags, env) ? asciiOutput(terminal.raw) : terminal.raw;
  const reader = createLineReader(terminal.stdin, stream);
  const output = createOutput(stream);
  output.write('Platform setup\n');
  try {
    wizard.start();
    return await holdDialogue({
      wizard,
      reader,
      say: text => output.write(`${text}\n`),
      send: ports.inbox.send,
      now: ports.clock.now,
      signal,
    });
  } finally {
    reader.close();
  }
};
