import type {z} from 'zod';
import type {platformSchema} from './descriptor-schema.ts';

/**
 * How the services of one deployment are distributed. In the multi-cluster layout the observer has a plane of its own.
 */
export type Layout = 'single' | 'multi';

/** The services of a deployment. */
export type Service = 'control-plane' | 'identity-provider' | 'observer';

type Fixed<T> = T extends object ? {readonly [K in keyof T]: Fixed<T[K]>} : T;

type Described = Fixed<z.infer<typeof platformSchema>>;

/** The facts about a kind of platform that hold for all its deployments. The schema describes each field. */
export type Platform = Described & {
  /** The changes that a company file makes to the kind that `id` names. */
  readonly changes?: PlatformChanges;
};

type Changes<T> = T extends readonly unknown[] ? T : T extends object ? {readonly [K in keyof T]?: Changes<T[K]>} : T;

/** The differences of a company's platform from the descriptor of its kind. */
export type PlatformChanges = Changes<Omit<Described, 'id' | 'releases' | 'roles' | 'ownCli'>>;

/** The facts about one release. */
export type Release = Platform['releases'][number];

/**
 * Returns a kind of platform with a company's changes: members of objects are changed one by one, lists and texts as a
 * whole. The result also keeps the changes themselves, to be saved with a deployment.
 */
export const changed = (platform: Platform, changes: PlatformChanges): Platform => ({
  ...(merged(platform, changes) as Platform),
  changes,
});

/** Merges two changes. The second takes precedence. */
export const withChanges = (first: PlatformChanges, second: PlatformChanges): PlatformChanges =>
  merged(first, second) as PlatformChanges;

const merged = (value: unknown, change: unknown): unknown => {
  if (!isObject(value) || !isObject(change)) return change;
  const entries = Object.entries(change).map(([key, own]) => [key, merged(value[key], own)]);
  return {...value, ...Object.fromEntries(entries)};
};

/** Returns the members of `other` that differ from those of `one`; undefined if there are none. */
export const differences = (one: unknown, other: unknown): unknown => {
  if (!isObject(one) || !isObject(other)) return isSame(one, other) ? undefined : other;
  const entries = Object.entries(other)
    .map(([key, value]) => [key, differences(one[key], value)] as const)
    .filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
};

/** Returns each changed value that is not an object, with its dotted path. */
export const leavesOf = (changes: unknown, path: readonly string[] = []): readonly Leaf[] =>
  isObject(changes)
    ? Object.entries(changes).flatMap(([key, value]) => leavesOf(value, [...path, key]))
    : [{path: path.join('.'), value: changes}];

export type Leaf = {readonly path: string; readonly value: unknown};

/** Whether two values have the same JSON text. The order of their members matters. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
