import type {Method} from '../domain/context.ts';
import {isSamePath} from '../domain/paths.ts';
import type {Place} from './place.ts';

/**
 * How a client stands to what a project's file names: it starts it; it does not know the folder as one to trust; it knows
 * it, and has not been told to use the servers; it has been told not to.
 */
export type Standing = 'trusted' | 'untrusted' | 'unapproved' | 'refused';

/** A project's entries, about which the client asks the person. */
export type TrustQuestion = {
  readonly place: Place;
  /** The project's directory, absolute. */
  readonly folder: string;
  /** The root of the git repository that it is in, where it is in one. */
  readonly repository?: string;
  readonly names: readonly string[];
  readonly method: Method;
};

/** Where a client keeps what the person answered. It is read here and never written: trust is the person's to give. */
export type Trust = {
  readonly language: 'JSON' | 'TOML';
  /** Absolute paths. */
  files(question: TrustQuestion): readonly string[];
  /** The command that takes a refusal back, in the project's directory. */
  readonly forgets?: string;
  /** The command that approves one entry, whose name comes behind it; absent where the client asks by itself. */
  readonly approves?: string;
  /** @param values what stands in the files, in their order; undefined for one that is not there, or does not parse */
  standing(values: readonly unknown[], question: TrustQuestion): Standing;
};

/** What stands under a path of keys. */
export const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined,
    value,
  );

/** What stands under a directory, however its name is written. */
export const atFolder = (value: unknown, folder: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => isSamePath(key, folder))?.[1];
};

/** The texts in a list that may be none. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
