import type {CommandHandler} from '../command-line/command.ts';
import {bashScript} from '../command-line/completion/bash.ts';
import {fishScript} from '../command-line/completion/fish.ts';
import {powershellScript} from '../command-line/completion/powershell.ts';
import {zshScript} from '../command-line/completion/zsh.ts';
import {completionModel, type OfferedCommand} from '../command-line/completion-model.ts';
import {nearest} from '../command-line/parse-flags.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {startable} from '../command-line/remedies.ts';
import {CONTEXT_NAMES, type OwnWords, type Shell, shells} from '../command-line/shells.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';

const scripts: Readonly<Record<Shell, (model: readonly OfferedCommand[], own: OwnWords) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** `setup completion SHELL`: prints the script with which a shell completes commands, flags and values. */
export const runCompletion: CommandHandler = async invocation => {
  const {args, commands, terminal} = invocation;
  const [wanted] = args;
  if (wanted === CONTEXT_NAMES) {
    const {contexts} = await portsOf(invocation).config.read();
    terminal.stdout.write(contexts.map(({name}) => `${name}\n`).join(''));
    return;
  }
  const shell = shells.find(one => one === wanted);
  if (shell) {
    const {command, args: launched} = startable(invocation);
    terminal.stdout.write(scripts[shell](completionModel(commands), [command, ...launched]));
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
