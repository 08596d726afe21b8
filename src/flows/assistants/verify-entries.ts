import type {Assistant} from '../../assistants/assistant.ts';
import type {Connection} from '../../assistants/connection.ts';
import {choiceKeys} from '../../assistants/formats/choices.ts';
import {recordIn} from '../../assistants/formats/connections.ts';
import type {AccountContent} from '../../domain/account-content.ts';
import type {Context, Method, Scope} from '../../domain/context.ts';
import {SIGNED_OUT} from '../../domain/credentials.ts';
import type {McpEntry, McpServer} from '../../domain/mcp-servers.ts';
import {isSamePath} from '../../domain/paths.ts';
import {tokenFor} from '../../domain/tokens.ts';
import type {ToolCost} from '../../domain/tool-sets.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup, type Text} from '../../errors/remedy.ts';
import {isSameValue, parseJson} from '../../json.ts';
import type {Ports} from '../../ports/ports.ts';
import {briefText, cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {type ListOptions, listTools, listToolsByCommand, type ToolList} from '../platform-tools/list-tools.ts';
import {contentReader} from '../platform-tools/read-content.ts';
import {isTokenRefusal} from '../platform-tools/saved-connection.ts';
import {stoppable} from '../stoppable.ts';
import {HELPER_TIMEOUT} from '../time-limits.ts';
import {
  entryFor,
  isSharedEntry,
  leadsTo,
  limitIn,
  type Means,
  nameFor,
  type Target,
  toolsIn,
} from './assistant-entry.ts';
import {type ComposeInput, createEntryReader, type EntryReader, locate} from './assistant-file.ts';
import {ownershipIn} from './ownership.ts';

/** A connection that can be tried without its assistant. */
export type TriableConnection = Exclude<Connection, {kind: 'oauth'}>;

/**
 * Returns the connection by which an entry is tried. The token of an assistant that signs in by itself is its own, so
 * the server is asked with the person's token from here: that shows that the address is right and the server answers.
 */
export const asTried = (connection: Connection, token: () => string): TriableConnection =>
  connection.kind === 'oauth'
    ? {kind: 'header', url: connection.url, headers: {Authorization: `Bearer ${token()}`}}
    : connection;

/** Lists a server's tools through an entry, in the way that the entry says. */
export const listThrough = async (
  connection: TriableConnection,
  run: Run,
  options?: ListOptions,
): Promise<ToolList> => {
  const {ports, signal} = run;
  if (connection.kind === 'command') return listToolsByCommand(connection, ports, signal, options);
  const {url} = connection;
  const headers = connection.kind === 'header' ? connection.headers : await headersBy(connection.helper, ports, signal);
  const wrong = Object.entries(headers).find(([name, value]) => !fieldName.test(name) || !fieldValue.test(value));
  if (wrong) {
    const message = `The entry for ${url} has a header that cannot be sent: ${cleanText(wrong[0])}.`;
    throw new SetupError('local-entry-failed', message);
  }
  return listTools({url, headers}, run, options);
};

/**
 * Returns the error for a saved entry whose server refused it, in a form that names the entry if it holds a token of
 * its own. The person's token may be accepted all the same, so it is the entry that has to be written again.
 *
 * @param remedy how to write it again
 */
export const refusedEntry = (
  error: unknown,
  {name, path, connection}: {readonly name: string; readonly path: string; readonly connection: Connection},
  remedy: Text = phrase`Connect it again: ${setup('mcp connect')}.`,
): unknown => {
  if (connection.kind !== 'header' || !isTokenRefusal(error)) return error;
  const message =
    connection.headers.Authorization === SIGNED_OUT
      ? `“${name}” in ${path} holds no token: it was removed when you signed out.`
      : `The server refused the token in “${name}” of ${path}. ${error.message}`;
  return new SetupError('local-entry-failed', message, {cause: error, remedy});
};

/** The characters of a header's name and value (RFC 9110 5.1 and 5.5). Node throws an error for any other character. */
const [fieldName, fieldValue] = [/^[\w!#$%&'*+.^`|~-]+$/, /^[\t\x20-\x7e\x80-\xff]*$/];

/** Runs a helper, and returns the headers that it prints: a JSON object of strings. */
const headersBy = async (helper: string, {processes}: Ports, signal: AbortSignal): Promise<Record<string, string>> => {
  const result = await processes.runLine(helper, {timeout: HELPER_TIMEOUT, signal});
  const failed = (why: string) => new SetupError('local-entry-failed', `${helper} failed: ${why}`);
  if (result.outcome !== 'exited')
    throw failed(result.outcome === 'missing' ? 'there is no shell.' : 'it took too long.');
  if (result.code !== 0) throw failed(cleanText(result.stderr) || `it exited with code ${result.code}.`);
  try {
    const headers: unknown = parseJson(result.stdout);
    if (
      typeof headers === 'object' &&
      headers !== null &&
      Object.values(headers).every(value => typeof value === 'string')
    )
      return headers as Record<string, string>;
  } catch {}
  throw failed('it did not print a JSON object of headers.');
};

/** How many programs are started at the same time: each starts a Node process, and a machine has few processors. */
const AT_ONCE = 4;

/** Lists the tools of a server through an entry of an assistant. @throws SetupError as `listThrough` does */
export type EntryTools = (connection: TriableConnection, options?: ListOptions) => Promise<ToolList>;

/**
 * Creates a function that lists tools through many entries: a few at a time, and equal entries only once. Most
 * assistants have exactly the same command.
 */
export const createEntryTools = (run: Run): EntryTools => {
  const known = new Map<string, Promise<ToolList>>();
  const waiting: (() => void)[] = [];
  let free = AT_ONCE;

  const inTurn = async (connection: TriableConnection, options?: ListOptions): Promise<ToolList> => {
    if (free > 0) free -= 1;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await listThrough(connection, run, options);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };

  return (connection, options) => {
    const key = JSON.stringify(connection);
    const tools = known.get(key) ?? inTurn(connection, options);
    known.set(key, tools);
    return tools;
  };
};

/** The keys with which people switch an entry off and on, in one assistant or another. */
const switches: readonly string[] = ['disabled', 'enabled'];

/** An entry as it is in a file, and the assistants that read that file. */
type Found = {
  readonly entry: unknown;
  readonly connection: Connection;
  readonly scope: Scope;
  /** The assistants that read the file. If there are several, the entry is in the form of one of them. */
  readonly readers: readonly Assistant[];
};

/**
 * Returns the keys in which an entry differs from what this program would write there; none if it does not differ. A
 * file that others can change, such as a project's file in version control, must not decide what is started here, with
 * which variables or in which directory. So in a project's file every key is compared, even an unknown one, except
 * those that the person may choose. In a file of the person's own, only the keys that this program writes are compared.
 */
export const foreignKeysIn = (
  {entry, connection, scope, readers}: Found,
  wanted: McpEntry,
  means: Means,
): readonly string[] => {
  const method = methodOf(connection);
  const client = connection.kind === 'oauth' ? {oauthClient: connection.clientId} : {};
  const choice = toolsIn(connection, wanted) ?? 'all';
  const tools = choice === 'all' ? {} : {tools: choice};
  // The system looks for the name on PATH, which contains nothing of a project.
  const shared = scope === 'project' && isSharedEntry(connection) ? ({isShared: true} as const) : {};
  const differing = readers.map(assistant => {
    const written = recordIn(entryFor({assistant, scope, method, ...client, ...tools, ...shared}, wanted, means)) ?? {};
    const present = recordIn(entry) ?? {};
    const own = [...choiceKeys(assistant.entry, scope), ...switches];
    // In a file of the person's own, keys that this program does not write belong to the person as well.
    const found = scope === 'user' ? [] : Object.keys(present);
    const keys = new Set([...found, ...Object.keys(written)].filter(key => !own.includes(key)));
    return [...keys].filter(key => !isSameValue(present[key], written[key]));
  });
  return differing.toSorted((one, other) => one.length - other.length)[0] ?? [];
};

/** Returns the keys in a form that is safe to show: they come from a file that others may have written. */
export const namesOf = (keys: readonly string[]): string =>
  keys
    .slice(0, 5)
    .map(key => briefText(key, 40))
    .join(', ');

const methodOf = ({kind}: Connection): Method => (kind === 'command' ? 'bridge' : kind);

export type VerifiedServer = ToolCost & {
  readonly assistant: string;
  readonly server: McpServer;
  /** The name of the entry in its file. */
  readonly name: string;
  readonly path: string;
  /** What the account sees through this entry; read through one entry of a run only. */
  readonly content?: AccountContent;
};

type Input = ComposeInput & {
  /** Whether a file was changed before this, so that the change can be undone if the entries do not work. */
  readonly isWritten?: boolean;
};

/**
 * Verifies the entries: reads each one back from the file on disk and uses it as the assistant would. Sends the header,
 * runs the helper, starts the program. Takes nothing from memory, and starts nothing that this program would not write,
 * because others may have written to the file since.
 *
 * @throws SetupError `local-file-changed`, `local-entry-failed`, `auth-token-refused`, `platform-*`, `network-*`
 */
export const verifyEntries: Flow<Input, readonly VerifiedServer[]> = (input, run) =>
  stoppable(run, async run => {
    const {ports, signal} = run;
    const {targets, place, entries, every = entries} = input;
    const located = await Promise.all(
      targets.map(async target => ({target, path: await locate(target, place, ports)})),
    );
    const {contexts} = await ports.config.read();
    const entriesOf = createEntryReader(ports);
    const pairs = located.flatMap(({target, path}) => {
      const {renews, assistant} = target;
      const wanted = renews
        ? every.filter(({label}) => renews.names.includes(nameFor(label, assistant.names)))
        : entries;
      const sharing = located.filter(one => isSamePath(one.path, path)).map(one => one.target);
      return wanted.map(entry => ({target, path, entry, sharing}));
    });
    const tools = createEntryTools(run);
    const standing = await Promise.all(
      pairs.map(async pair => ((await isLeft(pair, contexts, entriesOf)) ? [] : [pair])),
    );
    let isRead = false;
    // Every entry leads to the same account, so one entry is enough to read what the account sees.
    const readsContent = (server: McpServer) => {
      const isFirst = server === 'control-plane' && !isRead;
      isRead ||= isFirst;
      return isFirst;
    };
    const settled = await Promise.allSettled(
      standing.flat().map(pair => verify(pair, input, {...run, tools, entriesOf, readsContent})),
    );
    signal.throwIfAborted();
    return settled.map(result => {
      if (result.status === 'rejected') throw input.isWritten ? withWayBack(result.reason) : result.reason;
      return result.value;
    });
  });

/** Whether an entry to renew has become the person's own: it was not written, so it is not verified. */
const isLeft = async (
  {target: {assistant, renews}, path, entry}: Pair,
  contexts: readonly Context[],
  entriesOf: EntryReader,
): Promise<boolean> => {
  if (!renews) return false;
  const name = nameFor(entry.label, assistant.names);
  const present = (await entriesOf(assistant, path))[name];
  const ownership = ownershipIn(contexts, path);
  return present !== undefined && ownership.isKnown(name) && !ownership.isOurs({name, entry: present}, assistant);
};

/**
 * Adds to an error that the written files stay and can be reverted. A person who has to fix something else first does
 * not have to start again.
 */
const withWayBack = (error: unknown): unknown => {
  if (!(error instanceof SetupError)) return error;
  return error.advising(phrase`The files are already written; to revert them, run ${setup('undo')}.`);
};

type Pair = {
  readonly target: Target;
  readonly path: string;
  readonly entry: McpEntry;
  /** All targets that share the file. */
  readonly sharing: readonly Target[];
};

type Trying = {
  readonly tools: EntryTools;
  readonly entriesOf: EntryReader;
  readonly readsContent: (server: McpServer) => boolean;
};

const verify = async (
  {target: {assistant, scope}, path, entry, sharing}: Pair,
  input: Input,
  {ports, tell, tools, entriesOf, readsContent}: Run & Trying,
): Promise<VerifiedServer> => {
  const {server, label} = entry;
  const name = nameFor(label, assistant.names);
  const changed = (what: string) => new SetupError('local-file-changed', what, {about: {path}});
  const present = (await entriesOf(assistant, path))[name];
  const connection = assistant.entry.read(present);
  if (!connection) throw changed(`The entry “${name}” that this program wrote is not in ${path}.`);
  const readers = sharing.map(one => one.assistant);
  const isMeant = sharing.some(({tools}) => limitIn(connection.kind, entry, tools) === toolsIn(connection, entry));
  if (!leadsTo(connection, entry, input.context) || !isMeant)
    throw changed(`The entry “${name}” in ${path} does not point to the server that it was written for.`);
  const foreign =
    connection.kind === 'header' ? [] : foreignKeysIn({entry: present, connection, scope, readers}, entry, input);
  if (foreign.length > 0) {
    const what = `The entry “${name}” in ${path} differs from what this program wrote, so it was not tried.`;
    throw changed(`${what} What differs: ${namesOf(foreign)}.`);
  }
  const {names, tokens, ms, content} = await tools(
    asTried(connection, () => tokenFor(server, input.tokens).reveal()),
    readsContent(server) ? contentReader(ports) : {},
  );
  const cost = {tools: names.length, tokens};
  const by = connection.kind === 'command' ? {command: connection.command} : {url: connection.url};
  tell({type: 'server-verified', assistant: assistant.name, server, path, ...by, ...cost, ms});
  return {assistant: assistant.name, server, name, path, ...cost, ...(content ? {content} : {})};
};
