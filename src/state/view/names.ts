import type {Source} from '../../domain/context.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import type {Whose} from '../../errors/errors.ts';
import type {Layout, Service} from '../../platform/platform.ts';
import type {SignIn} from '../model.ts';

/** What things are called in front of people, the same everywhere. */
export const serviceName: Readonly<Record<Service, string>> = {
  'control-plane': 'Control plane',
  'identity-provider': 'Identity provider',
  observer: 'Observer',
};

export const serverName: Readonly<Record<McpServer, string>> = {
  'control-plane': 'Control plane MCP server',
  observability: 'Observability MCP server',
};

/** Where it is clear that MCP servers are meant. */
export const shortServerName: Readonly<Record<McpServer, string>> = {
  'control-plane': 'control plane',
  observability: 'observability',
};

export const sourceName: Readonly<Record<Source, string>> = {
  given: 'Given',
  'saved-context': 'Saved context',
  'helm-release': 'Helm release',
  'gateway-route': 'Gateway route',
  'local-address': 'Local address',
};

/** Where a platform is that is one of several, behind its name. */
export const foundBy: Readonly<Record<Source, string>> = {
  given: 'as given',
  'saved-context': 'as saved',
  'helm-release': 'in the cluster of your kube context',
  'gateway-route': 'in the cluster of your kube context',
  'local-address': 'on this machine',
};

export const signInName: Readonly<Record<SignIn, string>> = {
  browser: 'In the browser',
  'create-mcp-client': 'Create an MCP client',
  'mcp-client': 'Use an MCP client',
  'service-account': 'With a service account',
};

export const layoutName: Readonly<Record<Layout, string>> = {
  single: 'single-cluster',
  multi: 'multi-cluster',
};

/** A deployment in a few words: its layout where that is known, which newer releases do not tell. */
export const deploymentName = (baseDomain: string, layout: Layout | 'unknown'): string =>
  layout === 'unknown' ? baseDomain : `${baseDomain}, ${layoutName[layout]}`;

/** Whose turn it is after a failure, as it stands before the remedy. */
export const turnOf: Readonly<Record<Whose, string>> = {
  you: 'What to do:',
  // What is to be done says whom to ask.
  platform: 'What to do:',
  us: 'A bug in platform-setup:',
};
