import {actionsIn, type Roles} from './roles.ts';

/** The roles of release 1.0, as its charts have them: the first ones by what people do. */
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
