import {type PastedAssistant, pastedAssistants} from '../../assistants/catalogue/pasted.ts';
import type {CommandHandler, Invocation} from '../../command-line/command.ts';
import {currentContext} from '../../command-line/current-context.ts';
import {ownCommand} from '../../command-line/find-own-command.ts';
import {saysNetwork} from '../../command-line/network-flags.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {readPlace} from '../../command-line/read-place.ts';
import {answersOf, storedClientSecret} from '../../command-line/saved-context.ts';
import {runEither} from '../../command-line/wizard/run-either.ts';
import {assistantIds, inShape, readWizardInput, type WizardInput} from '../../command-line/wizard/wizard-input.ts';
import type {Context} from '../../domain/context.ts';
import {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {entryFor, nameFor} from '../../flows/assistants/assistant-entry.ts';
import {keepNetwork} from '../../flows/deployment/context-network.ts';
import {savedEntriesOf} from '../../flows/saved-entries.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import {connectIn} from '../../state/derived/wizard-deployment.ts';
import {selectionAtFirst} from '../../state/derived/wizard-targets.ts';
import {initialState} from '../../state/model.ts';
import {signedInAnew} from '../../state/steps/account/account.ts';

/** Splits names into the assistants whose entries a person has to paste, and the other names. */
export const splitPasted = (
  names: readonly string[],
): {readonly pasted: readonly PastedAssistant[]; readonly others: readonly string[]} => {
  const isMeant = (typed: string, {assistant: {id, name}}: PastedAssistant) =>
    [id, name.toLowerCase()].includes(typed.trim().toLowerCase());
  return {
    pasted: pastedAssistants.filter(one => names.some(name => isMeant(name, one))),
    others: names.filter(name => !pastedAssistants.some(one => isMeant(name, one))),
  };
};

/**
 * Prints the entries to paste. They always use the bridge: a token would expire, and no file would show that.
 *
 * @throws SetupError `input-invalid` if this program was fetched for one run only: no copy of it is kept for an entry
 *   that no file shows
 */
export const tellPasted = (
  {assistant, key, where}: PastedAssistant,
  context: Context,
  invocation: Invocation,
): void => {
  const {env, flags, terminal} = invocation;
  const own = ownCommand(invocation);
  if (own.copy) {
    throw new SetupError(
      'input-invalid',
      `${assistant.name} would start a copy of this program that may be deleted after this run.`,
      {
        remedy: phrase`Run npm install --global platform-setup, then ${setup('mcp connect', assistant.id)}.`,
      },
    );
  }
  const means = {place: readPlace(env, flags.project), own, context: context.name, tokens: {signIn: new Secret('')}};
  const target = {assistant, scope: 'user', method: 'bridge'} as const;
  const entries = savedEntriesOf(context, platformOfDeployment(context)).map(entry => [
    nameFor(entry.label, assistant.names),
    entryFor(target, entry, means),
  ]);
  const pasted = {[key]: Object.fromEntries(entries)};
  if (flags.json) {
    terminal.stdout.writeJson({type: 'paste', assistant: assistant.id, where, paste: pasted});
    return;
  }
  const afterwards = assistant.afterwards('user', 'bridge').join(' ');
  terminal.stdout.write(`${JSON.stringify(pasted, undefined, 2)}\n`);
  terminal.stderr.write(
    `Setup cannot write to ${assistant.name}: it keeps its servers in no file. Paste this as JSON into ${where}. ${afterwards}\n`,
  );
};

/**
 * `setup mcp connect [ASSISTANT…]`: writes entries for the MCP servers of a saved deployment into assistants' files,
 * or renews those that are there. It is the last part of the wizard by itself.
 */
export const runMcpConnect: CommandHandler = async invocation => {
  const {args} = invocation;
  const {context: saved, ports} = await currentContext(portsOf(invocation), invocation);
  const context = saysNetwork(invocation.flags) ? await keepNetwork(saved, ports) : saved;
  const {pasted, others} = splitPasted(args);
  for (const one of pasted) tellPasted(one, context, invocation);
  if (pasted.length > 0 && others.length === 0) return;
  await connectAssistants(context, {invocation, ports, names: args.length === 0 ? undefined : others});
};

type Connecting = {
  readonly invocation: Invocation;
  readonly ports: Ports;
  /** The assistants that are named as arguments; undefined to ask, or to renew those that are connected. */
  readonly names?: readonly string[] | undefined;
  /** Set to sign in the account of the assistants again. */
  readonly isAnew?: true;
  /** What flags, environment and standard input say, if that has been read already. */
  readonly input?: WizardInput;
};

/** Runs the part of the wizard that connects assistants to a saved deployment. */
export const connectAssistants = async (
  context: Context,
  {invocation, ports, names, isAnew, input}: Connecting,
): Promise<void> => {
  const {settings, answers} = input ?? (await readWizardInput(invocation, ports, context));
  if (names && answers.connect) {
    throw new SetupError('input-usage', 'Name the assistants either as arguments or with --assistants, not both.');
  }
  const assistants = names
    ? inShape(await assistantIds(names, `${SETUP} mcp connect`), invocation.flags)
    : answers.connect?.assistants;
  const again = answersOf(context, {}, await storedClientSecret(context, ports.credentials));
  const known = {...settings, saved: context, again};
  // What the flags say about the account of the assistants. Those about the person's own sign-in belong to login.
  const {accountRole, existingClient} = answers;
  const fromFlags = {
    ...(accountRole === undefined ? {} : {accountRole}),
    ...(existingClient === undefined ? {} : {existingClient}),
  };
  const start = {...again, ...fromFlags, deploymentAccepted: true, resume: 'connect'} as const;
  const suggested = initialState(known, fromFlags, start);
  // Named assistants get entries where the screen of assistants would suggest them. Each gets its best method: a file
  // holds a token only if a person asked for that.
  const {method = 'auto'} = connectIn(suggested);
  const connect = assistants && {connect: {...selectionAtFirst(suggested), method, assistants}};
  const account = answers.signIn === 'create-mcp-client' ? {account: {signIn: answers.signIn}} : {};
  const anew = isAnew ? {...signedInAnew(suggested), ...account} : {};
  const initial = initialState(known, {...fromFlags, ...connect}, {...start, ...connect, ...anew});
  await runEither(initial, ports, invocation);
};
