import type {ServerResponse} from 'node:http';
import type {JWTPayload} from 'jose';
import type {Access, Profile} from '../authorization/access.ts';
import {sendJson} from '../http/reply.ts';
import {queryOf, type Routes} from '../http/router.ts';
import type {protectedBy} from '../mcp/protected.ts';
import type {Resource} from '../resources/resource.ts';
import type {ResourceStore} from '../resources/resource-store.ts';
import {placeOf} from './objects.ts';

type Params = Readonly<Record<string, string>>;

/** Finds what a list shows; undefined where the path names a project that is not there. */
type Listing = (params: Params, access: Access) => readonly Item[] | undefined;

type Item = Readonly<Record<string, unknown>>;

/** In which of two dresses the same lists come, while the platform goes over from one to the other. */
export type Flavour = 'legacy' | 'open-api';

type Options = {
  readonly store: ResourceStore;
  readonly withToken: ReturnType<typeof protectedBy>;
  readonly accessOf: (claims: JWTPayload) => Access;
  readonly flavour: Flavour;
  /** Kinds of objects of the whole cluster, of which this platform has none. */
  readonly clusterKinds: readonly string[];
  /** Whether an account is told what it may do. */
  readonly hasRoles: boolean;
};

/**
 * The lists of the REST API, over the same resources as the tools, as far as a role shows them. A namespace is an
 * organization by its name.
 */
export const resourceApiRoutes = ({store, withToken, accessOf, flavour, hasRoles, clusterKinds}: Options): Routes => {
  const seen = (action: string, access: Access, resources: readonly Resource[]) =>
    resources.filter(one => access.may(action, placeOf(store, one)));

  const namespaces: Listing = (_, access) =>
    seen('namespace:view', access, store.list('organization')).map(namespaceItem);

  const projects: Listing = ({namespace = ''}, access) => {
    // The platform looks for objects in a namespace, and not for the namespace: in one that is not there are none.
    const organization = store.find('organization', namespace);
    const found = organization ? seen('project:view', access, store.list('project', organization.uid)) : [];
    return found.map(project => projectItem(project, namespace));
  };

  const components: Listing = ({namespace = '', project: name = ''}, access) => {
    const organization = store.find('organization', namespace);
    const project = organization && store.find('project', name, organization.uid);
    if (!project) return undefined;
    const found = seen('component:view', access, store.list('component', project.uid));
    return found.map(component => componentItem(component, name, namespace));
  };

  const send = flavour === 'legacy' ? sendLegacy : sendOpenApi;
  const list = (listing: Listing): Routes[string] => ({
    GET: (request, response, params) =>
      withToken((_, __, claims) => send(response, listing(params, accessOf(claims))))(request, response),
  });
  const profile: Routes[string] = {
    GET: (request, response) =>
      withToken((_, __, claims) => {
        const data = accessOf(claims).profile(queryOf(request).get('namespace') ?? undefined);
        sendJson(response, 200, flavour === 'legacy' ? {success: true, data: withConstraints(data)} : data);
      })(request, response),
  };

  return {
    '/api/v1/namespaces': list(namespaces),
    '/api/v1/namespaces/{namespace}/projects': list(projects),
    '/api/v1/namespaces/{namespace}/projects/{project}/components': list(components),
    ...Object.fromEntries(clusterKinds.map(kind => [`/api/v1/${kind}`, list(() => [])])),
    ...(hasRoles && {'/api/v1/authz/profile': profile}),
  };
};

/** The older flavour says of every place that nothing more is asked there. */
const withConstraints = ({capabilities = {}, ...profile}: Profile): Profile => ({
  ...profile,
  capabilities: Object.fromEntries(
    Object.entries(capabilities).map(([action, {allowed, denied}]) => [
      action,
      {allowed: allowed.map(place => ({...place, constraints: null})), denied},
    ]),
  ),
});

const sendLegacy = (response: ServerResponse, found: ReturnType<Listing>) => {
  if (!found) {
    return sendJson(response, 404, {success: false, error: 'Project not found', code: 'PROJECT_NOT_FOUND'});
  }
  sendJson(response, 200, {
    success: true,
    data: {items: found, totalCount: found.length, page: 1, pageSize: found.length},
  });
};

const sendOpenApi = (response: ServerResponse, found: ReturnType<Listing>) => {
  if (!found) {
    return sendJson(response, 500, {code: 'INTERNAL_ERROR', error: 'Internal server error'});
  }
  sendJson(response, 200, {items: found.map(sorted), pagination: {}});
};

const sorted = (item: Item) =>
  Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));

const texts = ({displayName, description}: Resource) => ({
  ...(displayName && {displayName}),
  ...(description && {description}),
});

const namespaceItem = (organization: Resource): Item => ({
  name: organization.name,
  ...texts(organization),
  createdAt: organization.createdAt,
  status: organization.status,
});

const projectItem = (project: Resource, namespaceName: string): Item => ({
  uid: project.uid,
  name: project.name,
  namespaceName,
  ...texts(project),
  deploymentPipeline: project.attributes.deployment_pipeline,
  createdAt: project.createdAt,
  status: project.status,
});

const componentItem = (component: Resource, projectName: string, namespaceName: string): Item => ({
  uid: component.uid,
  name: component.name,
  ...texts(component),
  type: component.attributes.type,
  autoDeploy: component.attributes.auto_deploy,
  projectName,
  namespaceName,
  createdAt: component.createdAt,
  status: component.status,
});
