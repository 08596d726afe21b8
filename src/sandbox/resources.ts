import {randomUUID} from 'node:crypto';
import {z} from 'zod';

export type ResourceKind = 'organization' | 'project' | 'component' | 'deployment' | 'infrastructure';

export type KindDefinition = {
  readonly plural: string;
  /** A sentence about this kind of resource, for the tools' descriptions. */
  readonly summary: string;
  /** The kind that each resource of this kind belongs to. */
  readonly parent?: ResourceKind;
  /** Fields besides the name and the texts, as in a request. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Fields that hold the UID of another resource, with the kind of that resource. */
  readonly references?: Readonly<Record<string, ResourceKind>>;
  /** The status of a new resource. */
  readonly status: string;
};

/** A UID in a request. Upper case is accepted, and compared as lower case (RFC 9562 4). */
export const uuid = z.uuid().toLowerCase();

/**
 * Every kind of resource that the control plane manages (platform access 1.1). Tools and checks are derived from this
 * table.
 */
export const kinds: {readonly [K in ResourceKind]: KindDefinition} = {
  organization: {
    plural: 'organizations',
    summary: 'An organization owns projects and the infrastructure that they run on.',
    fields: {},
    status: 'Ready',
  },
  project: {
    plural: 'projects',
    summary: 'A project groups the components of one application.',
    parent: 'organization',
    fields: {
      deployment_pipeline: z.string().default('default').describe('Name of the pipeline that promotes its components'),
    },
    status: 'Unknown',
  },
  component: {
    plural: 'components',
    summary: 'A component is a unit that is built and deployed: a service, a web application, a scheduled task.',
    parent: 'project',
    fields: {
      type: z
        .enum(['deployment/service', 'deployment/web-application', 'cronjob/scheduled-task'])
        .default('deployment/service')
        .describe('What kind of workload it is'),
      auto_deploy: z.boolean().default(true).describe('Whether each new build is deployed by itself'),
    },
    status: 'Created',
  },
  deployment: {
    plural: 'deployments',
    summary: 'A deployment is one component running in one environment.',
    parent: 'component',
    fields: {
      environment_uid: uuid.describe('UID of the infrastructure (an environment) that it runs in'),
      image: z.string().min(1).describe('Container image with its tag or digest'),
      replicas: z.int().min(0).max(100).default(1).describe('How many instances run'),
    },
    references: {environment_uid: 'infrastructure'},
    status: 'Active',
  },
  infrastructure: {
    plural: 'infrastructure',
    summary: 'Infrastructure is what deployments need: environments, data planes, gateways.',
    parent: 'organization',
    fields: {
      type: z.enum(['environment', 'data-plane', 'gateway']).default('environment').describe('What it is'),
      production: z.boolean().default(false).describe('Whether it serves production'),
    },
    status: 'Ready',
  },
};

export const kindNames: readonly ResourceKind[] = [
  'organization',
  'project',
  'component',
  'deployment',
  'infrastructure',
];

/** Returns the field of a resource that holds the UID of its parent. */
export const parentField = (kind: ResourceKind) => {
  const {parent} = kinds[kind];
  return parent && `${parent}_uid`;
};

export type Resource = {
  /** A UUID, which the observability tools take. */
  readonly uid: string;
  readonly kind: ResourceKind;
  /** Unique among the resources of the same kind and parent. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly parentUid?: string;
  /** The kind's own fields, named as in requests. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly createdAt: string;
};

/** Thrown for a request that the existing resources do not allow. The message is for the client. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
}

export type NewResource = {
  readonly uid?: string;
  readonly kind: ResourceKind;
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly parentUid?: string | undefined;
  readonly attributes?: Resource['attributes'];
  /** Its status, unless it is that of every new resource of its kind. */
  readonly status?: string;
  readonly createdAt?: string;
};

export type ResourceChange = {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly attributes?: Resource['attributes'];
};

/** The resources of a running sandbox. A change that does not fit throws ResourceError and changes nothing. */
export type ResourceStore = {
  /** Returns all resources of a kind, or those of one parent, in order of creation. */
  list(kind: ResourceKind, parentUid?: string): readonly Resource[];
  get(kind: ResourceKind, uid: string): Resource;
  find(kind: ResourceKind, name: string, parentUid?: string): Resource | undefined;
  create(resource: NewResource): Resource;
  update(kind: ResourceKind, uid: string, change: ResourceChange): Resource;
  delete(kind: ResourceKind, uid: string): Resource;
};

export const createResourceStore = (): ResourceStore => {
  const resources = new Map<string, Resource>();
  const all = () => [...resources.values()];

  const get = (kind: ResourceKind, uid: string) => {
    const resource = resources.get(uid);
    if (resource?.kind !== kind) throw new ResourceError(`There is no ${kind} with the UID ${uid}.`);
    return resource;
  };

  const checkReferences = (kind: ResourceKind, attributes: Resource['attributes']) => {
    for (const [field, target] of Object.entries(kinds[kind].references ?? {})) {
      if (attributes[field] !== undefined) get(target, String(attributes[field]));
    }
  };

  const store: ResourceStore = {
    list(kind, parentUid) {
      const {parent} = kinds[kind];
      if (parent && parentUid !== undefined) get(parent, parentUid);
      return all().filter(one => one.kind === kind && (parentUid === undefined || one.parentUid === parentUid));
    },
    get,
    find: (kind, name, parentUid) =>
      all().find(
        one => one.kind === kind && one.name === name && (parentUid === undefined || one.parentUid === parentUid),
      ),
    create({
      uid = randomUUID(),
      kind,
      name,
      displayName = '',
      description = '',
      parentUid,
      attributes = {},
      status = kinds[kind].status,
      createdAt,
    }) {
      const {parent} = kinds[kind];
      if (parent) get(parent, parentUid ?? '');
      checkReferences(kind, attributes);
      if (store.find(kind, name, parentUid))
        throw new ResourceError(`The name ${name} is taken by another ${kind} there.`);
      const resource: Resource = {
        ...{uid, kind, name, displayName, description, attributes, status},
        ...(parentUid !== undefined && {parentUid}),
        createdAt: createdAt ?? new Date().toISOString(),
      };
      resources.set(uid, resource);
      return resource;
    },
    update(kind, uid, {displayName, description, attributes = {}}) {
      const resource = get(kind, uid);
      checkReferences(kind, attributes);
      const updated: Resource = {
        ...resource,
        displayName: displayName ?? resource.displayName,
        description: description ?? resource.description,
        attributes: {...resource.attributes, ...attributes},
      };
      resources.set(resource.uid, updated);
      return updated;
    },
    delete(kind, uid) {
      const resource = get(kind, uid);
      const user = all().find(one => one.parentUid === resource.uid || refersTo(one, resource));
      if (user) {
        const name = resource.name;
        throw new ResourceError(
          `The ${kind} ${name} is still used by the ${user.kind} ${user.name}. Delete that first.`,
        );
      }
      resources.delete(resource.uid);
      return resource;
    },
  };
  return store;
};

const refersTo = (one: Resource, other: Resource) =>
  Object.entries(kinds[one.kind].references ?? {}).some(
    ([field, kind]) => kind === other.kind && one.attributes[field] === other.uid,
  );

/** Returns a resource as shown in an answer: in camel case, with the UIDs and names of everything that contains it. */
export const resourceView = (store: ResourceStore, resource: Resource): Record<string, unknown> => ({
  uid: resource.uid,
  name: resource.name,
  ...(resource.displayName && {displayName: resource.displayName}),
  ...(resource.description && {description: resource.description}),
  ...Object.fromEntries(Object.entries(resource.attributes).map(([name, value]) => [camelCase(name), value])),
  ...lineage(store, resource),
  createdAt: resource.createdAt,
  status: resource.status,
});

const lineage = (store: ResourceStore, {kind, parentUid}: Resource): Record<string, string> => {
  const {parent} = kinds[kind];
  if (!parent || parentUid === undefined) return {};
  const owner = store.get(parent, parentUid);
  return {[`${parent}Uid`]: owner.uid, [`${parent}Name`]: owner.name, ...lineage(store, owner)};
};

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
