import type {Method} from '../domain/context.ts';
import {isSamePath} from '../domain/paths.ts';
import type {Place} from './place.ts';

/**
 * What a client does with the servers of a project's file. `trusted`: it starts them. `untrusted`: the folder is not
 * trusted yet. `unapproved`: the folder is trusted, but the servers are not approved yet. `refused`: the person said
 * no.
 */
export type TrustState = 'trusted' | 'untrusted' | 'unapproved' | 'refused';

/** The entries of a project for which the client asks the person for trust. */
export type TrustQuestion = {
  readonly place: Place;
  /** The project's directory, absolute. */
  readonly folder: string;
  /** The root of the git repository that contains the folder; absent outside a repository. */
  readonly repository?: string;
  readonly names: readonly string[];
  readonly method: Method;
};

/**
 * The files in which a client stores the person's answers. They are read here and never written: only the person can
 * give trust.
 */
export type Trust = {
  readonly language: 'JSON' | 'TOML';
  /** Absolute paths. */
  files(question: TrustQuestion): readonly string[];
  /** The command that takes back a refusal, run in the project's directory. */
  readonly forgets?: string;
  /** The command that approves one entry; the entry's name is appended. Absent if the client asks by itself. */
  readonly approves?: string;
  /**
   * Returns what the client does with the entries, according to the person's answers.
   *
   * @param values the contents of the files, in their order; undefined for a file that does not exist or does not parse
   */
  standing(values: readonly unknown[], question: TrustQuestion): TrustState;
};

/** Returns the value under a path of keys. */
export const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined,
    value,
  );

/** Returns the value whose key is this directory, in any spelling of the path. */
export const atFolder = (value: unknown, folder: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => isSamePath(key, folder))?.[1];
};

/** Returns the strings in a list; empty if the value is not a list. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
