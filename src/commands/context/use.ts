import type {CommandHandler} from '../../command-line/command.ts';
import {contextArgument} from '../../command-line/context/context-argument.ts';
import {portsOf} from '../../command-line/ports-of.ts';

/** `setup context use NAME`: makes another context the current one. */
export const runContextUse: CommandHandler = async invocation => {
  const {args, flags, terminal} = invocation;
  const {config} = portsOf(invocation);
  const name = contextArgument(args);
  await config.useContext(name);
  if (flags.json) terminal.stdout.writeJson({current: name});
  else terminal.stdout.tell(`${name} is now the current deployment.\n`);
};
