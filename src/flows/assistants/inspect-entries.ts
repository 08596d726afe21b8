import {posix, win32} from 'node:path';
import type {Assistant} from '../../assistants/assistant.ts';
import {bearerIn, type Connection} from '../../assistants/connection.ts';
import {isOff} from '../../assistants/formats/choices.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, ContextEntry, Method} from '../../domain/context.ts';
import {SIGNED_OUT} from '../../domain/credentials.ts';
import type {McpEntry} from '../../domain/mcp-servers.ts';
import {expiryOf} from '../../domain/tokens.ts';
import type {ToolPreset} from '../../domain/tool-sets.ts';
import type {Ports} from '../../ports/ports.ts';
import {nameFor, toolsIn} from './assistant-entry.ts';
import {createEntryReader, type EntryReader} from './assistant-file.ts';
import {givenToEach} from './given-entries.ts';
import {ownershipIn, serversOf} from './ownership.ts';

/** What Bun and Deno are told before the program. */
const forRuntime = /^(run|-.*)$/;

/** A word of a command line, in quotes or without. */
const word = /'([^']*)'|"([^"]*)"|([^\s'"]+)/g;

/** Tells which file an entry starts that is not there any more. */
export type GoneProgram = (connection: Connection | undefined) => Promise<string | undefined>;

/**
 * Looks for the files that entries start: the Node that one names, and this program's launcher, of which either is gone
 * when a cache was cleaned, Node upgraded or a project removed. It tells undefined where both are there, where none is
 * named by an absolute path of this system, and of an entry that is not this program's. Most entries name the same two,
 * and each is looked for once.
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
  // What somebody else has put there is another matter, and is told as such.
  return /[\\/]bin[\\/]setup\.js$/.test(launcher) ? [command, launcher].filter(isAbsolute) : [];
};

const wordsIn = (connection: Connection | undefined): readonly string[] => {
  if (connection?.kind === 'command') return [connection.command, ...connection.args];
  if (connection?.kind !== 'helper') return [];
  return Array.from(connection.helper.matchAll(word), found => found[1] ?? found[2] ?? found[3] ?? '');
};

/** How one entry of a context stands in an assistant's file now. */
export type EntryStanding = {
  readonly assistant: string;
  readonly name: string;
  readonly path: string;
  readonly scope: ContextEntry['scope'];
  /** How it is kept signed in, as the file has it; absent when the entry is gone, or of none of our shapes. */
  readonly method?: Method;
  /** Which tools it has, as the file has it; absent for all of them. */
  readonly tools?: ToolPreset;
  /** When the token in it ends, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Set where the person has switched it off in the assistant. */
  readonly isOff?: true;
  /** The file that it starts and that is not there, where `state` is `program-gone`. */
  readonly program?: string;
  /**
   * `signed-out`: a sign-out took the token out of it. `own-sign-in`: the assistant signs in by itself. `given`: it is in a
   * file of the organisation's. `changed`: the person has made it their own.
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

/** Looks at every entry of a context, without network. A file that cannot be read is told as such. */
export const inspectEntries = (
  context: Context,
  assistants: readonly Assistant[],
  ports: Ports,
): Promise<readonly EntryStanding[]> => inspectWith(looksAt(ports), context, assistants);

/** The same for many contexts, whose entries mostly stand in the same files: each is read once. */
export const inspectContexts = (
  contexts: readonly Context[],
  assistants: readonly Assistant[],
  ports: Ports,
): Promise<readonly (readonly EntryStanding[])[]> => {
  const looks = looksAt(ports);
  return Promise.all(contexts.map(context => inspectWith(looks, context, assistants)));
};

/** The entries of each context that an organisation has given the assistants of this machine, in the order of the contexts. */
export const inspectGiven = async (
  contexts: readonly Context[],
  where: {readonly assistants: readonly Assistant[]; readonly place: Place},
  ports: Ports,
): Promise<readonly (readonly EntryStanding[])[]> => {
  const wanted = contexts.map(context => ({context: context.name, entries: serversOf(context)}));
  const found = await givenToEach(wanted, where, ports);
  return found.map(given =>
    given.map(({assistant, name, path, connection}) => ({
      ...{assistant: assistant.name, name, path, scope: 'user'},
      ...standingOf(connection),
      state: 'given',
    })),
  );
};

/** What is looked at on the disk, each file once. */
type Looks = {readonly entriesOf: EntryReader; readonly goneProgram: GoneProgram};

const looksAt = (ports: Ports): Looks => ({
  entriesOf: createEntryReader(ports),
  goneProgram: createGoneProgram(ports),
});

const inspectWith = async (
  {entriesOf, goneProgram}: Looks,
  context: Context,
  assistants: readonly Assistant[],
): Promise<readonly EntryStanding[]> => {
  const {entries = []} = context;
  const servers = serversOf(context);
  const standings = await Promise.all(
    entries.map(async ({assistant: id, path, names, scope}) => {
      const assistant = assistants.find(one => one.id === id);
      const present = assistant ? await entriesOf(assistant, path).catch(() => undefined) : undefined;
      const ownership = ownershipIn([context], path);
      const standing = async (name: string): Promise<EntryStanding> => {
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

const narrowingOf = (
  connection: Connection | undefined,
  server: McpEntry | undefined,
): Pick<EntryStanding, 'tools'> => {
  const tools = connection && server ? toolsIn(connection, server) : undefined;
  return tools === undefined || tools === 'all' ? {} : {tools};
};

const standingOf = (connection: Connection | undefined): Pick<EntryStanding, 'state' | 'method' | 'expiresAt'> => {
  if (!connection) return {state: 'missing'};
  if (connection.kind === 'command') return {state: 'kept', method: 'bridge'};
  if (connection.kind === 'helper') return {state: 'kept', method: 'helper'};
  if (connection.kind === 'oauth') return {state: 'own-sign-in', method: 'oauth'};
  if (connection.headers.Authorization === SIGNED_OUT) return {state: 'signed-out', method: 'header'};
  const expiresAt = expiryOf(bearerIn(connection));
  return {state: 'token', method: 'header', ...(expiresAt === undefined ? {} : {expiresAt})};
};
