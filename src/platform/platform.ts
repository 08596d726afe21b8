import type {z} from 'zod';
import type {platformSchema} from './descriptor-schema.ts';

/** How the services of one deployment are spread. In the multi-cluster layout the observer has a plane of its own. */
export type Layout = 'single' | 'multi';

/** The services that a deployment is made of. */
export type Service = 'control-plane' | 'identity-provider' | 'observer';

type Fixed<T> = T extends object ? {readonly [K in keyof T]: Fixed<T[K]>} : T;

/** What is known of a kind of platform before any of its deployments is looked at. The schema says what each field is. */
export type Platform = Fixed<z.infer<typeof platformSchema>>;

/** What is known of one of its releases. */
export type Release = Platform['releases'][number];
