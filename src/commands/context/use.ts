import type {CommandHandler} from '../../command-line/command.ts';
import {contextArgument} from '../../command-line/context/context-argument.ts';
import {portsOf} from '../../command-line/ports-of.ts';

/** `setup context use NAME`: makes another one current. */
export const runContextUse: CommandHandler = async invocation => {
  const {args, terminal} = invocation;
  const {config} = portsOf(invocation);
  await config.useContext(contextArgument(args));
  terminal.stdout.write(`${contextArgument(args)} is current now.\n`);
};
