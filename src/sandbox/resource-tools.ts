import type {CallToolResult, McpServer, RegisteredTool} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {
  kindNames,
  kinds,
  parentField,
  ResourceError,
  type ResourceKind,
  type ResourceStore,
  resourceView,
  uuid,
} from './resources.ts';
import type {Access} from './roles.ts';

/** The caller on whose behalf a server answers. */
export type ToolCallContext = {
  /** Returns what the caller of the current request may do. */
  readonly access: () => Access;
};

/** A tool that a server offers. */
export type OfferedTool = {
  readonly tool: RegisteredTool;
  /** The action that a caller must be allowed to use; undefined if anyone may call the tool. */
  readonly action?: string;
  /** The sets that the tool belongs to. */
  readonly toolSets?: readonly string[];
};

/** Registers a server's tools, and returns all of them by name. */
export type RegisterTools = (server: McpServer, visit: ToolCallContext) => ReadonlyMap<string, OfferedTool>;

/**
 * Runs a tool and returns its answer as text and as structured content (MCP 2025-11-25, tools, structured content). A
 * ResourceError becomes a result that the assistant can read and act on; any other error becomes a protocol error.
 */
export const toolResult = (run: () => Record<string, unknown>): CallToolResult => {
  try {
    const structuredContent = run();
    return {content: [{type: 'text', text: JSON.stringify(structuredContent)}], structuredContent};
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return {content: [{type: 'text', text: error.message}], isError: true};
  }
};

/**
 * Registers five tools for each kind of resource: list, get, create, update and delete. They check no role, since the
 * releases that have these tools have no roles. Like all tools of the platform, they have no annotations.
 */
export const resourceTools =
  (store: ResourceStore): RegisterTools =>
  server =>
    new Map(kindNames.flatMap(kind => registerTools(server, store, kind)));

const registerTools = (
  server: McpServer,
  store: ResourceStore,
  kind: ResourceKind,
): readonly (readonly [string, OfferedTool])[] => {
  const {plural, summary, parent, fields} = kinds[kind];
  const names = {
    list: `list_${plural}`,
    get: `get_${kind}`,
    create: `create_${kind}`,
    update: `update_${kind}`,
    remove: `delete_${kind}`,
  };
  const owner = parentField(kind);
  const view = (resource: ReturnType<ResourceStore['get']>) => ({[kind]: resourceView(store, resource)});
  const uid = uuid.describe(`UID of the ${kind}`);
  const parentUid = (text: string): Shape => (owner ? {[owner]: uuid.describe(text)} : {});
  const parentOf = (input: Input) => (owner && typeof input[owner] === 'string' ? input[owner] : undefined);

  const list = server.registerTool(
    names.list,
    {
      title: `List ${plural}`,
      description: `Lists ${plural} with their UIDs${parent ? `, all of them or those of one ${parent}` : ''}. ${summary}`,
      inputSchema: z.object(optional(parentUid(`Only ${plural} of the ${parent} with this UID`))),
    },
    input => toolResult(() => ({[plural]: store.list(kind, parentOf(input)).map(one => resourceView(store, one))})),
  );

  const get = server.registerTool(
    names.get,
    {
      title: `Get ${kind}`,
      description: `Shows one ${kind} by its UID. ${summary}`,
      inputSchema: z.object({uid}),
    },
    input => toolResult(() => view(store.get(kind, input.uid))),
  );

  const create = server.registerTool(
    names.create,
    {
      title: `Create ${kind}`,
      description: `Creates a new ${kind}${parent ? ` in an existing ${parent}` : ''} and shows it with its UID. ${summary}`,
      inputSchema: z.object({name, ...parentUid(`UID of the ${parent} that it belongs to`), ...texts, ...fields}),
    },
    input =>
      toolResult(() => {
        const change = changeOf(kind, input);
        return view(store.create({kind, name: input.name, parentUid: parentOf(input), ...change}));
      }),
  );

  const update = server.registerTool(
    names.update,
    {
      title: `Update ${kind}`,
      description: `Changes the given fields of an existing ${kind}, and leaves the others as they are.`,
      inputSchema: z.object({uid, ...texts, ...optional(fields)}),
    },
    input => toolResult(() => view(store.update(kind, input.uid, changeOf(kind, input)))),
  );

  const remove = server.registerTool(
    names.remove,
    {
      title: `Delete ${kind}`,
      description: `Deletes the ${kind} with a UID for good. Fails while another resource still uses it.`,
      inputSchema: z.object({uid}),
    },
    input => toolResult(() => ({deleted: {kind, uid: store.delete(kind, input.uid).uid}})),
  );

  return Object.entries({list, get, create, update, remove}).map(([verb, tool]) => [
    names[verb as keyof typeof names],
    {tool},
  ]);
};

type Shape = Readonly<Record<string, z.ZodType>>;

type Input = Readonly<Record<string, unknown>>;

const name = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
  .describe('Unique name: up to 63 lower case letters, digits and inner hyphens');

const texts = {
  display_name: z.string().max(200).optional().describe('Name as people see it'),
  description: z.string().max(2000).optional().describe('What it is for'),
};

/** Returns the same fields, without required ones or defaults. */
const optional = (shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, type]) => [
      key,
      z.optional(type instanceof z.ZodDefault ? type.unwrap() : type).describe(type.description ?? ''),
    ]),
  );

const changeOf = (kind: ResourceKind, {display_name, description, ...input}: Input) => ({
  displayName: typeof display_name === 'string' ? display_name : undefined,
  description: typeof description === 'string' ? description : undefined,
  attributes: Object.fromEntries(
    Object.entries(input).filter(([key, value]) => key in kinds[kind].fields && value !== undefined),
  ),
});
