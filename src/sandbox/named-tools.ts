import type {McpServer} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {placeOf} from './resource-api.ts';
import {type OfferedTool, type RegisterTools, type ToolCallContext, toolResult} from './resource-tools.ts';
import {type Resource, ResourceError, type ResourceStore, resourceView} from './resources.ts';
import type {RolePlace} from './roles.ts';

/** The platform's error for a caller who may use a tool, but not on this object. */
export const insufficient = 'insufficient permissions to perform this action';

type NamedTool = {
  readonly toolSets: readonly ('namespace' | 'project' | 'component' | 'deployment' | 'pe')[];
  readonly action: string;
  readonly title: string;
  readonly input: Readonly<Record<string, z.ZodType>>;
  readonly run: (input: Readonly<Record<string, string>>, visit: ToolCallContext) => Record<string, unknown>;
};

const namespace_name = z.string().describe('Name of the namespace');
const project_name = z.string().describe('Name of the project');
const name = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
  .describe('Unique name: up to 63 lower case letters, digits and inner hyphens');

/**
 * Registers the control plane's tools that take names: those of the platform's tools that matter to this program, in
 * the platform's own sets. Lists omit what the caller may not see; any other call on such an object is refused.
 */
export const namedTools =
  (store: ResourceStore, {hasPages}: {readonly hasPages: boolean}): RegisterTools =>
  (server, visit) => {
    const offered = new Map<string, OfferedTool>();
    for (const [toolName, tool] of Object.entries(toolsOf(store))) {
      const {action, toolSets} = tool;
      const listed = hasPages && toolName.startsWith('list_') ? inPages(tool) : tool;
      offered.set(toolName, {tool: register(server, visit, toolName, listed), action, toolSets});
    }
    return offered;
  };

/** How many items a page has, unless the caller asks for another number. */
const PAGE = 100;

/** Returns a tool that lists in pages: its cursor is the number of the items before the page. */
const inPages = (tool: NamedTool): NamedTool => ({
  ...tool,
  input: {
    ...tool.input,
    limit: z.int().optional().describe('The most items of a page'),
    cursor: z.string().optional().describe('Where the page begins: next_cursor of the page before'),
  },
  run: ({limit, cursor, ...input}, visit) => {
    const [first = 0, most] = [Number(cursor ?? 0), Number(limit ?? PAGE)];
    const [[plural, items] = ['', []]] = Object.entries(tool.run(input, visit));
    const all = items as readonly unknown[];
    const end = first + (most > 0 ? most : PAGE);
    return {[plural]: all.slice(first, end), ...(end < all.length ? {next_cursor: String(end)} : {})};
  },
});

const register = (server: McpServer, visit: ToolCallContext, toolName: string, {title, input, run}: NamedTool) =>
  server.registerTool(
    toolName,
    {
      title,
      description: `${title}.`,
      inputSchema: z.object(input),
    },
    toolArguments => toolResult(() => run(toolArguments as Readonly<Record<string, string>>, visit)),
  );

const toolsOf = (store: ResourceStore): Readonly<Record<string, NamedTool>> => {
  const found = (what: string, resource: Resource | undefined) => {
    if (!resource) throw new ResourceError(`${what} not found`);
    return resource;
  };
  const namespaceOf = (input: Readonly<Record<string, string>>) =>
    found('namespace', store.find('organization', input.namespace_name ?? ''));
  const projectOf = (input: Readonly<Record<string, string>>) =>
    found('project', store.find('project', input.project_name ?? '', namespaceOf(input).uid));
  const visible = (action: string, {access}: ToolCallContext, resources: readonly Resource[]) =>
    resources.filter(one => access().may(action, placeOf(store, one))).map(one => resourceView(store, one));
  const allow = (action: string, {access}: ToolCallContext, place: RolePlace) => {
    if (!access().may(action, place)) throw new ResourceError(insufficient);
  };
  const shown = (action: string, visit: ToolCallContext, resource: Resource) => {
    allow(action, visit, placeOf(store, resource));
    return resourceView(store, resource);
  };
  const infrastructure = (
    type: string,
    action: string,
    plural: string,
    toolSets: NamedTool['toolSets'],
  ): NamedTool => ({
    toolSets,
    action,
    title: `List ${plural} of a namespace`,
    input: {namespace_name},
    run: (input, visit) => {
      const all = store.list('infrastructure', namespaceOf(input).uid).filter(one => one.attributes.type === type);
      return {[plural]: visible(action, visit, all)};
    },
  });
  return {
    list_namespaces: {
      toolSets: ['namespace'],
      action: 'namespace:view',
      title: 'List namespaces',
      input: {},
      run: (_, visit) => ({namespaces: visible('namespace:view', visit, store.list('organization'))}),
    },
    get_namespace: {
      toolSets: ['namespace'],
      action: 'namespace:view',
      title: 'Get a namespace by its name',
      input: {namespace_name},
      run: (input, visit) => shown('namespace:view', visit, namespaceOf(input)),
    },
    create_namespace: {
      toolSets: ['namespace'],
      action: 'namespace:create',
      title: 'Create a namespace',
      input: {name},
      run: (input, visit) => {
        allow('namespace:create', visit, {});
        return resourceView(store, store.create({kind: 'organization', name: input.name ?? ''}));
      },
    },
    list_projects: {
      toolSets: ['project'],
      action: 'project:view',
      title: 'List the projects of a namespace',
      input: {namespace_name},
      run: (input, visit) => ({
        projects: visible('project:view', visit, store.list('project', namespaceOf(input).uid)),
      }),
    },
    get_project: {
      toolSets: ['project'],
      action: 'project:view',
      title: 'Get a project by its name',
      input: {namespace_name, project_name},
      run: (input, visit) => shown('project:view', visit, projectOf(input)),
    },
    create_project: {
      toolSets: ['project'],
      action: 'project:create',
      title: 'Create a project in a namespace',
      input: {namespace_name, name},
      run: (input, visit) => {
        const {uid, name: namespace} = namespaceOf(input);
        allow('project:create', visit, {namespace});
        const attributes = {deployment_pipeline: 'default'};
        return resourceView(store, store.create({kind: 'project', name: input.name ?? '', parentUid: uid, attributes}));
      },
    },
    list_components: {
      toolSets: ['component'],
      action: 'component:view',
      title: 'List the components of a project',
      input: {namespace_name, project_name},
      run: (input, visit) => ({
        components: visible('component:view', visit, store.list('component', projectOf(input).uid)),
      }),
    },
    get_component: {
      toolSets: ['component'],
      action: 'component:view',
      title: 'Get a component by its name',
      input: {namespace_name, project_name, component_name: z.string().describe('Name of the component')},
      run: (input, visit) => {
        const component = store.find('component', input.component_name ?? '', projectOf(input).uid);
        return shown('component:view', visit, found('component', component));
      },
    },
    create_component: {
      toolSets: ['component'],
      action: 'component:create',
      title: 'Create a component in a project',
      input: {namespace_name, project_name, name},
      run: (input, visit) => {
        const project = projectOf(input);
        allow('component:create', visit, placeOf(store, project));
        const attributes = {type: 'deployment/service', auto_deploy: true};
        return resourceView(
          store,
          store.create({kind: 'component', name: input.name ?? '', parentUid: project.uid, attributes}),
        );
      },
    },
    list_environments: infrastructure('environment', 'environment:view', 'environments', ['deployment', 'pe']),
    list_dataplanes: infrastructure('data-plane', 'dataplane:view', 'dataplanes', ['pe']),
  };
};
