import {kinds} from './kinds.ts';
import type {Resource} from './resource.ts';
import type {ResourceStore} from './resource-store.ts';

/** A resource as an answer shows it, in the wire's camel case, with the UIDs and names of everything that it is part of. */
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
