import type {Assistant, NameRule} from '../../assistants/assistant.ts';
import type {Connection} from '../../assistants/connection.ts';
import type {Place} from '../../assistants/place.ts';
import type {ContextEntry, Method, Scope} from '../../domain/context.ts';
import {addressIn, type McpEntry} from '../../domain/mcp-servers.ts';
import {isPortable, type OwnCommand, ownFlags, portableCommand} from '../../domain/own-command.ts';
import {hasOwnToken, type RunTokens, tokenFor} from '../../domain/tokens.ts';
import {type ToolChoice, type ToolLimit, toolChoices, withoutToolSets} from '../../domain/tool-sets.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';

/** An assistant that is to have entries: in which of its files, and how they stay signed in. */
export type Target = {
  readonly assistant: Assistant;
  readonly scope: Scope;
  readonly method: Method;
  /** The method that the person wanted, if this assistant does not have it. */
  readonly wanted?: Method;
  /** The tools that its entries offer; absent for all of them. */
  readonly tools?: ToolLimit;
  /** The client with which it signs in by itself. Set with the method `oauth`. */
  readonly oauthClient?: string;
  /** Why the identity provider does not let it sign in by itself, if the person wanted that. A sentence. */
  readonly refused?: string;
  /** The file with which an organisation blocks the entries in this assistant. */
  readonly blockedBy?: string;
  /** The settings that a new file in the wanted place would replace. Another file is used for that reason. */
  readonly spared?: string;
  /** True if the entry is for everybody in the project, and so names nothing of this machine. */
  readonly isShared?: true;
  /**
   * The record of the entries to renew: exactly this file, and these entries in it. Absent for a target that is chosen
   * now.
   */
  readonly renews?: ContextEntry;
};

/** The parts of an entry besides its address. */
export type Means = {
  readonly place: Place;
  readonly own: OwnCommand;
  readonly context: string;
  readonly tokens: RunTokens;
  /** The platform's base domain, in an entry for people who may not have set the platform up yet. */
  readonly baseDomain?: string;
};

/** Returns an entry in the form of an assistant's file, by the method of the target. */
export const entryFor = (
  target: Pick<Target, 'assistant' | 'scope' | 'method' | 'oauthClient' | 'tools' | 'isShared'>,
  entry: McpEntry,
  means: Means,
): object => {
  const {server, label} = entry;
  const {assistant, scope, method, oauthClient, tools} = target;
  const url = addressIn(entry, tools);
  const {place, context, tokens, baseDomain} = means;
  const own = target.isShared ? portableCommand(means.own) : means.own;
  const distro = place.env.WSL_DISTRO_NAME;
  const at = {name: nameFor(label, assistant.names), scope, system: place.system, ...(distro ? {distro} : {})};
  if (method === 'header' && assistant.entry.header) {
    return assistant.entry.header({...at, url, authorization: `Bearer ${tokenFor(server, tokens).reveal()}`});
  }
  if (method === 'helper' && assistant.entry.helper) {
    const which = hasOwnToken(server, tokens) ? ['--server', server] : [];
    const args = ['token', '--mcp-header', '--context', context, ...which, ...ownFlags(own)];
    return assistant.entry.helper({...at, url, command: [own.command, ...own.args, ...args]});
  }
  if (method === 'oauth' && assistant.entry.oauth && oauthClient !== undefined) {
    return assistant.entry.oauth({...at, url, clientId: oauthClient});
  }
  const whereabouts = baseDomain === undefined ? [] : ['--base-domain', baseDomain];
  const args = [
    'mcp',
    'serve',
    server,
    '--context',
    context,
    ...whereabouts,
    ...toolFlags(entry, tools),
    ...ownFlags(own),
  ];
  return assistant.entry.command({...at, command: own.command, args: [...own.args, ...args]});
};

/**
 * Returns a label as the name of an entry: as it is, or if the assistant does not accept that, with dashes in place of
 * everything but letters and digits.
 *
 * @throws SetupError `input-invalid` if the assistant accepts neither
 */
export const nameFor = (label: string, rule: NameRule): string => {
  const plain = label.replaceAll(/[^a-z\d]+/gi, '-').replaceAll(/^-|-$/g, '');
  const name = rule.allows(label) ? label : plain;
  if (rule.allows(name)) return name;
  throw new SetupError('input-invalid', `“${label}” cannot be the name of an entry. Use ${rule.words}.`, {
    remedy: {do: 'Give the deployment another name.', flag: phrase`Run ${setup('', '--context NAME')}.`},
    about: {flag: 'context'},
  });
};

/** The flag that tells the bridge which tools an entry has. */
const TOOLS = '--tools';

/**
 * Returns the tools that an entry has if these tools were chosen. A preset has an effect only at a server that has sets
 * of tools. The limit to tools that only read has an effect only in an entry that starts the bridge.
 */
export const limitIn = (
  kind: Connection['kind'],
  {toolSets}: Pick<McpEntry, 'toolSets'>,
  tools: ToolLimit | undefined,
): ToolChoice => {
  const isHeld = tools === 'look' ? kind === 'command' : toolSets !== undefined;
  return tools !== undefined && isHeld ? tools : 'all';
};

/** Returns the arguments that limit the tools of a bridge. */
export const toolFlags = (entry: Pick<McpEntry, 'toolSets'>, tools: ToolLimit | undefined): readonly string[] => {
  const limit = limitIn('command', entry, tools);
  return limit === 'all' ? [] : [TOOLS, limit];
};

/**
 * Whether an existing entry leads to the same server as ours, with any tools. `ownershipIn` says whether it is ours.
 */
export const leadsTo = (connection: Connection | undefined, entry: McpEntry, context: string): boolean => {
  if (!connection) return false;
  if (connection.kind !== 'command') return withoutToolSets(connection.url) === entry.url;
  return isOwnCommand(connection, entry, context);
};

/** Whether an entry starts this program for a server of a context: no other program writes such a command line. */
export const isOwnCommand = (connection: Connection | undefined, {server, url}: McpEntry, context: string): boolean => {
  if (connection?.kind === 'helper') {
    return (
      withoutToolSets(connection.url) === url && connection.helper.includes(` token --mcp-header --context ${context}`)
    );
  }
  if (connection?.kind !== 'command') return false;
  const {args} = connection;
  const at = args.indexOf('mcp');
  const isBridge = at >= 0 && args[at + 1] === 'serve' && args[at + 2] === server;
  return isBridge && args[args.indexOf('--context') + 1] === context;
};

/** Whether an entry starts this program by its name on PATH, as an entry for everybody in a project does. */
export const isSharedEntry = (connection: Connection | undefined): boolean => {
  if (connection?.kind === 'command') return isPortable(connection.command);
  return connection?.kind === 'helper' && isPortable(connection.helper);
};

/** Returns the tools that an entry of ours has; undefined if it names sets that belong to no current choice. */
export const toolsIn = (connection: Connection, entry: McpEntry): ToolChoice | undefined => {
  if (connection.kind !== 'command') return toolChoices.find(choice => addressIn(entry, choice) === connection.url);
  const {args} = connection;
  const at = args.indexOf(TOOLS);
  return at < 0 ? 'all' : toolChoices.find(choice => choice === args[at + 1]);
};
