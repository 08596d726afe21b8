import {allAssistants} from '../assistants/catalogue/all.ts';
import type {Place} from '../assistants/place.ts';
import type {CommandHandler} from '../command-line/command.ts';
import {contextArgument} from '../command-line/context-argument.ts';
import {portsTo} from '../command-line/network-flags.ts';
import {formatTable, widthOf} from '../command-line/output/format-table.ts';
import {writingRun} from '../command-line/output/writing-run.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readPlace} from '../command-line/read-place.ts';
import {contextFlags, currentContextIn} from '../domain/context.ts';
import {hasSecrets} from '../domain/credentials.ts';
import {signInsOf} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {type Disconnected, disconnectAssistants} from '../flows/assistants/disconnect-assistants.ts';
import {forgetProxyPasswords} from '../flows/deployment/context-network.ts';
import {whileNobodyWrites} from '../flows/entries-lock.ts';
import type {Run} from '../flows/flow.ts';
import {removeOwnCli} from '../flows/own-cli/own-cli-file.ts';
import {sayTaken, takeRoleBack} from '../flows/sign-in/give-up-account.ts';
import {SETUP} from '../setup-command.ts';
import {layoutName} from '../state/view/names.ts';
import {findOwnPaths, shortPath} from '../store/own-paths.ts';
import {tellDisconnected} from './mcp/disconnect.ts';

/** `setup context list`: lists the saved deployments. */
export const runContextList: CommandHandler = async invocation => {
  const {flags, terminal} = invocation;
  const {config} = portsOf(invocation);
  const saved = await config.read();
  const {contexts} = saved;
  const currentContext = currentContextIn(saved)?.name;
  if (flags.json) {
    terminal.stdout.writeJson({currentContext, contexts});
    return;
  }
  // Newer releases do not reveal their layout: a column without a value would only take room.
  const isLaidOut = contexts.some(({layout}) => layout !== 'unknown');
  const rows = contexts.map(({name, baseDomain, layout, controlPlaneUrl}) => [
    // The mark has a column of its own, as in kubectl, so that a narrow terminal does not cut it off.
    name === currentContext ? '*' : '',
    name,
    baseDomain,
    ...(isLaidOut ? [layout === 'unknown' ? '' : layoutName[layout]] : []),
    controlPlaneUrl,
  ]);
  const heads = ['CURRENT', 'NAME', 'BASE DOMAIN', ...(isLaidOut ? ['LAYOUT'] : []), 'CONTROL PLANE'];
  const table = await formatTable([heads, ...rows], widthOf(terminal));
  terminal.stdout.write(rows.length === 0 ? `Nothing is set up yet. Run ${SETUP}.\n` : table);
};

/** `setup context use NAME`: makes another context the current one. */
export const runContextUse: CommandHandler = async invocation => {
  const {args, flags, terminal} = invocation;
  const {config} = portsOf(invocation);
  const name = contextArgument(args);
  await config.useContext(name);
  if (flags.json) terminal.stdout.writeJson({current: name});
  else terminal.stdout.tell(`${name} is now the current deployment.\n`);
};

/**
 * `setup context remove NAME`: removes a context's entries from assistants' files, which could not be done later, and
 * forgets its addresses. The person has to be signed out of it.
 */
export const runContextRemove: CommandHandler = async invocation => {
  const {args, flags, env, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const {credentials} = ports;
  const name = contextArgument(args);
  const context = (await ports.config.read()).contexts.find(one => one.name === name);
  for (const one of context ? signInsOf(context) : []) {
    // A sign-in that has ended may leave a record, but only secrets give access.
    if (!hasSecrets(await credentials.get(one))) continue;
    const who = one.actsAs === 'assistants' ? 'Your assistants are' : 'You are';
    throw new SetupError('input-invalid', `${who} still signed in to ${name}.`, {
      remedy: phrase`Sign out first: ${setup('logout', contextFlags(one).join(' '))}.`,
    });
  }
  const removing = {name, place: readPlace(env)};
  const run = writingRun(ports, signal, terminal);
  // Afterwards nothing would know of the role that the assistants' account has.
  const role = context && (await takeRoleBack(context, {...run, ports: await portsTo(context, invocation, ports)}));
  const {disconnected, cli} = await whileNobodyWrites(run, held => removeContext(removing, held));
  const {home} = findOwnPaths(env);
  if (flags.json) {
    terminal.stdout.writeJson({
      removed: name,
      disconnected,
      ...(cli === undefined ? {} : {cli}),
      ...(role ? {role} : {}),
    });
    return;
  }
  terminal.stdout.tell(`${name} was removed.\n`);
  if (cli !== undefined) terminal.stdout.tell(`It was removed from ${shortPath(cli, home)}.\n`);
  tellDisconnected(disconnected, home, terminal);
  if (role) terminal.stdout.tell(`${sayTaken(role)}\n`);
};

type Removed = {
  readonly disconnected: readonly Disconnected[];
  /** The file of the platform's own CLI, if the deployment was in it. */
  readonly cli?: string;
};

/**
 * Removes a context, the entries of assistants that belong to it, and its part of the file of the platform's own CLI.
 *
 * @throws SetupError `input-invalid` if there is no such context; the errors of `disconnectAssistants` and
 *   `removeOwnCli`
 */
const removeContext = async (
  {name, place}: {readonly name: string; readonly place: Place},
  run: Run,
): Promise<Removed> => {
  const {ports} = run;
  const {config, credentials} = ports;
  const context = (await config.read()).contexts.find(one => one.name === name);
  const input = context && {context, assistants: allAssistants, place, chosen: () => true};
  const disconnected = input ? await disconnectAssistants(input, run) : [];
  const isRemoved = context !== undefined && (await removeOwnCli(context, ports));
  const others = (await config.read()).contexts.filter(one => one.name !== name);
  await forgetProxyPasswords(context, others, credentials);
  await config.removeContext(name);
  return {disconnected, ...(isRemoved && context.cli ? {cli: context.cli.path} : {})};
};
