import {sha256} from './fingerprint.ts';

/**
 * What this program wrote of an entry, without a value: where the entry leads, and each member by its JSON pointer
 * (RFC 6901), as digests. By it an entry that nobody changed is told from one that a person made their own.
 */
export type WrittenEntry = {
  /** Of the connection, without the token in it. */
  readonly connection: string;
  /** Of the Authorization header, where the entry has one. */
  readonly authorization?: string;
  readonly members: Readonly<Record<string, string>>;
};

/** What was written of the entries in a file, by their names. The last first; the one before it counts until the file is written. */
export type WrittenEntries = Readonly<Record<string, readonly WrittenEntry[]>>;

/** Tells two values apart without being one. The order of members does not count. */
export const digestOf = (value: unknown): string =>
  sha256(JSON.stringify(value, sorted) ?? '', 'base64url').slice(0, 16);

const sorted = (_key: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** The members of an entry by their pointers. A list is one member; a map without members is one as well. */
export const membersOf = (entry: unknown, above = ''): ReadonlyMap<string, unknown> => {
  if (!isRecord(entry)) return new Map([[above, entry]]);
  const members = Object.entries(entry);
  if (members.length === 0 && above !== '') return new Map([[above, entry]]);
  return new Map(members.flatMap(([key, value]) => [...membersOf(value, pointerTo(above, key))]));
};

/** The pointer to a member of what another one leads to. */
export const pointerTo = (above: string, key: string): string =>
  `${above}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Whether a value is a map, with whichever prototype. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
