import type {CommandHandler} from '../command-line/command.ts';
import {helpOn} from '../command-line/help.ts';

/** `setup help [COMMAND]`: the same as the command with `--help`. */
export const runHelp: CommandHandler = async ({args, commands, terminal}) => {
  terminal.stdout.write(await helpOn(args, commands, terminal));
};
