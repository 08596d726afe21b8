import type {CommandHandler} from '../command-line/command.ts';
import {helpOn} from '../command-line/help.ts';
import {shellOf} from '../ports/processes/shell.ts';

/** `setup help [COMMAND]`: the same as the command with `--help`. */
export const runHelp: CommandHandler = async ({args, commands, terminal, env}) => {
  terminal.stdout.write(await helpOn(args, commands, terminal, shellOf(env, process.platform)));
};
