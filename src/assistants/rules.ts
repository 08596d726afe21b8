import {isWithin} from '../domain/paths.ts';
import type {Connection} from './connection.ts';
import {recordIn} from './formats/connections.ts';
import type {Place} from './place.ts';
import {at, textsIn} from './trust.ts';

/** An entry that rules may forbid a client to use. */
export type RuledEntry = {readonly name: string; readonly connection: Connection};

/**
 * The files in which an organisation, or the person, says which servers a client may use. They are read here, never
 * written.
 */
export type Rules = {
  readonly language: 'JSON' | 'TOML';
  /** Absolute paths. */
  files(place: Place): readonly string[];
  /** True if every file is the organisation's, even one that lies in the person's home. */
  readonly isOfOrganisation?: true;
  /** Returns a directory whose JSON files also contain rules. They are read after `files`. */
  directory?(place: Place): string;
  /**
   * Returns the entries, by name, that these files provide to everyone, without an entry in the person's own file.
   * Absent if the client has no such file. `blocks` applies to these entries too.
   */
  gives?(values: readonly unknown[]): Readonly<Record<string, unknown>>;
  /**
   * Whether the rules forbid the client to use an entry.
   *
   * @param values the contents of the files, in their order; undefined for a file that does not exist or does not parse
   */
  blocks(values: readonly unknown[], entry: RuledEntry): boolean;
};

/** Returns whose rules a file contains, in words: those of a file in the person's home are usually their own. */
export const ruleMaker = (
  path: string,
  rules: Pick<Rules, 'isOfOrganisation'> | undefined,
  {home}: Pick<Place, 'home'>,
): string => (isWithin(path, home) && !rules?.isOfOrganisation ? 'your own settings' : 'your organisation');

/** Whether a list entry refers to this server: by its name, its address, or its command. */
export const isAbout = (listed: unknown, {name, connection}: RuledEntry): boolean => {
  if (at(listed, 'serverName') === name) return true;
  if (connection.kind !== 'command') return isLike(connection.url, at(listed, 'serverUrl'));
  const command = at(listed, 'serverCommand');
  const started = [connection.command, ...connection.args];
  return Array.isArray(command) && command.length === started.length && started.every((part, i) => part === command[i]);
};

/** Whether an address matches a pattern, in which each star stands for any text. */
const isLike = (url: string, pattern: unknown): boolean => {
  if (typeof pattern !== 'string') return false;
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return url === pattern;
  const last = others.pop() ?? '';
  let from = first.length;
  for (const part of others) {
    const found = url.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return url.startsWith(first) && url.length - last.length >= from && url.endsWith(last);
};

/** Returns the list entries under `key` from all these values; undefined if none has such a list. */
export const listedIn = (values: readonly unknown[], key: string): readonly unknown[] | undefined => {
  const lists = values.map(value => at(value, key)).filter(list => Array.isArray(list));
  return lists.length === 0 ? undefined : lists.flat();
};

/** Returns the entries under a key of a file; empty if it has none. */
export const entriesAt = (value: unknown, key: string): Readonly<Record<string, unknown>> =>
  recordIn(at(value, key)) ?? {};

/**
 * Returns the entries for everyone under a key of these files, by name. If several files have an entry, the last one
 * wins.
 */
export const entriesForEveryone = (values: readonly unknown[], key: string): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...values.map(value => entriesAt(value, key)));

/**
 * Whether a file for everyone, which a client merges over the person's own, changes this entry: switches it off, or
 * leads it elsewhere. Members that such a file does not contain stay as the person has them.
 *
 * @param off the key that switches an entry off, and the value that does so
 */
export const isOverruled = (
  values: readonly unknown[],
  key: string,
  {name, connection}: RuledEntry,
  off?: readonly [key: string, value: boolean],
): boolean =>
  values.some(value => {
    const rule = recordIn(at(value, key, name));
    if (!rule) return false;
    if (off && rule[off[0]] === off[1]) return true;
    const {url, httpUrl = url, command} = rule;
    if (connection.kind !== 'command') return command !== undefined || (httpUrl ?? connection.url) !== connection.url;
    const [program, ...args] = Array.isArray(command) ? command : [command, ...textsIn(rule.args)];
    const started = JSON.stringify([connection.command, ...connection.args]);
    return httpUrl !== undefined || (command !== undefined && JSON.stringify([program, ...args]) !== started);
  });
