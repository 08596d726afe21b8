import type {ServerResponse} from 'node:http';
import {sendJson} from '../http/reply.ts';
import type {Routes} from '../http/router.ts';
import type {protectedBy} from '../mcp/protected.ts';
import type {Resource} from '../resources/resource.ts';
import type {ResourceStore} from '../resources/resource-store.ts';
import {usesOpenApi} from './openapi-header.ts';

type Params = Readonly<Record<string, string>>;

/** Finds what a list shows, or says what the path names that is not there. */
type Listing = (params: Params) => readonly Item[] | 'namespace' | 'project';

type Item = Readonly<Record<string, unknown>>;

/** The lists of the REST API, over the same resources as the tools. A namespace is an organization by its name. */
export const resourceApiRoutes = (store: ResourceStore, withToken: ReturnType<typeof protectedBy>): Routes => {
  const namespaces: Listing = () => store.list('organization').map(namespaceItem);

  const projects: Listing = ({namespace = ''}) => {
    const organization = store.find('organization', namespace);
    if (!organization) return 'namespace';
    return store.list('project', organization.uid).map(project => projectItem(project, namespace));
  };

  const components: Listing = ({namespace = '', project: name = ''}) => {
    const organization = store.find('organization', namespace);
    const project = organization && store.find('project', name, organization.uid);
    if (!project) return 'project';
    return store.list('component', project.uid).map(component => componentItem(component, name, namespace));
  };

  const list = (listing: Listing): Routes[string] => ({
    GET: (request, response, params) =>
      withToken(() => {
        const send = usesOpenApi(request) ? sendOpenApi : sendLegacy;
        send(response, listing(params));
      })(request, response),
  });

  return {
    '/api/v1/namespaces': list(namespaces),
    '/api/v1/namespaces/{namespace}/projects': list(projects),
    '/api/v1/namespaces/{namespace}/projects/{project}/components': list(components),
  };
};

const sendLegacy = (response: ServerResponse, found: ReturnType<Listing>) => {
  if (typeof found !== 'string') {
    const data = {items: found, totalCount: found.length, page: 1, pageSize: found.length};
    return sendJson(response, 200, {success: true, data});
  }
  const [what, code] = found === 'project' ? ['Project', 'PROJECT'] : ['Namespace', 'NAMESPACE'];
  sendJson(response, 404, {success: false, error: `${what} not found`, code: `${code}_NOT_FOUND`});
};

const sendOpenApi = (response: ServerResponse, found: ReturnType<Listing>) => {
  if (typeof found === 'string') {
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
