import {actionsIn, type Roles} from '../roles.ts';
import type {SandboxRelease} from './release.ts';
import {release017} from './release-0-17.ts';
import {identity028} from './thunder.ts';

/** The roles of release 1.0, from its charts: the first release with a role for each kind of work. */
export const roles10: Roles = {
  administrator: 'admin',
  actions: actionsIn(`
    namespace: create view update delete
    project: create view update delete
    component: create view update delete
    componentrelease: view create
    releasebinding: view create update delete
    componenttype: view create update delete
    workflow: view create update delete
    workflowrun: create view update
    trait: view create update delete
    environment: view create update delete
    dataplane: view create update delete
    workflowplane: view create update delete
    observabilityplane: view create update delete
    clustercomponenttype: view create update delete
    clustertrait: view create update delete
    clusterworkflow: view create update delete
    clusterdataplane: view create update delete
    clusterworkflowplane: view create update delete
    clusterobservabilityplane: view create update delete
    deploymentpipeline: view create update delete
    observabilityalertsnotificationchannel: view create update delete
    secretreference: view create update delete
    workload: view create update delete
    clusterauthzrole: view create update delete
    authzrole: view create update delete
    clusterauthzrolebinding: view create update delete
    authzrolebinding: view create update delete
    logs: view
    metrics: view
    traces: view
    alerts: view
    incidents: view update
    rcareport: view update
  `),
  roles: {
    admin: ['*'],
    'cluster-reader': actionsIn(`
    clusterdataplane: view
    clusterworkflowplane: view
    clusterobservabilityplane: view
    clustercomponenttype: view
    clustertrait: view
    clusterworkflow: view
  `),
    'namespace-reader': actionsIn(`
    namespace: view
    environment: view
    deploymentpipeline: view
    dataplane: view
    workflowplane: view
    observabilityplane: view
    componenttype: view
    trait: view
    workflow: view
    secretreference: view
  `),
    developer: actionsIn(`
    clusterdataplane: view
    clusterworkflowplane: view
    clusterobservabilityplane: view
    clustercomponenttype: view
    clustertrait: view
    clusterworkflow: view
    namespace: view
    environment: view
    deploymentpipeline: view
    dataplane: view
    workflowplane: view
    observabilityplane: view
    componenttype: view
    trait: view
    workflow: view
    project: view
    component: view create update delete
    componentrelease: view create
    releasebinding: view create update
    workflowrun: view create
    secretreference: view create update delete
    workload: view create update delete
    logs: view
    metrics: view
    traces: view
    alerts: view
    rcareport: view
  `),
    sre: actionsIn(`
    clusterdataplane: view
    clusterworkflowplane: view
    clusterobservabilityplane: view
    clustercomponenttype: view
    clustertrait: view
    clusterworkflow: view
    namespace: view
    environment: view
    deploymentpipeline: view
    dataplane: view
    workflowplane: view
    observabilityplane: view
    componenttype: view
    trait: view
    workflow: view
    project: view
    component: view
    componentrelease: view create
    releasebinding: view create update
    workflowrun: view create
    workload: view create
    secretreference: view update
    logs: view
    metrics: view
    traces: view
    alerts: view
    incidents: view update
    rcareport: view update
  `),
    'platform-engineer': actionsIn(`
    namespace: view create update delete
    project: view create update delete
    component: view create update delete
    componentrelease: view create
    releasebinding: view create update delete
    environment: view create update delete
    dataplane: view create update delete
    workflowplane: view create update delete
    observabilityplane: view create update delete
    componenttype: view create update delete
    trait: view create update delete
    workflow: view create update delete
    workflowrun: view create
    deploymentpipeline: view create update delete
    secretreference: view create update delete
    workload: view create update delete
    logs: view
    metrics: view
    traces: view
    alerts: view
    incidents: view
    rcareport: view update
    observabilityalertsnotificationchannel: view create update delete
    clusterdataplane: view create update delete
    clusterworkflowplane: view create update delete
    clusterobservabilityplane: view create update delete
    clustercomponenttype: view create update delete
    clustertrait: view create update delete
    clusterworkflow: view create update delete
  `),
  },
};

/** The first release with a role for each kind of work. */
export const release10: SandboxRelease = {
  ...release017,
  version: {version: '1.0.0', gitRevision: '8d40c7e2', buildTime: '2026-03-22T08:10:00+0000'},
  identity: identity028,
  mcp: {...release017.mcp, foreignHost: 'forbidden'},
  api: {...release017.api, clusterKinds: [...release017.api.clusterKinds, 'clusterauthzroles']},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles10,
    groups: 'by-task',
  },
};
