import type {Scope} from '../../domain/context.ts';
import {SIGNED_OUT} from '../../domain/credentials.ts';
import {digestOf, isRecord, membersOf, pointerTo, type WrittenEntry} from '../../domain/written-entry.ts';
import type {EntryShape} from '../assistant.ts';
import {choiceKeys, isOff} from './choices.ts';

/** An entry of ours as found in a file. */
type Present = {
  readonly entry: unknown;
  /** Digests of what this program wrote of it, the newest first; empty if unknown. */
  readonly written: readonly WrittenEntry[];
  readonly scope: Scope;
};

/**
 * Returns an entry of ours as renewed. Members that this program wrote get the values of the new entry; all others stay
 * (see `ownershipOf`). In a project's file, members that change how the program is started come from the new entry only,
 * since such a file also comes from other people.
 */
export const renewedEntry = (entry: object, present: Present, shape: EntryShape): object => {
  if (!isRecord(present.entry)) return entry;
  const isOurs = ownershipOf(present, shape);
  const keys = present.scope === 'project' ? startKeys(shape) : [];
  const found = Object.fromEntries(Object.entries(present.entry).filter(([key]) => !keys.includes(key)));
  return merged(found, entry as Readonly<Record<string, unknown>>, isOurs, '');
};

/** Returns the keys that change how a program is started. */
const startKeys = ({preservedInOwnFile = ['env', 'cwd']}: Pick<EntryShape, 'preservedInOwnFile'>): readonly string[] =>
  preservedInOwnFile;

type IsOurs = (pointer: string, value: unknown) => boolean;

const merged = (
  present: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  isOurs: IsOurs,
  above: string,
): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  const put = (key: string, value: unknown) =>
    Object.defineProperty(result, key, {value, enumerable: true, writable: true, configurable: true});
  for (const [key, value] of Object.entries(present)) {
    const pointer = pointerTo(above, key);
    const isWanted = Object.hasOwn(wanted, key);
    const next = isWanted ? wanted[key] : undefined;
    if (isRecord(value) && Object.keys(value).length > 0 && (!isWanted || isRecord(next))) {
      const inner = merged(value, isRecord(next) ? next : {}, isOurs, pointer);
      if (isWanted || Object.keys(inner).length > 0) put(key, inner);
    } else if (!isOurs(pointer, value)) put(key, value);
    else if (isWanted) put(key, next);
  }
  for (const [key, value] of Object.entries(wanted)) if (!Object.hasOwn(present, key)) put(key, value);
  return result;
};

/**
 * Determines which members of an entry this program wrote. By the record, those that were not changed since. Without a
 * record, those that it writes for this assistant, except the keys that a person may choose, and the one with which they
 * have switched the entry off.
 */
const ownershipOf = ({entry, written, scope}: Present, shape: EntryShape): IsOurs => {
  if (written.length > 0) {
    return (pointer, value) =>
      written.some(({members}) => Object.hasOwn(members, pointer) && members[pointer] === digestOf(value)) ||
      value === SIGNED_OUT;
  }
  const own = writtenIn(shape);
  const chosen = [...choiceKeys(shape, scope), ...(isOff(entry, shape) && shape.off ? [shape.off[0]] : [])];
  const choices = new Set(chosen.map(key => pointerTo('', key)));
  return pointer => own.has(pointer) && !choices.has(`/${pointer.split('/')[1] ?? ''}`);
};

/** Returns the pointers of all members that this program writes for an assistant, with any method. */
const writtenIn = (shape: EntryShape): ReadonlySet<string> => {
  const at = {name: 'name', scope: 'user', system: 'linux', url: 'https://example.com'} as const;
  const samples = [
    shape.header?.({...at, authorization: 'Bearer token'}),
    shape.helper?.({...at, command: ['node']}),
    shape.oauth?.({...at, clientId: 'client'}),
    shape.command({...at, command: 'node', args: []}),
  ];
  return new Set(samples.flatMap(sample => (sample ? [...membersOf(sample).keys()] : [])));
};
