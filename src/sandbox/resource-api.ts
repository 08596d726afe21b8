import type {IncomingMessage, ServerResponse} from 'node:http';
import type {JWTPayload} from 'jose';
import {queryOf, type Routes, sendJson} from './http-server.ts';
import type {protectedBy} from './protected-resource.ts';
import {kinds, type Resource, type ResourceStore} from './resources.ts';
import type {Access, Profile, RolePlace} from './roles.ts';

/**
 * Returns the namespace of a resource, and its project if it is in one. The place of a namespace or a project includes
 * itself.
 */
export const placeOf = (store: ResourceStore, resource: Resource): RolePlace => {
  const {kind, name, parentUid = ''} = resource;
  if (kind === 'organization') return {namespace: name};
  const parent = kind === 'project' || kind === 'infrastructure' ? 'organization' : 'project';
  if (kind === 'project') return {...placeOf(store, store.get(parent, parentUid)), project: name};
  return placeOf(store, store.get(kind === 'deployment' ? 'component' : parent, parentUid));
};

/** Returns a resource as a cluster object: `metadata`, `spec`, `status`. */
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
    status: {
      conditions: [
        status === kinds[resource.kind].status
          ? {type: status, status: 'True'}
          : {type: 'Ready', status: 'False', reason: status},
      ],
    },
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

const usual = 20;
const most = 100;

export type ResourcePage<Item> = {
  readonly items: readonly Item[];
  readonly pagination: {readonly nextCursor?: string};
};

/**
 * Returns the part of a list that a request asks for with `limit` and `cursor`: 20 items by default, at most 100.
 * Undefined if the limit or the cursor is invalid.
 */
export const pageOf = <Item>(items: readonly Item[], query: URLSearchParams): ResourcePage<Item> | undefined => {
  const limit = Number(query.get('limit') ?? usual);
  const start = startOf(query.get('cursor') ?? '');
  if (!Number.isInteger(limit) || limit < 1 || start === undefined) return undefined;
  const end = start + Math.min(limit, most);
  return {
    items: items.slice(start, end),
    pagination: end < items.length ? {nextCursor: cursorOf(end)} : {},
  };
};

const cursorOf = (start: number) => Buffer.from(`after:${start}`).toString('base64url');

const startOf = (cursor: string) => {
  if (cursor === '') return 0;
  const [, start] = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return start === undefined ? undefined : Number(start);
};

type NamespaceOptions = {
  readonly store: ResourceStore;
  readonly withToken: ReturnType<typeof protectedBy>;
  readonly accessOf: (claims: JWTPayload) => Access;
  /** Kinds of cluster-wide objects. Their lists are empty here; `rolesApiRoutes` replaces the list of roles. */
  readonly clusterKinds: readonly string[];
  /** The error for a caller who may not see an object. */
  readonly forbidden: string;
};

type Kind = 'organization' | 'project' | 'component';

/** The action that allows seeing an object of each kind. */
const views: Readonly<Record<Kind, string>> = {
  organization: 'namespace:view',
  project: 'project:view',
  component: 'component:view',
};

const notFound = (what: string) => ({code: 'NOT_FOUND', error: `${what} not found`});

/**
 * The REST API of releases from 0.16 on: lists of what a namespace contains, in pages, and each object by its name, as
 * far as the caller's role shows them. A caller without a role gets empty lists, and 403 for an object.
 */
export const namespaceApiRoutes = ({store, withToken, accessOf, clusterKinds, forbidden}: NamespaceOptions): Routes => {
  const sees = (access: Access, kind: Kind, resource: Resource) => access.may(views[kind], placeOf(store, resource));

  type Answer = (
    request: IncomingMessage,
    response: ServerResponse,
    params: Readonly<Record<string, string>>,
    access: Access,
  ) => void;
  const get = (answer: Answer): Routes[string] => ({
    GET: (request, response, params) =>
      withToken((_, __, claims) => answer(request, response, params, accessOf(claims)))(request, response),
  });

  const sendList = (request: IncomingMessage, response: ServerResponse, items: readonly Resource[]) => {
    const page = pageOf(items, queryOf(request));
    if (page === undefined) {
      return sendJson(response, 400, {code: 'BAD_REQUEST', error: 'Invalid pagination parameters'});
    }
    sendJson(response, 200, {items: page.items.map(one => objectOf(store, one)), pagination: page.pagination});
  };

  const list = (kind: Kind, all: (namespace: Resource) => readonly Resource[]) =>
    get((request, response, {namespace = ''}, access) => {
      const found = store.find('organization', namespace);
      const project = kind === 'component' ? queryOf(request).get('project') : null;
      // The platform looks up the project first. A namespace that does not exist contains no project.
      if (project !== null && !(found && store.find('project', project, found.uid))) {
        return sendJson(response, 404, notFound('Project'));
      }
      const shown = (found ? all(found) : [])
        .filter(one => sees(access, kind, one))
        .filter(one => project === null || placeOf(store, one).project === project);
      sendList(request, response, shown);
    });

  const object = (kind: Kind, name: string, find: (namespace: Resource, name: string) => Resource | undefined) =>
    get((_, response, {namespace = '', name: wanted = ''}, access) => {
      const parent = store.find('organization', namespace);
      const found = parent && find(parent, wanted);
      if (!found) return sendJson(response, 404, notFound(name));
      if (!sees(access, kind, found)) return sendJson(response, 403, {code: 'FORBIDDEN', error: forbidden});
      sendJson(response, 200, objectOf(store, found));
    });

  const componentsOf = ({uid}: Resource) =>
    store.list('project', uid).flatMap(project => store.list('component', project.uid));

  return {
    '/api/v1/namespaces': get((request, response, _, access) => {
      const shown = store.list('organization').filter(one => sees(access, 'organization', one));
      sendList(request, response, shown);
    }),
    '/api/v1/namespaces/{namespace}': object('organization', 'Namespace', namespace => namespace),
    '/api/v1/namespaces/{namespace}/projects': list('project', ({uid}) => store.list('project', uid)),
    '/api/v1/namespaces/{namespace}/projects/{name}': object('project', 'Project', ({uid}, name) =>
      store.find('project', name, uid),
    ),
    '/api/v1/namespaces/{namespace}/components': list('component', componentsOf),
    '/api/v1/namespaces/{namespace}/components/{name}': object('component', 'Component', (namespace, name) =>
      componentsOf(namespace).find(one => one.name === name),
    ),
    ...Object.fromEntries(
      clusterKinds.map(kind => [`/api/v1/${kind}`, get((request, response) => sendList(request, response, []))]),
    ),
    '/api/v1/authz/profile': get((request, response, _, access) => {
      sendJson(response, 200, access.profile(queryOf(request).get('namespace') ?? undefined));
    }),
  };
};

type Params = Readonly<Record<string, string>>;

/** Returns the content of a list; undefined if the path names a project that does not exist. */
type Listing = (params: Params, access: Access) => readonly Item[] | undefined;

type Item = Readonly<Record<string, unknown>>;

/** The two forms of the same lists, while the platform moves from the older one to the newer one. */
export type Flavour = 'legacy' | 'open-api';

type ResourceOptions = {
  readonly store: ResourceStore;
  readonly withToken: ReturnType<typeof protectedBy>;
  readonly accessOf: (claims: JWTPayload) => Access;
  readonly flavour: Flavour;
  /** Kinds of cluster-wide objects. This platform has none of them, so their lists are empty. */
  readonly clusterKinds: readonly string[];
  /** True if an account can ask what it may do. */
  readonly hasRoles: boolean;
};

/**
 * The lists of the REST API, over the same resources as the tools, as far as the caller's role shows them. A namespace
 * is the organization of that name.
 */
export const resourceApiRoutes = ({
  store,
  withToken,
  accessOf,
  flavour,
  hasRoles,
  clusterKinds,
}: ResourceOptions): Routes => {
  const seen = (action: string, access: Access, resources: readonly Resource[]) =>
    resources.filter(one => access.may(action, placeOf(store, one)));

  const namespaces: Listing = (_, access) =>
    seen('namespace:view', access, store.list('organization')).map(namespaceItem);

  const projects: Listing = ({namespace = ''}, access) => {
    // The platform looks for objects in a namespace without looking up the namespace: one that does not exist has none.
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

/** The older flavour says for each place that there are no further constraints. */
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

/** Whether the client asks for the newer flavour of the API, which has its own paths and bodies. */
export const usesOpenApi = (request: IncomingMessage) => request.headers['x-use-openapi'] === 'true';
