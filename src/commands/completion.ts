import type {CommandHandler} from '../command-line/command.ts';
import {completionScript, shells} from '../command-line/completion-scripts.ts';
import {nearest} from '../command-line/parse-flags.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {startable} from '../command-line/remedies.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';

/**
 * `setup completion SHELL`: prints the script with which a shell completes commands, flags and values.
 *
 * `setup completion -- WORDS` answers such a script: it prints what can stand at the cursor.
 */
export const runCompletion: CommandHandler = async invocation => {
  const {args, commands, terminal, line} = invocation;
  if (line !== undefined) {
    const {complete} = await import('../command-line/completion.ts');
    const readContexts = async () => (await portsOf(invocation).config.read()).contexts;
    const {candidates, paths = 'words'} = await complete(line, commands, readContexts);
    const lines = candidates.map(({word, about}) => (about ? `${word}\t${about}` : word));
    terminal.stdout.write([...lines, `:${paths}`, ''].join('\n'));
    return;
  }
  const [wanted] = args;
  const shell = shells.find(one => one === wanted);
  if (shell) {
    const {command, args: launched} = startable(invocation);
    terminal.stdout.write(completionScript(shell, [command, ...launched]));
    return;
  }
  const names = shells.join(', ');
  if (wanted === undefined) {
    throw new SetupError('input-required', `Name a shell: ${names}.`, {
      remedy: phrase`To install it, see ${setup('completion', '--help')}.`,
    });
  }
  const meant = await nearest(wanted, shells);
  throw new SetupError('input-invalid', `There is no completion for ${wanted}.`, {
    remedy: `${meant ? `Did you mean ${meant}? ` : ''}Choose one of ${names}.`,
  });
};
