import {actionsIn, type Roles} from '../roles.ts';
import type {SandboxRelease} from './release.ts';
import {release10} from './release-1-0.ts';

/** The roles of release 1.2, from its charts. */
export const roles12: Roles = {
  administrator: 'admin',
  actions: actionsIn(`
    namespace: create view update delete
    project: create view update delete
    component: create view update delete exec
    resource: create view update delete
    componentrelease: view create delete
    resourcerelease: view create delete
    projectrelease: view create delete
    projectreleasebinding: view create update delete
    releasebinding: view create update delete
    resourcereleasebinding: view create update delete
    componenttype: view create update delete
    resourcetype: view create update delete
    projecttype: view create update delete
    workflow: view create update delete
    workflowrun: create view update delete
    trait: view create update delete
    environment: view create update delete
    dataplane: view create update delete
    workflowplane: view create update delete
    observabilityplane: view create update delete
    clustercomponenttype: view create update delete
    clusterresourcetype: view create update delete
    clusterprojecttype: view create update delete
    clustertrait: view create update delete
    clusterworkflow: view create update delete
    clusterdataplane: view create update delete
    clusterworkflowplane: view create update delete
    clusterobservabilityplane: view create update delete
    deploymentpipeline: view create update delete
    observabilityalertsnotificationchannel: view create update delete
    secretreference: view create update delete
    secret: view create update delete
    workload: view create update delete
    clusterauthzrole: view create update delete
    authzrole: view create update delete
    clusterauthzrolebinding: view create update delete
    authzrolebinding: view create update delete
    logs: view
    events: view
    wirelogs: view
    metrics: view
    traces: view
    alerts: view
    incidents: view update
    rcareport: view update
    finopsreport: view update
  `),
  roles: {
    admin: ['*'],
    'cluster-reader': actionsIn(`
    clusterdataplane: view
    clusterworkflowplane: view
    clusterobservabilityplane: view
    clustercomponenttype: view
    clusterresourcetype: view
    clusterprojecttype: view
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
    resourcetype: view
    projecttype: view
    trait: view
    workflow: view
    secretreference: view
  `),
    developer: actionsIn(`
    clusterdataplane: view
    clusterworkflowplane: view
    clusterobservabilityplane: view
    clustercomponenttype: view
    clusterresourcetype: view
    clusterprojecttype: view
    clustertrait: view
    clusterworkflow: view
    namespace: view
    environment: view
    deploymentpipeline: view
    dataplane: view
    workflowplane: view
    observabilityplane: view
    componenttype: view
    resourcetype: view
    projecttype: view
    trait: view
    workflow: view
    project: view
    component: view create update delete exec
    componentrelease: view create
    releasebinding: view create update
    resource: view create update delete
    resourcerelease: view create
    projectrelease: view create
    resourcereleasebinding: view create update delete
    projectreleasebinding: view create update delete
    workflowrun: view create delete
    secretreference: view create update delete
    workload: view create update delete
    logs: view
    events: view
    metrics: view
    traces: view
    alerts: view
    rcareport: view
    finopsreport: view
    portal-assistant: invoke
  `),
    sre: actionsIn(`
    clusterdataplane: view
    clusterworkflowplane: view
    clusterobservabilityplane: view
    clustercomponenttype: view
    clusterresourcetype: view
    clusterprojecttype: view
    clustertrait: view
    clusterworkflow: view
    namespace: view
    environment: view
    deploymentpipeline: view
    dataplane: view
    workflowplane: view
    observabilityplane: view
    componenttype: view
    resourcetype: view
    projecttype: view
    trait: view
    workflow: view
    project: view
    component: view
    componentrelease: view create
    releasebinding: view create update
    resource: view
    resourcerelease: view
    projectrelease: view
    resourcereleasebinding: view
    projectreleasebinding: view
    workflowrun: view create delete
    workload: view create
    secretreference: view update
    logs: view
    events: view
    metrics: view
    traces: view
    alerts: view
    incidents: view update
    rcareport: view update
    finopsreport: view update
    portal-assistant: invoke
  `),
    'platform-engineer': actionsIn(`
    namespace: view create update delete
    project: view create update delete
    component: view create update delete exec
    componentrelease: view create
    releasebinding: view create update delete
    resource: view create update delete
    resourcerelease: view create delete
    projectrelease: view create delete
    resourcereleasebinding: view create update delete
    projectreleasebinding: view create update delete
    environment: view create update delete
    dataplane: view create update delete
    workflowplane: view create update delete
    observabilityplane: view create update delete
    componenttype: view create update delete
    resourcetype: view create update delete
    projecttype: view create update delete
    trait: view create update delete
    workflow: view create update delete
    workflowrun: view create delete
    deploymentpipeline: view create update delete
    secretreference: view create update delete
    secret: view create update delete
    workload: view create update delete
    logs: view
    events: view
    metrics: view
    traces: view
    alerts: view
    incidents: view
    rcareport: view update
    finopsreport: view update
    portal-assistant: invoke
    observabilityalertsnotificationchannel: view create update delete
    clusterdataplane: view create update delete
    clusterworkflowplane: view create update delete
    clusterobservabilityplane: view create update delete
    clustercomponenttype: view create update delete
    clusterresourcetype: view create update delete
    clusterprojecttype: view create update delete
    clustertrait: view create update delete
    clusterworkflow: view create update delete
  `),
  },
};

/**
 * The newest release: tools that a caller may not call are hidden, clients can ask for some sets of tools, and the
 * challenge names scopes.
 */
export const release12: SandboxRelease = {
  ...release10,
  version: {version: '1.2.3', gitRevision: 'c3f1e9a4', buildTime: '2026-08-20T09:30:00+0000'},
  api: {
    ...release10.api,
    clusterKinds: [...release10.api.clusterKinds, 'clusterresourcetypes', 'clusterprojecttypes'],
  },
  authorization: {
    forbidden: 'You do not have permission to perform this operation',
    hidesTools: true,
    roles: roles12,
    groups: 'by-task',
  },
  mcp: {...release10.mcp, toolSets: true},
  resourceMetadata: {...release10.resourceMetadata, scopes: ['openid', 'profile', 'email']},
};
