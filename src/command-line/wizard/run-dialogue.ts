import {holdDialogue} from '../../dialogue/dialogue.ts';
import {createLineReader} from '../../dialogue/line-reader.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Ending} from '../../state/view/view.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';
import {asciiOutput} from '../output/ascii-output.ts';
import {isUnicode} from '../output/terminal-abilities.ts';

/** The wizard as lines that stay, with numbers to choose by. Resolves with how it was left. */
export const runDialogue = async (
  wizard: Wizard,
  ports: Ports,
  {terminal, env, signal}: Invocation,
): Promise<Ending> => {
  const output = isUnicode(env) ? terminal.stdout : asciiOutput(terminal.stdout);
  const reader = createLineReader(terminal.stdin, output);
  output.write('Platform setup\n');
  try {
    wizard.start();
    return await holdDialogue({
      wizard,
      reader,
      say: line => output.write(`${line}\n`),
      send: ports.inbox.send,
      now: ports.clock.now,
      signal,
    });
  } finally {
    reader.close();
  }
};
