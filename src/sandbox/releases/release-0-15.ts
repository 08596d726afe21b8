import {actionsIn, type Roles} from '../roles.ts';
import type {SandboxRelease} from './release.ts';
import {release014} from './release-0-14.ts';

/** The roles of release 0.15, from its charts: none of them is for people who build services. */
export const roles015: Roles = {
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
    clusterdataplane: view create
    clusterbuildplane: view
    clusterobservabilityplane: view
    deploymentpipeline: view
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
    logs: view
    metrics: view
    alerts: view
    traces: view
  `),
  },
};

/** The first release with authorisation enabled. Its only role for people may do everything. */
export const release015: SandboxRelease = {
  ...release014,
  version: {version: '0.15.0', gitRevision: '200952d1', buildTime: '2026-02-17T06:31:40+0000'},
  api: {...release014.api, clusterKinds: ['clusterdataplanes'], cleansPaths: true},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles015,
    groups: 'engineers',
  },
  mcp: {...release014.mcp, tools: 'by-name', foreignHost: 'served'},
  observerAddress: 'told-to-clusters',
  observerAuthority: 'told-to-clusters',
};
