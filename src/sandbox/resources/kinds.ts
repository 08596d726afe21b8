import {z} from 'zod';

export type Kind = 'organization' | 'project' | 'component' | 'deployment' | 'infrastructure';

export type KindDefinition = {
  readonly plural: string;
  /** What one of it is, for somebody who reads the tools' descriptions. */
  readonly summary: string;
  /** What each of it belongs to. */
  readonly parent?: Kind;
  /** Fields besides name and texts, as a request sends them. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Fields that hold the UID of another resource, with its kind. */
  readonly references?: Readonly<Record<string, Kind>>;
  /** The status of a new one. */
  readonly status: string;
};

/** A UID in a request. Upper case is taken, and compared as lower case (RFC 9562 4). */
export const uuid = z.uuid().toLowerCase();

/** Every kind of resource that the control plane manages, platform access 1.1. Tools and checks are made from this table. */
export const kinds: {readonly [K in Kind]: KindDefinition} = {
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

export const kindNames: readonly Kind[] = ['organization', 'project', 'component', 'deployment', 'infrastructure'];

/** The field of a resource that holds the UID of what it belongs to. */
export const parentField = (kind: Kind) => {
  const {parent} = kinds[kind];
  return parent && `${parent}_uid`;
};
