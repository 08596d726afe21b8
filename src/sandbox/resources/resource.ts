import type {Kind} from './kinds.ts';

export type Resource = {
  /** A UUID; what the observability tools take. */
  readonly uid: string;
  readonly kind: Kind;
  /** Unique among the resources of its kind that belong to the same parent. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly parentUid?: string;
  /** The kind's own fields, named as requests name them. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly createdAt: string;
};

/** A request that the resources as they are do not allow. The message is meant for whoever made it. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
}
