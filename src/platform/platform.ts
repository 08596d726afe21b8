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
