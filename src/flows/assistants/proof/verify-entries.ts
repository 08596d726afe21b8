import type {Context} from '../../../domain/context.ts';
import type {McpEntry, McpServer} from '../../../domain/mcp-servers.ts';
import {isSamePath} from '../../../domain/paths.ts';
import {tokenFor} from '../../../domain/tokens.ts';
import type {ToolCost} from '../../../domain/tool-sets.ts';
import {SetupError} from '../../../errors/errors.ts';
import {SETUP} from '../../../setup-command.ts';
import type {Flow, Run} from '../../flow.ts';
import {stoppable} from '../../stoppable.ts';
import {leadsTo, nameFor, type Target, toolsIn} from '../assistant-entry.ts';
import type {ComposeInput} from '../assistant-file.ts';
import {createEntryReader, type EntryReader, locate} from '../assistant-file.ts';
import {ownershipIn} from '../ownership.ts';
import {createEntryTools, type EntryTools} from './entry-tools.ts';
import {asTried} from './list-through.ts';
import {foreignKeysIn, namesOf} from './written-entry.ts';

export type VerifiedServer = ToolCost & {
  readonly assistant: string;
  readonly server: McpServer;
  readonly label: string;
  readonly path: string;
};

type Input = ComposeInput & {
  /** Whether a file was changed before this, which can be taken back where the entries do not work. */
  readonly isWritten?: boolean;
};

/**
 * The proof: reads each entry back from the file as it is on disk and uses it as the assistant would. The header is sent,
 * the helper is run, the program is started. Nothing is taken from memory, and nothing is started that is not what this
 * program writes: somebody else may have written to the file since.
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
    const settled = await Promise.allSettled(
      standing.flat().map(pair => verify(pair, input, {...run, tools, entriesOf})),
    );
    signal.throwIfAborted();
    return settled.map(result => {
      if (result.status === 'rejected') throw input.isWritten ? withWayBack(result.reason) : result.reason;
      return result.value;
    });
  });

/** What is renewed may hold an entry that the person has made their own: nobody wrote it, so nobody tries it. */
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

/** What was written stays, and can be taken back: whoever has to mend something else first need not begin anew. */
const withWayBack = (error: unknown): unknown => {
  if (!(error instanceof SetupError)) return error;
  const {code, message, remedy} = error;
  const undo = `The files were written; ${SETUP} undo reverts them.`;
  return new SetupError(code, message, {cause: error, remedy: `${remedy} ${undo}`.trim(), about: error.about});
};

type Pair = {
  readonly target: Target;
  readonly path: string;
  readonly entry: McpEntry;
  /** Everybody who reads that file. */
  readonly sharing: readonly Target[];
};

const verify = async (
  {target: {assistant, scope}, path, entry, sharing}: Pair,
  input: Input,
  {tell, tools, entriesOf}: Run & {readonly tools: EntryTools; readonly entriesOf: EntryReader},
): Promise<VerifiedServer> => {
  const {server, label} = entry;
  const name = nameFor(label, assistant.names);
  const changed = (what: string) => new SetupError('local-file-changed', what, {about: {path}});
  const present = (await entriesOf(assistant, path))[name];
  const connection = assistant.entry.read(present);
  if (!connection) throw changed(`${path} does not hold the entry “${name}” that was written.`);
  const readers = sharing.map(one => one.assistant);
  const isMeant = sharing.some(({tools}) => (entry.toolSets && tools ? tools : 'all') === toolsIn(connection, entry));
  if (!leadsTo(connection, entry, input.context) || !isMeant)
    throw changed(`The entry “${name}” in ${path} points to another server than the one that was written.`);
  const foreign =
    connection.kind === 'header' ? [] : foreignKeysIn({entry: present, connection, scope, readers}, entry, input);
  if (foreign.length > 0) {
    const what = `The entry “${name}” in ${path} is not the one that was written, so it was not started.`;
    throw changed(`${what} What differs: ${namesOf(foreign)}.`);
  }
  const {names, tokens, ms} = await tools(asTried(connection, () => tokenFor(server, input.tokens).reveal()));
  const cost = {tools: names.length, tokens};
  const by = connection.kind === 'command' ? {command: connection.command} : {url: connection.url};
  tell({type: 'server-verified', assistant: assistant.name, server, path, ...by, ...cost, ms});
  return {assistant: assistant.name, server, label: name, path, ...cost};
};
