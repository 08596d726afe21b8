import type {z} from 'zod';
import type {platformSchema} from './descriptor-schema.ts';

/** How the services of one deployment are spread. In the multi-cluster layout the observer has a plane of its own. */
export type Layout = 'single' | 'multi';

/** The services that a deployment is made of. */
export type Service = 'control-plane' | 'identity-provider' | 'observer';

type Fixed<T> = T extends object ? {readonly [K in keyof T]: Fixed<T[K]>} : T;

type Described = Fixed<z.infer<typeof platformSchema>>;

/** What is known of a kind of platform before any of its deployments is looked at. The schema says what each field is. */
export type Platform = Described & {
  /** What a company file has changed of the kind that its `id` names. */
  readonly changes?: PlatformChanges;
};

type Changes<T> = T extends readonly unknown[] ? T : T extends object ? {readonly [K in keyof T]?: Changes<T[K]>} : T;

/** What is otherwise at a company than in the descriptor of its kind of platform. */
export type PlatformChanges = Changes<Omit<Described, 'id' | 'releases' | 'roles' | 'ownCli'>>;

/** What is known of one of its releases. */
export type Release = Platform['releases'][number];

/**
 * A kind of platform as a company runs it: members of objects are changed one by one, lists and texts as a whole. What was
 * changed stays with it, to be saved with a deployment.
 */
export const changed = (platform: Platform, changes: PlatformChanges): Platform => ({
  ...(merged(platform, changes) as Platform),
  changes,
});

/** The second on top of the first. */
export const withChanges = (first: PlatformChanges, second: PlatformChanges): PlatformChanges =>
  merged(first, second) as PlatformChanges;

const merged = (value: unknown, change: unknown): unknown => {
  if (!isObject(value) || !isObject(change)) return change;
  const entries = Object.entries(change).map(([key, own]) => [key, merged(value[key], own)]);
  return {...value, ...Object.fromEntries(entries)};
};

/** The members of `other` that are not as in `one`; undefined where there are none. */
export const differences = (one: unknown, other: unknown): unknown => {
  if (!isObject(one) || !isObject(other)) return isSame(one, other) ? undefined : other;
  const entries = Object.entries(other)
    .map(([key, value]) => [key, differences(one[key], value)] as const)
    .filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
};

/** Each text or list that is changed, by the names that lead to it. */
export const leavesOf = (changes: unknown, path: readonly string[] = []): readonly Leaf[] =>
  isObject(changes)
    ? Object.entries(changes).flatMap(([key, value]) => leavesOf(value, [...path, key]))
    : [{path: path.join('.'), value: changes}];

export type Leaf = {readonly path: string; readonly value: unknown};

/** Whether two values are the same as JSON, whatever the order of their members. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
