import {actionsIn, type Roles} from '../roles.ts';
import type {SandboxRelease} from './release.ts';
import {release015} from './release-0-15.ts';
import {identity023} from './thunder.ts';

/** The roles of release 0.16, from its charts. */
export const roles016: Roles = {
  administrator: 'super-admin',
  actions: actionsIn(`
    namespace: view create
    project: view create delete
    component: view create update deploy delete
    componentrelease: view create
    releasebinding: view update
    componenttype: view create
    componentworkflow: view create
    componentworkflowrun: view
    workflow: view
    trait: view create
    environment: view create
    dataplane: view create
    buildplane: view
    observabilityplane: view
    clustercomponenttype: view create update
    clustertrait: view create update
    clusterdataplane: view create
    clusterbuildplane: view
    clusterobservabilityplane: view
    deploymentpipeline: view
    observabilityalertsnotificationchannel: view create update delete
    secretreference: create view delete
    workload: view create
    role: view create delete update
    action: view
    rolemapping: view create delete update
    logs: view
    metrics: view
    traces: view
    alerts: view
    rcareport: view update delete
    dataplaneresource: view
    buildplaneresource: view
    observabilityplaneresource: view
  `),
  roles: {
    'super-admin': ['*'],
    'backstage-catalog-reader': actionsIn(`
    component: view
    componenttype: view
    namespace: view
    project: view
    dataplane: view
    environment: view
    trait: view
    buildplane: view
    clusterbuildplane: view
    componentworkflow: view
    workflow: view
    deploymentpipeline: view
    observabilityplane: view
    clusterobservabilityplane: view
    clusterdataplane: view
  `),
    'rca-agent': actionsIn(`
    component: view
    project: view
    namespace: view
    componentrelease: view
    releasebinding: view
    componentworkflowrun: view
    environment: view
    workload: view
    trait: view
    logs: view
    metrics: view
    alerts: view
    traces: view
  `),
  },
};

/**
 * Clients that ask for the newer flavour of the API get the lists of a namespace in pages; all others get the older
 * flavour.
 */
export const release016: SandboxRelease = {
  ...release015,
  version: {version: '0.16.0', gitRevision: '6f2e2192', buildTime: '2026-02-23T09:34:56+0000'},
  identity: identity023,
  api: {...release015.api, shape: 'by-header'},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles016,
    groups: 'engineers',
  },
  mcp: {
    ...release015.mcp,
    noSession: {status: 400, text: 'Bad Request: GET requires an Mcp-Session-Id header\n'},
  },
  resourceMetadata: {...release015.resourceMetadata, cliDiscovery: '/.well-known/openid-configuration'},
};
