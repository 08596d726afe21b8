import type {IncomingMessage, ServerResponse} from 'node:http';
import type {JWTPayload} from 'jose';
import type {Access} from '../authorization/access.ts';
import {sendJson} from '../http/reply.ts';
import {queryOf, type Routes} from '../http/router.ts';
import type {protectedBy} from '../mcp/protected.ts';
import type {Resource} from '../resources/resource.ts';
import type {ResourceStore} from '../resources/resource-store.ts';
import {objectOf, placeOf} from './objects.ts';
import {pageOf} from './pages.ts';

type Options = {
  readonly store: ResourceStore;
  readonly withToken: ReturnType<typeof protectedBy>;
  readonly accessOf: (claims: JWTPayload) => Access;
  /** Kinds of objects of the whole cluster, of which this platform has none. */
  readonly clusterKinds: readonly string[];
  /** What somebody is told who may not see an object. */
  readonly forbidden: string;
};

type Kind = 'organization' | 'project' | 'component';

/** The action that shows one of a kind. */
const views: Readonly<Record<Kind, string>> = {
  organization: 'namespace:view',
  project: 'project:view',
  component: 'component:view',
};

const notFound = (what: string) => ({code: 'NOT_FOUND', error: `${what} not found`});

/**
 * The REST API of releases from 0.16 on: lists of a namespace in pages, and their objects, as far as a role shows them.
 * Who has none gets empty lists, and 403 for an object.
 */
export const namespaceApiRoutes = ({store, withToken, accessOf, clusterKinds, forbidden}: Options): Routes => {
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
      // A project is looked for first, and a namespace that is not there has none.
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
