import type {AccountPurpose, Source} from '../../domain/context.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import {pathBelow} from '../../domain/paths.ts';
import type {Whose} from '../../errors/error-row.ts';
import type {Layout, Service} from '../../platform/platform.ts';
import {shortPath} from '../../store/own-paths.ts';
import {duration} from '../../text.ts';
import type {SignIn} from '../model.ts';
import type {PathsShown} from '../step.ts';

/** The names of things as people see them, the same everywhere. */
export const serviceName: Readonly<Record<Service, string>> = {
  'control-plane': 'Control plane',
  'identity-provider': 'Identity provider',
  observer: 'Observer',
};

export const serverName: Readonly<Record<McpServer, string>> = {
  'control-plane': 'Control plane MCP server',
  observability: 'Observability MCP server',
};

/** Returns the IDs of one or more MCP clients in words. */
const mcpClients = (ids: readonly string[]): string =>
  `MCP ${ids.length === 1 ? 'client' : 'clients'} ${ids.join(' and ')}`;

/** Names the secrets of one or more MCP clients, in the middle of a sentence. */
export const secretsOf = (ids: readonly string[]): string =>
  `the ${ids.length === 1 ? 'secret' : 'secrets'} of the ${mcpClients(ids)}`;

/** Says that one or more MCP clients are saved with their secrets. @param when `was` for an earlier run */
export const clientsSaved = (ids: readonly string[], when: 'is' | 'was'): string => {
  const many = {is: 'are', was: 'were'} as const;
  return ids.length === 1
    ? `The ${mcpClients(ids)} ${when} saved, with its secret.`
    : `The ${mcpClients(ids)} ${many[when]} saved, with their secrets.`;
};

/** Says when something ends, as the end of a sentence. @param ms how long it still lasts, in milliseconds */
export const ending = (ms: number): string => (ms <= 0 ? 'has ended' : `ends in ${duration(Math.max(ms, 1_000))}`);

/** Says how long a server took to answer, as the end of a sentence. @param ms milliseconds */
export const tookLong = ({service, ms}: {readonly service: Service; readonly ms: number}): string =>
  `the ${serviceName[service].toLowerCase()} took ${duration(ms)} to answer.`;

/** Short names, for texts that are clearly about MCP servers. */
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

/** Where one of several platforms is, to follow its name. */
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

/** Describes a deployment: with its layout if that is known. Newer releases do not reveal it. */
export const deploymentName = (baseDomain: string, layout: Layout | 'unknown'): string =>
  layout === 'unknown' ? baseDomain : `${baseDomain}, ${layoutName[layout]}`;

/** The words before the remedy, by who has to act after the failure. */
export const turnOf: Readonly<Record<Whose, string>> = {
  you: 'What to do:',
  // The remedy itself says whom to ask.
  platform: 'What to do:',
  either: 'What to do:',
  us: 'A bug in platform-setup:',
};

/** Returns a path for the screen: relative to the directory of a demonstration, else with `~` for the home. */
export const showPath = (path: string, {demo, place}: PathsShown): string =>
  (demo && pathBelow(path, demo.directory)) ?? shortPath(path, place.home);

/** Returns a file's path for the screen, with the target if it is a link. */
export const showFile = ({path, leadsTo}: {path: string; leadsTo?: string}, settings: PathsShown): string =>
  leadsTo === undefined ? showPath(path, settings) : `${showPath(path, settings)} → ${showPath(leadsTo, settings)}`;

/** Names whom assistants act as without an account of their own: the platform sees the client of a client's sign-in. */
export const actorName = ({signIn, clientId}: {readonly signIn: string; readonly clientId: string}): string =>
  signIn === 'browser' ? 'you' : clientId;

/** What an account of the assistants is for, after its name. Only the control plane knows what it may do. */
export const purposeOf: Readonly<Record<AccountPurpose, string>> = {
  look: 'meant only to look',
  build: 'meant to build services',
  run: 'meant to run the platform',
};

/** The same in words that follow “can”, for a choice. */
export const purposeName: Readonly<Record<AccountPurpose, string>> = {
  look: 'only look',
  build: 'build services',
  run: 'run the platform',
};
