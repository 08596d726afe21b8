import {sha256} from './fingerprint.ts';

/**
 * Digests of what this program wrote of an entry: the connection, and each member by its JSON pointer (RFC 6901). They
 * distinguish an unchanged entry from one that the person has edited.
 */
export type WrittenEntry = {
  /** Digest of the connection, without the token in it. */
  readonly connection: string;
  /** Digest of the Authorization header, if the entry has one. */
  readonly authorization?: string;
  readonly members: Readonly<Record<string, string>>;
};

/**
 * The written entries of a file, by their names, each with its digests. The newest digests come first. The previous
 * ones stay valid too, because a write may not finish.
 */
export type WrittenEntries = Readonly<Record<string, readonly WrittenEntry[]>>;

/** Returns a digest that distinguishes two values without revealing them. The order of members does not matter. */
export const digestOf = (value: unknown): string =>
  sha256(JSON.stringify(value, sorted) ?? '', 'base64url').slice(0, 16);

const sorted = (_key: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Returns the members of an entry by their pointers. A list is one member; so is a map without members. */
export const membersOf = (entry: unknown, above = ''): ReadonlyMap<string, unknown> => {
  if (!isRecord(entry)) return new Map([[above, entry]]);
  const members = Object.entries(entry);
  if (members.length === 0 && above !== '') return new Map([[above, entry]]);
  return new Map(members.flatMap(([key, value]) => [...membersOf(value, pointerTo(above, key))]));
};

/** Returns the pointer to a member, given the pointer to its parent. */
export const pointerTo = (above: string, key: string): string =>
  `${above}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Whether a value is a map, whatever its prototype. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
