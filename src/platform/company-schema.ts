import * as z from 'zod';

const text = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'has characters that cannot be shown');
const label = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, 'is not the beginning of a host name');
const resource = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'is not a Kubernetes name');
// A path with two leading slashes would be an address of another host.
const path = z
  .string()
  .max(200)
  .regex(/^\/(?!\/)[\w.~!$&'()*+,;=:@%/-]*$/, 'is not a path: one slash, then no spaces, no ? and no #');
const id = z
  .string()
  .max(200)
  .regex(/^[\w.~:@+][\w.~:@/+-]*$/, 'is not a client ID');
const scope = z
  .string()
  .max(200)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, 'is not a scope');
const serverName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'is not an MCP server name');
const dotted = z
  .string()
  .max(200)
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'is not a list of keys joined by dots');
const member = z
  .string()
  .max(100)
  .regex(/^[\w-]+$/, 'is not the name of a member');
const port = z.int().min(1).max(65_535);
const line = z.string().regex(/^\d+\.\d+$/, 'is not a release, such as 1.2');
const url = z.url({protocol: /^https?$/, error: 'is not an address'});
const route = z.strictObject({name: resource, namespace: resource});
const client = z.strictObject({clientId: id, from: line});

/**
 * The members of a descriptor that a company may change under `platform`. The file also has a name and a base domain of
 * its own. It can change nothing else that is built into this program.
 */
const changes = z.strictObject({
  labels: z
    .strictObject({'control-plane': label, 'identity-provider': label, observer: label})
    .partial()
    .optional()
    .describe('The part of each service’s host name before the base domain'),
  observabilityLabel: label.optional().describe('The part between the observer’s label and the base domain'),
  ports: z
    .strictObject({gateway: port, observer: z.strictObject({single: port, multi: port}).partial()})
    .partial()
    .optional()
    .describe('TCP ports of a deployment over plain http, and of one below localhost over https; any other uses 443'),
  paths: z
    .strictObject({
      ...{health: path, version: path, mcp: path, protectedResource: path, developerPortal: path, flowExecute: path},
      ...{applications: path, authorize: path, token: path, namespaces: path, profile: path, readiness: path},
      cliDiscovery: z.array(path).max(8),
    })
    .partial()
    .optional()
    .describe('Paths of the services'),
  recognition: z
    .strictObject({versionName: text, resourceNames: z.array(text).max(8)})
    .partial()
    .optional()
    .describe('The names that the services give themselves'),
  cluster: z
    .strictObject({
      release: resource,
      namespace: resource,
      authority: route,
      routes: z
        .strictObject({
          'control-plane': z.array(route).min(1).max(8),
          'identity-provider': z.array(route).min(1).max(8),
          observer: z.array(route).min(1).max(8),
        })
        .partial(),
      values: z
        .strictObject({
          ...{baseDomain: dotted, port: dotted, tls: dotted, controlPlaneUrl: dotted},
          ...{controlPlaneHosts: dotted, issuer: dotted},
        })
        .partial(),
    })
    .partial()
    .optional()
    .describe('The Helm release and the routes in the cluster'),
  callbackUrl: url.optional().describe('The redirect URL of the CLI client'),
  cliClient: z
    .strictObject({name: text, clientId: id, scopes: z.array(scope).max(20)})
    .partial()
    .optional()
    .describe('The public client that people sign in with, if the control plane does not name it'),
  externalClientsKey: member.optional().describe('The member of the resource metadata that lists people’s clients'),
  preparedClients: z.array(client).max(8).optional().describe('Clients that an installation creates for assistants'),
  assistantClient: client.optional().describe('The public client for people’s assistants'),
  sampleApplication: z
    .strictObject({name: text, clientId: id, redirectUri: url})
    .partial()
    .optional()
    .describe('The sample application of the identity provider'),
  mcpServers: z
    .strictObject({controlPlane: serverName, observability: serverName})
    .partial()
    .optional()
    .describe('The names of the two MCP servers in assistants'),
});

const defaults = z.strictObject({
  assistants: z
    .array(z.string().regex(/^[a-z][a-z0-9-]*$/, 'is not the name of an assistant'))
    .max(50)
    .optional()
    .describe('The assistants that the wizard ticks if they are installed'),
  scope: z
    .enum(['user', 'project'])
    .optional()
    .describe('Whether entries apply to all of a person’s projects or to one'),
  method: z.enum(['auto', 'helper', 'bridge', 'header', 'oauth']).optional().describe('How assistants stay signed in'),
  tools: z.enum(['all', 'build', 'run', 'look']).optional().describe('The tools of the platform that assistants get'),
  assistantsAs: z
    .enum(['you', 'look', 'build', 'run'])
    .optional()
    .describe('As whom assistants act: as the person, or with an account of their own for a purpose'),
  signIn: z
    .enum(['browser', 'create-mcp-client', 'mcp-client', 'service-account'])
    .optional()
    .describe('The sign-in method that the wizard suggests'),
});

/** A company file: a company's description of its platform, for everybody who sets up a machine for it. */
export const companySchema = z
  .strictObject({
    $schema: z.string().optional().describe('URL of this schema, for editors'),
    schemaVersion: z.literal(1),
    name: text.max(80).describe('The name that people use for the platform'),
    baseDomain: z
      .string()
      .max(253)
      .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, 'is not a base domain')
      .describe('The domain that contains every host of the platform'),
    extends: z.enum(['bundled', 'openchoreo']).describe('The kind of platform'),
    contact: text.optional().describe('The contact for questions: an address or the name of a channel'),
    documentation: z
      .array(z.strictObject({title: text, url}))
      .max(8)
      .optional()
      .describe('Pages to read'),
    minimumVersion: z
      .string()
      .regex(/^\d+\.\d+\.\d+$/, 'is not a version, such as 0.2.0')
      .optional()
      .describe('The oldest version of platform-setup that can use this file'),
    platform: changes.optional().describe('The differences from the kind of platform that it extends'),
    defaults: defaults.optional().describe('The choices that the wizard suggests'),
  })
  .meta({
    title: 'Company file of platform-setup',
    description:
      'A company’s description of its platform. Published at /.well-known/platform-setup.json of the base domain.',
  });
