import type {CommandHandler} from '../command-line/command.ts';
import {version} from '../version.ts';

/** `setup version`: the same as `--version`. */
export const runVersion: CommandHandler = async ({flags, terminal}) => {
  if (flags.json) terminal.stdout.writeJson({version});
  else terminal.stdout.write(`${version}\n`);
};
