import {isWithin} from '../domain/paths.ts';
import type {Connection} from './connection.ts';
import {recordIn} from './formats/connections.ts';
import type {Place} from './place.ts';
import {at, textsIn} from './trust.ts';

/** An entry that a client may be kept from using. */
export type RuledEntry = {readonly name: string; readonly connection: Connection};

/** Where an organisation, or the person, says which servers a client may use. Read here, never written. */
export type Rules = {
  readonly language: 'JSON' | 'TOML';
  /** Absolute paths. */
  files(place: Place): readonly string[];
  /** A directory whose JSON files count too, after those. */
  directory?(place: Place): string;
  /**
   * The entries, by name, that these files give everybody without anything in a file of the person's; absent where no file
   * does. What `blocks` says counts for them too.
   */
  gives?(values: readonly unknown[]): Readonly<Record<string, unknown>>;
  /** @param values what stands in the files, in their order; undefined for one that is not there, or does not parse */
  blocks(values: readonly unknown[], entry: RuledEntry): boolean;
};

/** Whose rules stand in a file: an organisation's are never in the person's home. */
export const ruleMaker = (path: string, {home}: Pick<Place, 'home'>): string =>
  isWithin(path, home) ? 'your own settings' : 'your organisation';

/** Whether one entry of a list is about this server: by its name, its address, or what is started. */
export const isAbout = (listed: unknown, {name, connection}: RuledEntry): boolean => {
  if (at(listed, 'serverName') === name) return true;
  if (connection.kind !== 'command') return isLike(connection.url, at(listed, 'serverUrl'));
  const command = at(listed, 'serverCommand');
  const started = [connection.command, ...connection.args];
  return Array.isArray(command) && command.length === started.length && started.every((part, i) => part === command[i]);
};

/** Whether an address fits a pattern, in which each star stands for anything. */
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

/** The entries of a list in these values, from all of them; undefined where none has it. */
export const listedIn = (values: readonly unknown[], key: string): readonly unknown[] | undefined => {
  const lists = values.map(value => at(value, key)).filter(list => Array.isArray(list));
  return lists.length === 0 ? undefined : lists.flat();
};

/** The entries under a key of a file; none where it has none. */
export const entriesAt = (value: unknown, key: string): Readonly<Record<string, unknown>> =>
  recordIn(at(value, key)) ?? {};

/** The entries for everybody under a key of these files, by name; the last file that has one counts. */
export const givenIn = (values: readonly unknown[], key: string): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...values.map(value => entriesAt(value, key)));

/**
 * Whether a file for everybody that a client puts over the person's own has this entry in another form: it switches it
 * off, or leads it elsewhere. What such a file does not say of an entry stays as the person has it.
 *
 * @param off the key by which an entry is switched off, and its value then
 */
export const isOverruled = (
  values: readonly unknown[],
  key: string,
  {name, connection}: RuledEntry,
  off?: readonly [key: string, value: boolean],
): boolean =>
  values.some(value => {
    const given = recordIn(at(value, key, name));
    if (!given) return false;
    if (off && given[off[0]] === off[1]) return true;
    const {url, httpUrl = url, command} = given;
    if (connection.kind !== 'command') return command !== undefined || (httpUrl ?? connection.url) !== connection.url;
    const [program, ...args] = Array.isArray(command) ? command : [command, ...textsIn(given.args)];
    const started = JSON.stringify([connection.command, ...connection.args]);
    return httpUrl !== undefined || (command !== undefined && JSON.stringify([program, ...args]) !== started);
  });
