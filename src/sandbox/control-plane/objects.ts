import type {Place} from '../authorization/access.ts';
import type {Resource} from '../resources/resource.ts';
import type {ResourceStore} from '../resources/resource-store.ts';

/** The names of everything that a resource is part of, itself included. */
export const placeOf = (store: ResourceStore, resource: Resource): Place => {
  const {kind, name, parentUid = ''} = resource;
  if (kind === 'organization') return {namespace: name};
  const parent = kind === 'project' || kind === 'infrastructure' ? 'organization' : 'project';
  if (kind === 'project') return {...placeOf(store, store.get(parent, parentUid)), project: name};
  return placeOf(store, store.get(kind === 'deployment' ? 'component' : parent, parentUid));
};

/** A resource as an object of the cluster: `metadata`, `spec`, `status`. */
export const objectOf = (store: ResourceStore, resource: Resource): object => {
  const {uid, name, createdAt, status, displayName, description, attributes} = resource;
  const {namespace, project} = placeOf(store, resource);
  const annotations = {
    ...(displayName && {'openchoreo.dev/display-name': displayName}),
    ...(description && {'openchoreo.dev/description': description}),
  };
  const metadata = {
    name,
    ...(resource.kind !== 'organization' && {namespace}),
    uid,
    creationTimestamp: createdAt,
    ...(Object.keys(annotations).length > 0 && {annotations}),
  };
  const object = (kind: string, spec: object) => ({
    apiVersion: 'openchoreo.dev/v1alpha1',
    ...{kind, metadata, spec},
    status: {conditions: [{type: status, status: 'True'}]},
  });
  switch (resource.kind) {
    case 'project':
      return object('Project', {deploymentPipelineRef: {name: attributes.deployment_pipeline}});
    case 'component':
      return object('Component', {
        owner: {projectName: project},
        componentType: {kind: 'ComponentType', name: attributes.type},
        autoDeploy: attributes.auto_deploy,
      });
    default:
      return object('Namespace', {});
  }
};
