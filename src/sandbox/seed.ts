import type {NewResource, ResourceStore} from './resources.ts';

/** UIDs of the resources that every sandbox starts with. They never change, so that examples stay valid. */
export const seeded = {
  organization: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a01',
  development: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a02',
  production: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a03',
  dataPlane: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a04',
  project: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a05',
  greeter: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a06',
  storefront: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a07',
  greeterInDevelopment: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a08',
  greeterInProduction: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a09',
  storefrontInDevelopment: '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a0a',
} as const;

const deployment = (name: string, parentUid: string, environment_uid: string, image: string, replicas: number) => ({
  kind: 'deployment' as const,
  attributes: {image: `registry.platform.example/${image}`, environment_uid, replicas},
  name,
  parentUid,
});

const environment = (name: string, displayName: string, uid: string, production: boolean) => ({
  kind: 'infrastructure' as const,
  parentUid: seeded.organization,
  attributes: {type: 'environment', production},
  ...{uid, name, displayName},
});

const resources: readonly NewResource[] = [
  {kind: 'organization', uid: seeded.organization, name: 'default', displayName: 'Default'},
  environment('development', 'Development', seeded.development, false),
  environment('production', 'Production', seeded.production, true),
  {
    kind: 'infrastructure',
    uid: seeded.dataPlane,
    parentUid: seeded.organization,
    name: 'local',
    displayName: 'Local cluster',
    attributes: {type: 'data-plane', production: false},
  },
  {
    kind: 'project',
    uid: seeded.project,
    parentUid: seeded.organization,
    name: 'default',
    displayName: 'Default project',
    attributes: {deployment_pipeline: 'default'},
  },
  {
    kind: 'component',
    uid: seeded.greeter,
    parentUid: seeded.project,
    name: 'greeter-service',
    displayName: 'Greeter Service',
    attributes: {type: 'deployment/service', auto_deploy: true},
  },
  {
    kind: 'component',
    uid: seeded.storefront,
    parentUid: seeded.project,
    name: 'storefront',
    displayName: 'Storefront',
    attributes: {type: 'deployment/web-application', auto_deploy: false},
  },
  {
    uid: seeded.greeterInDevelopment,
    ...deployment('greeter-development', seeded.greeter, seeded.development, 'greeter:1.4.2', 1),
  },
  {
    uid: seeded.greeterInProduction,
    ...deployment('greeter-production', seeded.greeter, seeded.production, 'greeter:1.4.1', 3),
  },
  {
    uid: seeded.storefrontInDevelopment,
    ...deployment('storefront-development', seeded.storefront, seeded.development, 'storefront:0.9.0', 1),
  },
];

/** When everything was created. */
const createdAt = '2026-02-07T08:00:00Z';

/** Fills an empty store with a small application, as a person might have built it. */
export const seed = (store: ResourceStore, projects: readonly ProjectSeed[] = []) => {
  for (const resource of resources) store.create({...resource, createdAt});
  addProjects(store, projects);
};

/** Adds projects with their components, in the namespace that every sandbox has. */
export const addProjects = (store: ResourceStore, projects: readonly ProjectSeed[]) => {
  for (const {name, components, failing = 0} of projects) {
    const attributes = {deployment_pipeline: 'default'};
    const {uid} = store.create({kind: 'project', name, parentUid: seeded.organization, attributes, createdAt});
    const parts =
      typeof components === 'number'
        ? Array.from({length: components}, (_, index) => `${name}-${index + 1}`)
        : components;
    for (const [index, part] of parts.entries()) {
      store.create({
        kind: 'component',
        name: part,
        parentUid: uid,
        attributes: {type: 'deployment/service', auto_deploy: true},
        ...(index < failing ? {status: 'WorkloadNotFound'} : {}),
        createdAt,
      });
    }
  }
};

/**
 * An additional project. `components` are the names of its components, or their number: then they are named after the
 * project. The first `failing` of them fail.
 */
export type ProjectSeed = {
  readonly name: string;
  readonly components: number | readonly string[];
  readonly failing?: number;
};
