import {z} from 'zod';

const text = z.string().min(1);
const path = z.string().regex(/^\/\S*$/, 'A path starts with a slash.');
const port = z.int().min(1).max(65_535);
const route = z.strictObject({name: text, namespace: text});
const dotted = z.string().regex(/^[\w-]+(\.[\w-]+)*$/, 'Keys of a values file, joined by dots.');

const action = z.string().regex(/^[a-z]+:(?:[a-z]+|\*)$/);

/** How a release grants a role. Absent if the release needs no roles. */
const roles = z.strictObject({
  /** The `apiVersion` of the resources that bind a role. */
  apiVersion: text,
  /** The kind of a binding for the whole platform, and the kind for a namespace or a project if there is one. */
  kind: text,
  projectKind: text.optional(),
  roleKind: text,
  /** Whether a binding names its role directly, or in a list of mappings with a scope each. */
  form: z.enum(['role-ref', 'role-mappings']),
  /** The roles that come with the release, ending with the one that allows everything. */
  brings: z.array(text).min(1),
  /**
   * Roles that do not come with the release, if the release's own roles would allow too much. `role-actions.json` has
   * the actions of each.
   */
  makes: z.array(text).min(1).optional(),
  /** The paths at which the control plane creates and deletes roles and bindings. Absent if it has no such API. */
  api: z.strictObject({roles: path, bindings: path}).optional(),
  /** The action that only an account with all rights has: granting roles. */
  everything: action,
  /** The group whose members have all rights from the start. */
  administrators: text,
});

/** A role, in words. */
const role = z.strictObject({
  name: text,
  /** The abilities of an account with the role, in words that follow “can”. */
  may: text,
  /** The purpose for which it is the least sufficient role. */
  for: z.enum(['look', 'build', 'run']).optional(),
  /** The roles that an account needs besides it, if they come with the release. */
  with: z.array(text).optional(),
  /** The role that has to accompany it for a single project: objects of the namespace are outside the project. */
  besides: text.optional(),
});

/** Names of tool sets, as the control plane's MCP server accepts them in its address. */
const toolSets = z.array(z.string().regex(/^[a-z][a-z-]*$/)).min(1);

const release = z.strictObject({
  /** The first two numbers of the version. */
  line: z.string().regex(/^\d+\.\d+$/),
  /** A path that the previous release does not have. It identifies this release if the server does not name its own. */
  toldBy: path.optional(),
  /** The path under which the server lists components. It also decides the shape of the objects in the list. */
  components: z.enum(['by-project', 'by-namespace']),
  /** Headers without which this release answers with another variant of its API. */
  apiHeaders: z.record(z.string().regex(/^[A-Za-z][A-Za-z-]*$/), text).optional(),
  /** True if the observer's address distinguishes a single-cluster deployment from a multi-cluster one. */
  layoutInAddress: z.boolean(),
  /** The contents of the file of this release's own CLI. Absent if the platform has no CLI of its own. */
  cli: z
    .strictObject({
      /** The initial fields of a new context of the CLI, besides its names. */
      context: z.record(text, text),
      /** True if its credentials have a scope. */
      scope: z.boolean(),
    })
    .optional(),
  roles: roles.optional(),
  /**
   * The tool sets for a person who builds services, and for one who runs the platform. Absent if a client cannot
   * choose.
   */
  toolSets: z.strictObject({build: toolSets, run: toolSets}).optional(),
  /** The tools that only read although their names do not begin with a verb that says so. */
  readingTools: z
    .array(z.string().regex(/^[a-z][a-z0-9_]*$/))
    .min(1)
    .optional(),
});

/** The facts about a kind of platform that hold for all its deployments. A descriptor is a JSON file of this shape. */
export const platformSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** The usual name of the platform. */
  name: text,
  /** The base domain of a deployment on the person's own machine, tried if nothing else names one. */
  localBaseDomain: text,
  /** The leading label of each service's host. */
  labels: z.strictObject({'control-plane': text, 'identity-provider': text, observer: text}),
  /** The label between the observer's label and the base domain in the multi-cluster layout. */
  observabilityLabel: text,
  /** TCP ports of a deployment over plain http, and of a local one over https. Any other is on port 443. */
  ports: z.strictObject({gateway: port, observer: z.strictObject({single: port, multi: port})}),
  paths: z.strictObject({
    health: path,
    version: path,
    mcp: path,
    protectedResource: path,
    developerPortal: path,
    flowExecute: path,
    applications: path,
    authorize: path,
    token: path,
    namespaces: path,
    /** The path for the rights of the calling account, since the first release with roles. */
    profile: path,
    /** The paths of the CLI client in releases before 0.17, newest first; requested with `X-Use-OpenAPI: true`. */
    cliDiscovery: z.array(path),
    /** The path of the readiness answer of the bundled identity provider, which also reveals its generation. */
    readiness: path,
  }),
  /** The names by which a deployment of this kind is recognised, whatever its addresses are. */
  recognition: z.strictObject({
    /** `name` in the control plane's version. */
    versionName: text,
    /** `resource_name` in the metadata of the MCP servers. */
    resourceNames: z.array(text),
  }),
  /** Where the addresses can be read in a cluster. */
  cluster: z.strictObject({
    /** The Helm release of the control plane. */
    release: text,
    namespace: text,
    /**
     * The Secret with the authority that signs the gateway's certificate, if the platform creates its own authority.
     */
    authority: route.optional(),
    /** HTTPRoutes by the service that they lead to, under their names in all releases. */
    routes: z.strictObject({
      'control-plane': z.array(route).min(1),
      'identity-provider': z.array(route).min(1),
      observer: z.array(route).min(1),
    }),
    /** The keys in the values of the Helm release. Not every release has all of them. */
    values: z.strictObject({
      baseDomain: dotted,
      port: dotted,
      tls: dotted,
      controlPlaneUrl: dotted,
      controlPlaneHosts: dotted,
      issuer: dotted,
    }),
  }),
  /** The redirect URI that the identity provider has registered for the public CLI client. */
  callbackUrl: z.url(),
  /** The public CLI client, if the control plane does not name it. */
  cliClient: z.strictObject({name: text, clientId: text, scopes: z.array(text)}),
  /** The platform's own CLI, if there is one, and its configuration file below the person's home. */
  ownCli: z.strictObject({name: text, configPath: z.array(text).min(1)}).optional(),
  /** The member of the protected resource metadata that lists the clients for people (since 0.17). */
  externalClientsKey: text,
  /** Clients that an installation creates for assistants, with the first release that does. */
  preparedClients: z.array(z.strictObject({clientId: text, from: z.string().regex(/^\d+\.\d+$/)})),
  /** The public client that an installation creates for people's assistants, with the first release that does. */
  assistantClient: z.strictObject({clientId: text, from: z.string().regex(/^\d+\.\d+$/)}).optional(),
  /** The client of the pre-provisioned sample application; its application ID starts the admin sign-in. */
  sampleApplication: z.strictObject({name: text, clientId: text, redirectUri: z.url()}),
  /** The names of the two MCP servers in an assistant. */
  mcpServers: z.strictObject({controlPlane: text, observability: text}),
  /** The roles of its releases, those that allow less first. */
  roles: z.array(role),
  /** The releases that this program was made for, oldest first. */
  releases: z.array(release).min(1),
});
