import {randomUUID} from 'node:crypto';
import {type Kind, kinds} from './kinds.ts';
import {type Resource, ResourceError} from './resource.ts';

export type NewResource = {
  readonly uid?: string;
  readonly kind: Kind;
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly parentUid?: string | undefined;
  readonly attributes?: Resource['attributes'];
  readonly createdAt?: string;
};

export type ResourceChange = {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly attributes?: Resource['attributes'];
};

/** The resources of a running sandbox. What does not fit together throws ResourceError and changes nothing. */
export type ResourceStore = {
  /** All of a kind, or those that belong to one parent, in the order of their creation. */
  list(kind: Kind, parentUid?: string): readonly Resource[];
  get(kind: Kind, uid: string): Resource;
  find(kind: Kind, name: string, parentUid?: string): Resource | undefined;
  create(resource: NewResource): Resource;
  update(kind: Kind, uid: string, change: ResourceChange): Resource;
  delete(kind: Kind, uid: string): Resource;
};

export const createResourceStore = (): ResourceStore => {
  const resources = new Map<string, Resource>();
  const all = () => [...resources.values()];

  const get = (kind: Kind, uid: string) => {
    const resource = resources.get(uid);
    if (resource?.kind !== kind) throw new ResourceError(`There is no ${kind} with the UID ${uid}.`);
    return resource;
  };

  const checkReferences = (kind: Kind, attributes: Resource['attributes']) => {
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
      createdAt,
    }) {
      const {parent, status} = kinds[kind];
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
