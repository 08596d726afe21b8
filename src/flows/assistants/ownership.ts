import type {EntryShape} from '../../assistants/assistant.ts';
import type {Connection} from '../../assistants/connection.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {SIGNED_OUT} from '../../domain/credentials.ts';
import type {McpEntry} from '../../domain/mcp-servers.ts';
import {isSamePath} from '../../domain/paths.ts';
import {digestOf, membersOf, type WrittenEntry} from '../../domain/written-entry.ts';
import {platformOfDeployment, platforms} from '../../platform/platforms.ts';
import {savedEntriesOf} from '../saved-entries.ts';
import {leadsTo, nameFor} from './assistant-entry.ts';

/** An entry, by its name and as the file has it. */
type Present = {readonly name: string; readonly entry: unknown};

/** Tells which of the entries in one file are this program's. */
export type Ownership = {
  /** Returns what this program wrote for an entry, the latest first; empty if that is not known. */
  written(name: string): readonly WrittenEntry[];
  /** Whether any context has a record of an entry of this name in the file. */
  isKnown(name: string): boolean;
  /**
   * Whether an entry is ours: its name is recorded, and it leads where this program made it lead, with the token that
   * this program put there. The rest of it does not matter. Everything that renews, clears, replaces or removes an
   * entry asks this.
   */
  isOurs(present: Present, assistant: Reads): boolean;
};

/** The parts of an assistant that are needed here. */
type Reads = {readonly entry: Pick<EntryShape, 'read'>; readonly names: Parameters<typeof nameFor>[1]};

/**
 * Returns the ownership of the entries in a file.
 *
 * @param contexts all known contexts
 * @param path the path of the file
 */
export const ownershipIn = (contexts: readonly Context[], path: string): Ownership => {
  const recorded = contexts.flatMap(context =>
    (context.entries ?? []).flatMap(record => (isSamePath(record.path, path) ? [{context, record}] : [])),
  );
  const recordsOf = (name: string) => recorded.filter(({record}) => record.names.includes(name));
  const written: Ownership['written'] = name => recordsOf(name).flatMap(({record}) => writtenIn(record, name));
  return {
    written,
    isKnown: name => recordsOf(name).length > 0,
    isOurs: ({name, entry}, {entry: shape, names}) => {
      const connection = shape.read(entry);
      const writtenForms = written(name);
      // Another assistant that shares the file may read the entry in another way.
      if (writtenForms.some(one => isWhole(entry, one))) return true;
      if (!connection) return false;
      if (writtenForms.length > 0) return writtenForms.some(one => isAsWritten(connection, one));
      // There is no record of what was written: then the entry is ours if it leads to the recorded context's server.
      return recordsOf(name).some(({context}) => {
        const server = serversOf(context).find(({label}) => nameFor(label, names) === name);
        return !server || leadsTo(connection, server, context.name);
      });
    },
  };
};

const writtenIn = ({written}: ContextEntry, name: string): readonly WrittenEntry[] =>
  written && Object.hasOwn(written, name) ? (written[name] ?? []) : [];

/** Returns the servers of a context; none if its kind of platform is unknown. */
export const serversOf = (context: Context): readonly McpEntry[] => {
  const isKnown = platforms.some(({id}) => id === context.platform);
  return isKnown ? savedEntriesOf(context, platformOfDeployment(context)) : [];
};

/** Returns the record of an entry that is written; undefined if the entry cannot be read. */
export const writtenOf = (entry: object, {read}: Pick<EntryShape, 'read'>): WrittenEntry | undefined => {
  const connection = read(entry);
  if (!connection) return undefined;
  const authorization = authorizationIn(connection);
  const members = [...membersOf(entry)].map(([pointer, value]) => [pointer, digestOf(value)] as const);
  return {
    connection: digestOf(placeOf(connection)),
    ...(authorization === undefined ? {} : {authorization: digestOf(authorization)}),
    members: Object.fromEntries(members),
  };
};

/** Whether a connection is as it was written, or as a sign-out left it. */
const isAsWritten = (connection: Connection, written: WrittenEntry): boolean => {
  if (digestOf(placeOf(connection)) !== written.connection) return false;
  const authorization = authorizationIn(connection);
  if (authorization === undefined || written.authorization === undefined)
    return (authorization === undefined) === (written.authorization === undefined);
  return authorization === SIGNED_OUT || digestOf(authorization) === written.authorization;
};

/** Whether every recorded member is as it was written. */
const isWhole = (entry: unknown, {members}: WrittenEntry): boolean => {
  const found = membersOf(entry);
  const pointers = Object.keys(members);
  return pointers.length > 0 && pointers.every(one => found.has(one) && digestOf(found.get(one)) === members[one]);
};

const authorizationIn = (connection: Connection): string | undefined =>
  connection.kind === 'header' ? connection.headers.Authorization : undefined;

/** Returns the parts that decide where a connection leads. Its variables and headers are not among them. */
const placeOf = (connection: Connection): readonly unknown[] => {
  const {kind} = connection;
  if (kind === 'command') return [kind, connection.command, connection.args];
  if (kind === 'helper') return [kind, connection.url, connection.helper];
  return kind === 'oauth' ? [kind, connection.url, connection.clientId] : [kind, connection.url];
};

/** Says that entries stay as they are, without a full stop. */
export const leftAlone = (path: string, names: readonly string[]): string => {
  const [has, stays] = names.length === 1 ? ['has', 'stays as it is'] : ['have', 'stay as they are'];
  const which = names.map(name => `“${name}”`).join(' and ');
  return `${which} in ${path} ${has} been changed since this program wrote ${names.length === 1 ? 'it' : 'them'}, and ${stays}`;
};
