import {posix, win32} from 'node:path';
import type {Assistant} from '../../assistants/assistant.ts';
import {bearerIn, type Connection} from '../../assistants/connection.ts';
import {isOff} from '../../assistants/formats/choices.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, ContextEntry, Method} from '../../domain/context.ts';
import {SIGNED_OUT} from '../../domain/credentials.ts';
import type {McpEntry} from '../../domain/mcp-servers.ts';
import {expiryOf} from '../../domain/tokens.ts';
import type {ToolLimit} from '../../domain/tool-sets.ts';
import type {Ports} from '../../ports/ports.ts';
import {nameFor, toolsIn} from './assistant-entry.ts';
import {createEntryReader, type EntryReader} from './assistant-file.ts';
import {organisationEntriesOfEach} from './organisation-entries.ts';
import {ownershipIn, serversOf} from './ownership.ts';

/** The arguments of Bun and Deno before the program. */
const forRuntime = /^(run|-.*)$/;

/** A word of a command line, with quotes or without. */
const word = /'([^']*)'|"([^"]*)"|([^\s'"]+)/g;

/** Returns the file that an entry starts if the file no longer exists. */
export type GoneProgram = (connection: Connection | undefined) => Promise<string | undefined>;

/**
 * Creates a function that looks for the files that entries start: the Node that an entry names, and this program's
 * launcher. Either may be gone after a cache was cleaned, Node upgraded or a project removed. The function returns
 * undefined if both exist, if neither is named by an absolute path of this system, or if the entry is not this
 * program's. Most entries name the same two files, and each file is looked for once.
 */
export const createGoneProgram = ({files}: Pick<Ports, 'files'>): GoneProgram => {
  const known = new Map<string, Promise<boolean>>();
  const exists = (path: string) => {
    const found = known.get(path) ?? files.exists(path);
    known.set(path, found);
    return found;
  };
  return async connection => {
    for (const path of pathsIn(connection)) if (!(await exists(path))) return path;
    return undefined;
  };
};

const pathsIn = (connection: Connection | undefined): readonly string[] => {
  const [command = '', ...words] = wordsIn(connection);
  const launcher = words.find(one => !forRuntime.test(one)) ?? '';
  const isAbsolute = process.platform === 'win32' ? win32.isAbsolute : posix.isAbsolute;
  // An entry that starts another program is reported in another way.
  return /[\\/]bin[\\/]setup\.js$/.test(launcher) ? [command, launcher].filter(isAbsolute) : [];
};

const wordsIn = (connection: Connection | undefined): readonly string[] => {
  if (connection?.kind === 'command') return [connection.command, ...connection.args];
  if (connection?.kind !== 'helper') return [];
  return Array.from(connection.helper.matchAll(word), found => found[1] ?? found[2] ?? found[3] ?? '');
};

/** The state of one entry of a context in an assistant's file. */
export type EntryState = {
  readonly assistant: string;
  readonly name: string;
  readonly path: string;
  readonly scope: ContextEntry['scope'];
  /** How it stays signed in, by the file; absent if `state` is `missing`, `unreadable` or `changed`. */
  readonly method?: Method;
  /** The tools that it has, by the file; absent for all of them. */
  readonly tools?: ToolLimit;
  /** When its token expires, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** True if the person has switched it off in the assistant. */
  readonly isOff?: true;
  /** The file that it starts and that does not exist, if `state` is `program-gone`. */
  readonly program?: string;
  /**
   * `signed-out`: a sign-out removed its token. `own-sign-in`: the assistant signs in by itself. `given`: it is in a
   * file of the organisation. `changed`: the person has made it their own.
   */
  readonly state:
    | 'changed'
    | 'given'
    | 'kept'
    | 'token'
    | 'signed-out'
    | 'own-sign-in'
    | 'missing'
    | 'program-gone'
    | 'unreadable';
};

/** Inspects every entry of a context, without network. Reports a file that cannot be read as unreadable. */
export const inspectEntries = (
  context: Context,
  assistants: readonly Assistant[],
  ports: Ports,
): Promise<readonly EntryState[]> => inspectWith(looksAt(ports), context, assistants);

/** Inspects many contexts, whose entries are mostly in the same files: reads each file once. */
export const inspectContexts = (
  contexts: readonly Context[],
  assistants: readonly Assistant[],
  ports: Ports,
): Promise<readonly (readonly EntryState[])[]> => {
  const looks = looksAt(ports);
  return Promise.all(contexts.map(context => inspectWith(looks, context, assistants)));
};

/**
 * Returns the entries of each context that an organisation has given to the assistants on this machine, in the order of
 * the contexts.
 */
export const inspectOrganisationEntries = async (
  contexts: readonly Context[],
  where: {readonly assistants: readonly Assistant[]; readonly place: Place},
  ports: Ports,
): Promise<readonly (readonly EntryState[])[]> => {
  const wanted = contexts.map(context => ({context: context.name, entries: serversOf(context)}));
  const found = await organisationEntriesOfEach(wanted, where, ports);
  return found.map(entries =>
    entries.map(({assistant, name, path, connection}) => ({
      ...{assistant: assistant.name, name, path, scope: 'user'},
      ...standingOf(connection),
      state: 'given',
    })),
  );
};

/** The functions that look at the disk, at each file once. */
type Looks = {readonly entriesOf: EntryReader; readonly goneProgram: GoneProgram};

const looksAt = (ports: Ports): Looks => ({
  entriesOf: createEntryReader(ports),
  goneProgram: createGoneProgram(ports),
});

const inspectWith = async (
  {entriesOf, goneProgram}: Looks,
  context: Context,
  assistants: readonly Assistant[],
): Promise<readonly EntryState[]> => {
  const {entries = []} = context;
  const servers = serversOf(context);
  const standings = await Promise.all(
    entries.map(async ({assistant: id, path, names, scope}) => {
      const assistant = assistants.find(one => one.id === id);
      const present = assistant ? await entriesOf(assistant, path).catch(() => undefined) : undefined;
      const ownership = ownershipIn([context], path);
      const standing = async (name: string): Promise<EntryState> => {
        const at = {assistant: assistant?.name ?? id, name, path, scope};
        if (!assistant || !present) return {...at, state: 'unreadable'};
        const switched = isOff(present[name], assistant.entry) ? ({isOff: true} as const) : {};
        const connection = assistant.entry.read(present[name]);
        if (present[name] !== undefined && !ownership.isOurs({name, entry: present[name]}, assistant))
          return {...at, state: 'changed', ...switched};
        const server = servers.find(({label}) => nameFor(label, assistant.names) === name);
        const program = await goneProgram(connection);
        const gone = program === undefined ? {} : ({state: 'program-gone', program} as const);
        return {...at, ...standingOf(connection), ...gone, ...narrowingOf(connection, server), ...switched};
      };
      return Promise.all(names.map(standing));
    }),
  );
  return standings.flat();
};

const narrowingOf = (connection: Connection | undefined, server: McpEntry | undefined): Pick<EntryState, 'tools'> => {
  const tools = connection && server ? toolsIn(connection, server) : undefined;
  return tools === undefined || tools === 'all' ? {} : {tools};
};

const standingOf = (connection: Connection | undefined): Pick<EntryState, 'state' | 'method' | 'expiresAt'> => {
  if (!connection) return {state: 'missing'};
  if (connection.kind === 'command') return {state: 'kept', method: 'bridge'};
  if (connection.kind === 'helper') return {state: 'kept', method: 'helper'};
  if (connection.kind === 'oauth') return {state: 'own-sign-in', method: 'oauth'};
  if (connection.headers.Authorization === SIGNED_OUT) return {state: 'signed-out', method: 'header'};
  const expiresAt = expiryOf(bearerIn(connection));
  return {state: 'token', method: 'header', ...(expiresAt === undefined ? {} : {expiresAt})};
};
