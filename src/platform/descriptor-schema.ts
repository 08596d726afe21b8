import {z} from 'zod';

const text = z.string().min(1);
const path = z.string().regex(/^\/\S*$/, 'A path starts with a slash.');
const port = z.int().min(1).max(65_535);
const route = z.strictObject({name: text, namespace: text});
const dotted = z.string().regex(/^[\w-]+(\.[\w-]+)*$/, 'Keys of a values file, joined by dots.');

const action = z.string().regex(/^[a-z]+:(?:[a-z]+|\*)$/);

/** How a release grants a role. Absent where it asks for none. */
const roles = z.strictObject({
  /** Of the resources that bind a role. */
  apiVersion: text,
  /** The kind of a binding for the whole platform, and of one for a namespace or a project where there is one. */
  kind: text,
  projectKind: text.optional(),
  roleKind: text,
  /** Whether a binding names its role by itself, or in a list of mappings with a scope each. */
  form: z.enum(['role-ref', 'role-mappings']),
  /** The roles that come with the release, the one that may do everything last. */
  brings: z.array(text).min(1),
  /** Roles that it does not come with, and what each of them may do, where one of its own would allow too much. */
  makes: z.record(text, z.array(action).min(1)).optional(),
  /** The action of who may do everything: giving roles. */
  everything: action,
  /** The group whose members may do so from the start. */
  administrators: text,
});

/** A role, in words. */
const role = z.strictObject({
  name: text,
  /** What an account with it can do, after “can”. */
  may: text,
  /** For whom it is the least that serves. */
  for: z.enum(['build', 'run']).optional(),
  /** The role that belongs beside it where it is bound for one project: what lies in the namespace is not in the project. */
  besides: text.optional(),
});

/** Names of sets, as the control plane's MCP server takes them in its address. */
const toolSets = z.array(z.string().regex(/^[a-z][a-z-]*$/)).min(1);

const release = z.strictObject({
  /** The first two numbers of the version. */
  line: z.string().regex(/^\d+\.\d+$/),
  /** A path that the release before does not have, by which this one is told where it says nothing of itself. */
  toldBy: path.optional(),
  /** Under which path components are listed, and so in which shape. */
  components: z.enum(['by-project', 'by-namespace']),
  /** Headers without which this release answers another flavour of its API. */
  apiHeaders: z.record(z.string().regex(/^[A-Za-z][A-Za-z-]*$/), text).optional(),
  /** Whether the observer's address tells a single-cluster deployment from a multi-cluster one. */
  layoutInAddress: z.boolean(),
  /** What this release's own CLI has in its file. Absent where the platform has no CLI of its own. */
  cli: z
    .strictObject({
      /** The fields that a new context of its begins with, besides its names. */
      context: z.record(text, text),
      /** Whether its credentials have a scope. */
      scope: z.boolean(),
    })
    .optional(),
  roles: roles.optional(),
  /** The sets of tools that somebody wants who builds services, and who runs the platform. Absent where a client cannot choose. */
  toolSets: z.strictObject({build: toolSets, run: toolSets}).optional(),
});

/**
 * What is known of a kind of platform before any of its deployments is looked at. A descriptor is a JSON file of this
 * shape; no code knows more of one platform than its descriptor says.
 */
export const platformSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** What people call it. */
  name: text,
  /** The base domain of a deployment on the person's own machine, tried when nothing else names one. */
  localBaseDomain: text,
  /** The leading label of each service's host. */
  labels: z.strictObject({'control-plane': text, 'identity-provider': text, observer: text}),
  /** The label between the observer's and the base domain in the multi-cluster layout. */
  observabilityLabel: text,
  /** TCP ports of a plain-http local deployment. Behind https everything is on 443. */
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
    /** What the asking account may do, from the release on that has roles. */
    profile: path,
    /** Where releases before 0.17 tell their CLI client, newest first; asked with `X-Use-OpenAPI: true`. */
    cliDiscovery: z.array(path),
    /** How the bundled identity provider says that it is ready, and by that which generation it is. */
    readiness: path,
  }),
  /** By what a deployment of this kind is told from others, whatever its addresses are. */
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
    /** The Secret with the authority that signs what its gateway shows, where it makes one of its own. */
    authority: route.optional(),
    /** HTTPRoutes by what they lead to, as the releases have called them. */
    routes: z.strictObject({
      'control-plane': z.array(route).min(1),
      'identity-provider': z.array(route).min(1),
      observer: z.array(route).min(1),
    }),
    /** Where the values of the Helm release tell what, by release the one or the other. */
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
  /** The public CLI client, where the control plane does not tell it. */
  cliClient: z.strictObject({name: text, clientId: text, scopes: z.array(text)}),
  /** The platform's own CLI, where it has one, and its configuration file below the person's home. */
  ownCli: z.strictObject({name: text, configPath: z.array(text).min(1)}).optional(),
  /** The member of the protected resource metadata that lists the clients of people (from 0.17). */
  externalClientsKey: text,
  /** Clients that an installation makes for assistants, by the first release that does. */
  preparedClients: z.array(z.strictObject({clientId: text, from: z.string().regex(/^\d+\.\d+$/)})),
  /** The public client that an installation makes for people's assistants, by the first release that does. */
  assistantClient: z.strictObject({clientId: text, from: z.string().regex(/^\d+\.\d+$/)}).optional(),
  /** The client of the pre-provisioned sample application; its application ID starts the admin sign-in. */
  sampleApplication: z.strictObject({name: text, clientId: text, redirectUri: z.url()}),
  /** Labels under which an assistant knows the two MCP servers. */
  mcpServers: z.strictObject({controlPlane: text, observability: text}),
  /** The roles that its releases have, those that allow less first. */
  roles: z.array(role),
  /** The releases that this program was made for, oldest first. */
  releases: z.array(release).min(1),
});
