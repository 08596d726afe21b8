import type {McpEntry, McpServer} from '../../domain/mcp-servers.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Flow} from '../flow.ts';
import {type Run, reporting} from '../reporting.ts';
import {nameFor, type Target} from './assistant-entry.ts';
import type {ComposeInput} from './assistant-file.ts';
import {locate, readEntries} from './assistant-file.ts';
import {createEntryTools, type EntryTools} from './entry-tools.ts';

export type VerifiedServer = {
  readonly assistant: string;
  readonly server: McpServer;
  readonly label: string;
  readonly path: string;
  readonly tools: number;
};

type Input = Pick<ComposeInput, 'targets' | 'place' | 'entries' | 'every'>;

/**
 * The proof: reads each entry back from the file as it is on disk and uses it as the assistant would. The header is sent,
 * the helper is run, the program is started. Nothing is taken from memory.
 *
 * @throws SetupError `local-file-changed`, `local-entry-failed`, `auth-token-refused`, `platform-*`, `network-*`
 */
export const verifyEntries: Flow<Input, readonly VerifiedServer[]> = (
  {targets, place, entries, every = entries},
  ports,
  signal,
) =>
  reporting({ports, signal}, async run => {
    const {signal} = run;
    const pairs = targets.flatMap(target => {
      const {renews, assistant} = target;
      const wanted = renews
        ? every.filter(({label}) => renews.names.includes(nameFor(label, assistant.names)))
        : entries;
      return wanted.map(entry => ({target, entry}));
    });
    const tools = createEntryTools(run);
    const settled = await Promise.allSettled(
      pairs.map(({target, entry}) => verify(target, entry, place, {...run, tools})),
    );
    signal.throwIfAborted();
    return settled.map(result => {
      if (result.status === 'rejected') throw withWayBack(result.reason);
      return result.value;
    });
  });

/** What was written stays, and can be taken back: whoever has to mend something else first need not begin anew. */
const withWayBack = (error: unknown): unknown => {
  if (!(error instanceof SetupError)) return error;
  const {code, message, remedy} = error;
  const undo = 'The files are written; npx setup undo takes them back.';
  return new SetupError(code, message, {cause: error, remedy: `${remedy} ${undo}`.trim(), about: error.about});
};

const verify = async (
  target: Target,
  {server, label}: McpEntry,
  place: Input['place'],
  {ports, tell, tools}: Run & {readonly tools: EntryTools},
): Promise<VerifiedServer> => {
  const {assistant} = target;
  const path = await locate(target, place, ports);
  const name = nameFor(label, assistant.names);
  const connection = assistant.entry.read((await readEntries(assistant, path, ports))[name]);
  if (!connection)
    throw new SetupError('local-file-changed', `${path} does not hold the entry “${name}” that was written.`, {
      about: {path},
    });
  const {names, ms} = await tools(connection);
  const by = connection.kind === 'command' ? {command: connection.command} : {url: connection.url};
  tell({type: 'server-verified', assistant: assistant.name, server, path, ...by, tools: names.length, ms});
  return {assistant: assistant.name, server, label: name, path, tools: names.length};
};
