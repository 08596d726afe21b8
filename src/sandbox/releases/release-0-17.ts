import {actionsIn, type Roles} from '../roles.ts';
import type {SandboxRelease} from './release.ts';
import {release016} from './release-0-16.ts';
import {identity024} from './thunder.ts';

/** The roles of release 0.17, from its charts. */
export const roles017: Roles = {
  administrator: 'super-admin',
  actions: actionsIn(`
    namespace: view create update delete
    project: view create update delete
    component: view create update deploy delete
    componentrelease: view create
    release: view
    releasebinding: view create update delete
    componenttype: view create update delete
    workflow: view create
    workflowrun: view create
    trait: view create update delete
    environment: view create
    dataplane: view create update delete
    buildplane: view create update delete
    observabilityplane: view create update delete
    clustercomponenttype: view create update delete
    clustertrait: view create update delete
    clusterdataplane: view create update delete
    clusterbuildplane: view create update delete
    clusterobservabilityplane: view create update delete
    deploymentpipeline: view create update delete
    observabilityalertsnotificationchannel: view create update delete
    secretreference: view create update delete
    workload: view create update delete
    role: view create delete update
    rolemapping: view create delete update
    logs: view
    metrics: view
    traces: view
    alerts: view
    rcareport: view update delete
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
    workload: view
    buildplane: view
    clusterbuildplane: view
    workflow: view
    deploymentpipeline: view
    observabilityplane: view
    clusterobservabilityplane: view
    clusterdataplane: view
    clustercomponenttype: view
    clustertrait: view
  `),
    'rca-agent': actionsIn(`
    component: view
    project: view
    namespace: view
    componentrelease: view
    releasebinding: view
    workflowrun: view
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

/** The first release with only one flavour of the API, and with clients in the resource metadata. */
export const release017: SandboxRelease = {
  ...release016,
  version: {version: '0.17.0', gitRevision: '426d934b', buildTime: '2026-03-04T17:43:57+0000'},
  identity: identity024,
  api: {...release016.api, shape: 'by-namespace'},
  mcp: {...release016.mcp, hasPages: true},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles017,
    groups: 'engineers',
  },
  resourceMetadata: {clients: true, scopes: []},
  observerAddress: 'told',
  observerAuthority: 'told',
};
