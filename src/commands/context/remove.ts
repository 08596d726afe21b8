import {allAssistants} from '../../assistants/catalogue/all.ts';
import type {CommandHandler} from '../../command-line/command.ts';
import {contextArgument} from '../../command-line/context/context-argument.ts';
import {finish} from '../../command-line/output/finish.ts';
import {tellDisconnected} from '../../command-line/output/tell-disconnected.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {hasSecrets} from '../../domain/sign-in/credentials.ts';
import {signInsOf} from '../../domain/sign-in/server-tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import {disconnectAssistants} from '../../flows/assistants/entry.ts';
import {forgetProxyPasswords} from '../../flows/deployment/entry.ts';
import {removeOwnCli} from '../../flows/own-cli/entry.ts';
import {SETUP} from '../../setup-command.ts';
import {findOwnPaths, shortPath} from '../../state/stores/own-paths.ts';

/**
 * `setup context remove NAME`: takes its entries out of the files of assistants, which nobody could afterwards, and
 * forgets its addresses, once nobody is signed in to it.
 */
export const runContextRemove: CommandHandler = async invocation => {
  const {args, flags, env, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const {config, credentials} = ports;
  const name = contextArgument(args);
  const context = (await config.read()).contexts.find(one => one.name === name);
  const kept = await Promise.all((context ? signInsOf(context) : []).map(one => credentials.get(one)));
  // What is left of a sign-in that has ended is nobody's way in.
  if (kept.some(hasSecrets)) {
    throw new SetupError('input-invalid', `You are still signed in to ${name}.`, {
      remedy: `Sign out first: ${SETUP} logout --context ${name}.`,
    });
  }
  const input = context && {context, assistants: allAssistants, chosen: () => true};
  const disconnected = input ? await finish(disconnectAssistants(input, ports, signal)) : [];
  const {home} = findOwnPaths(env);
  const cli = context?.cli && (await removeOwnCli(context, ports)) ? context.cli.path : undefined;
  const others = (await config.read()).contexts.filter(one => one.name !== name);
  await forgetProxyPasswords(context, others, credentials);
  await config.removeContext(name);
  if (flags.json) {
    terminal.stdout.writeJson({removed: name, disconnected, ...(cli === undefined ? {} : {cli})});
    return;
  }
  terminal.stdout.write(`${name} was removed.\n`);
  if (cli !== undefined) terminal.stdout.write(`It was removed from ${shortPath(cli, home)}.\n`);
  tellDisconnected(disconnected, home, terminal);
};
