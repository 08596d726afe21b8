import type {JWTPayload} from 'jose';
import type {Layout, Platform, Service} from '../platform/platform.ts';
import {controlPlane} from './control-plane.ts';
import type {Hooks, Wrap} from './fault-effects.ts';
import type {Handler, Hosts} from './http-server.ts';
import {type Application, type Applications, createApplications} from './identity/applications.ts';
import {
  createUsers,
  type InitialApplications,
  initialApplications,
  newSecret,
  registration,
  type Users,
} from './identity/initial-applications.ts';
import {createSigningKey, tokenVerifier} from './identity/issued-tokens.ts';
import {createIdentityProvider} from './identity/sandbox-provider.ts';
import {type ResourceMode, resourceServers, subjectOf} from './identity/token-endpoint.ts';
import {hooked, mcpEndpoint} from './mcp-endpoint.ts';
import {namedTools} from './named-tools.ts';
import {observabilityTools, observer} from './observer.ts';
import type {Installed, PlatformKind} from './platform-kinds.ts';
import {anyHost, forbiddenHost, resourceOf} from './protected-resource.ts';
import type {Extra, SandboxRelease} from './releases/release.ts';
import {roles015} from './releases/release-0-15.ts';
import {resourceTools} from './resource-tools.ts';
import {createResourceStore} from './resources.ts';
import {accessOf, type Bindings, type BoundRole, createBindings, fullAccess} from './roles.ts';
import {addProjects, type ProjectSeed, seed} from './seed.ts';
import {SandboxInputError} from './values.ts';

/** The address of a service of the sandbox. */
export type Address = {
  /** Scheme, host and port; no trailing slash. */
  readonly url: string;
  /** The `Host` headers that mean this service. */
  readonly hosts: readonly string[];
};

export type Addresses = {readonly [S in Service]: Address};

export type SandboxDeployment = {
  readonly platform: Pick<Platform, 'labels' | 'observabilityLabel'>;
  readonly scheme: 'http' | 'https';
  readonly layout: Layout;
  readonly baseDomain: string;
  readonly ports: {readonly gateway: number; readonly observer: number};
};

/**
 * Returns the addresses of a deployment (platform access section 1). Throws SandboxInputError if no URL can contain the
 * base domain.
 */
export const addressesOf = ({platform, scheme, layout, baseDomain, ports}: SandboxDeployment): Addresses => {
  // Only a host fits between a label and a port. With a path or the like, the text would be a URL too, but a different
  // one.
  const url = URL.parse(`http://label.${baseDomain}:1`);
  if (!baseDomain || url?.href !== `http://${url?.hostname}:1/`) {
    throw new SandboxInputError(`${JSON.stringify(baseDomain)} cannot be the base domain of a URL.`);
  }
  const {labels, observabilityLabel} = platform;
  const observer = layout === 'multi' ? `${labels.observer}.${observabilityLabel}` : labels.observer;
  return {
    'control-plane': address(scheme, `${labels['control-plane']}.${baseDomain}`, ports.gateway),
    'identity-provider': address(scheme, `${labels['identity-provider']}.${baseDomain}`, ports.gateway),
    observer: address(scheme, `${observer}.${baseDomain}`, ports.observer),
  };
};

const address = (scheme: string, hostname: string, port: number): Address => {
  const {origin, host, hostname: canonical} = new URL(`${scheme}://${hostname}:${port}`);
  // Clients omit the scheme's default port from `Host`, but they may send it (RFC 9110 7.2).
  return {url: origin, hosts: [...new Set([host, `${canonical}:${port}`])]};
};

export type ServicesOptions = Pick<InitialApplications, 'externalClients' | 'redirectUri' | 'accessTokenLifetime'> & {
  readonly kind: PlatformKind;
  readonly release: SandboxRelease;
  readonly resources: ResourceMode;
  readonly extras: readonly Extra[];
  readonly projects: readonly ProjectSeed[];
  readonly hooks: Hooks;
  readonly inFront?: {readonly [S in Service]?: Wrap};
};

export type Services = {
  readonly urls: {readonly controlPlane: string; readonly identityProvider: string; readonly observer: string};
  /** The hosts of each of the two ports. */
  readonly gateway: Hosts;
  readonly observability: Hosts;
  readonly users: Users;
  readonly applications: Applications;
  readonly bindings: Bindings;
  addProjects(projects: readonly ProjectSeed[]): void;
  /** Registers the CLI's clients again if the faults in force require another registration. */
  register(): void;
  /** Makes the identity provider sign with another key from now on. */
  renewKeys(): Promise<void>;
  /** Ends sessions and event streams. */
  close(): Promise<void>;
};

/** Builds the three services of a deployment with one signing key, one set of users, and one store of resources. */
export const createServices = async (deployment: SandboxDeployment, options: ServicesOptions): Promise<Services> => {
  const {kind, release, externalClients, accessTokenLifetime, extras, hooks, inFront = {}} = options;
  const installed = kind.installed[release.authorization?.groups ?? 'open'];
  const {clockOffset} = hooks;
  const addresses = addressesOf(deployment);
  const urls = {
    controlPlane: addresses['control-plane'].url,
    identityProvider: addresses['identity-provider'].url,
    observer: addresses.observer.url,
  };
  const issuer = urls.identityProvider;
  const key = await createSigningKey({padded: release.identity.tokens.paddedKeyId});
  const users = createUsers(peopleOf(installed.people, release.identity));
  const applications = createApplications();
  const initial = initialApplications({
    ...options,
    platform: kind.platform,
    installed: installed.clients,
    release: release.identity,
    issuer,
  });
  const register = registration(initial, applications, application => {
    if (!externalClients.some(({client_id}) => client_id === application.clientId)) return application;
    const accessTokenValidity = accessTokenLifetime ?? hooks.cliTokenLifetime() ?? application.accessTokenValidity;
    return hooks.cliClient({...application, accessTokenValidity});
  });
  register();
  const store = createResourceStore();
  seed(store, options.projects);

  const isTold = (rule: SandboxRelease['observerAddress']) =>
    rule === 'told' || (rule === 'told-to-clusters' && deployment.layout === 'multi');
  const observerUrl = isTold(release.observerAddress) ? urls.observer : (kind.untoldObserverUrl ?? urls.observer);
  const identifiers = {controlPlane: resourceOf(urls.controlPlane), observer: resourceOf(observerUrl)};
  // The same token is valid for both servers (platform access 1.2), unless each is a resource of its own.
  const servers = resourceServers(options.resources, identifiers);
  const acceptedBy = (server: keyof typeof identifiers) => () =>
    servers.accepted[server] ?? (hooks.audienceCounts() ? Object.values(identifiers) : undefined);
  const {scopes} = release.resourceMetadata;
  // In a release without roles, the roles of the next release can be bound.
  const bindings = createBindings(
    initialBindings(installed, initial, release),
    release.authorization?.roles ?? roles015,
  );
  const access = (claims: JWTPayload) => (release.authorization ? accessOf(claims, bindings) : fullAccess);
  const tools = {'by-uid': () => resourceTools(store), 'by-name': () => namedTools(store, release.mcp)};
  const resources = mcpEndpoint({
    serverInfo: {name: kind.names.controlPlane, title: 'Platform control plane', version: '1.0.0'},
    instructions: 'Manages projects, components, deployments and infrastructure. Lists show UIDs.',
    registerTools: tools[kind.tools ?? release.mcp.tools](),
    hidesTools: release.authorization?.hidesTools ?? false,
    hasToolSets: release.mcp.toolSets,
    noSession: release.mcp.noSession,
    faults: hooks,
    accessOf: access,
  });
  const telemetry = mcpEndpoint({
    serverInfo: {name: kind.names.observer, title: 'Platform observability', version: '1.0.0'},
    instructions: 'Answers with logs, metrics and traces. The UIDs that it takes come from the control plane.',
    registerTools: observabilityTools(store),
    hidesTools: false,
    hasToolSets: false,
    noSession: release.mcp.noSession,
    faults: hooks,
    accessOf: access,
  });

  const handlers: {readonly [S in Service]: Handler} = {
    'control-plane': controlPlane({
      url: urls.controlPlane,
      verify: tokenVerifier(key, {issuer, audiences: acceptedBy('controlPlane'), clockOffset}),
      mcp: hooked(resources, hooks),
      accessOf: access,
      ...{kind, release, issuer, store, bindings, externalClients, hooks},
    }),
    'identity-provider': await createIdentityProvider({
      ...{issuer, key, users, applications, extras, hooks},
      release: release.identity,
      resourceServers: servers,
    }),
    observer: observer({
      url: observerUrl,
      resourceName: kind.resourceNames.observer,
      additions: release.resourceMetadata.clients ? {[kind.securityMember]: false} : {},
      scopes,
      verify: tokenVerifier(key, {issuer, audiences: acceptedBy('observer'), clockOffset}),
      mcp: hooked(telemetry, hooks),
      authority: isTold(release.observerAuthority) ? issuer : (kind.untoldAuthority ?? issuer),
    }),
  };
  const inFrontOf = (service: Service): Handler => {
    const handler = hooks.before(service, handlers[service]);
    return inFront[service]?.(handler) ?? handler;
  };
  const strangers = {misdirected: () => undefined, served: anyHost, forbidden: () => forbiddenHost};
  const hosts = (...services: readonly [Service, ...Service[]]): Hosts => {
    const [first] = services;
    const stranger = strangers[release.mcp.foreignHost](inFrontOf(first));
    return {
      handlers: new Map(services.flatMap(service => hosted(addresses[service], inFrontOf(service)))),
      origins: new Set(Object.values(urls)),
      ...(stranger && {stranger}),
    };
  };

  return {
    urls,
    gateway: hosts('control-plane', 'identity-provider'),
    observability: hosts('observer'),
    users,
    applications,
    bindings,
    addProjects: projects => addProjects(store, projects),
    register,
    renewKeys: () => key.renew(),
    async close() {
      await Promise.all([resources.close(), telemetry.close()]);
    },
  };
};

/**
 * Returns the role bindings of the installation: for its clients, by the `sub` of their tokens, and for groups of
 * people.
 */
const initialBindings = (
  {clients, administrators}: Installed,
  initial: readonly Application[],
  {authorization, identity}: SandboxRelease,
): readonly BoundRole[] => {
  if (!authorization) return [];
  const role = authorization.roles.administrator;
  return [
    ...initial
      .filter(application => clients.some(one => one.clientId === application.clientId && one.administers))
      .map(application => ({claim: 'sub', value: subjectOf(application, identity), role})),
    ...administrators.map(value => ({claim: 'groups', value, role})),
  ];
};

/** Without a default password, the administrator gets a random one. */
const peopleOf = (
  [admin, ...others]: PlatformKind['installed']['open']['people'],
  {defaultPassword}: SandboxRelease['identity'],
) => [defaultPassword ? admin : {...admin, password: newSecret()}, ...others] as const;

const hosted = ({hosts}: Address, handler: Handler): [host: string, handler: Handler][] =>
  hosts.map(host => [host, handler]);
