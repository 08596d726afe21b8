import {X509Certificate} from 'node:crypto';
import type {Layout, Service} from '../platform/platform.ts';
import {actionsMade} from '../platform/role-binding.ts';
import {type FaultsInForce, faultsInForce, type Wrap} from './fault-effects.ts';
import {type FaultName, remainingFaults} from './faults.ts';
import {hostRouter, type ServerCertificate} from './http-server.ts';
import type {Application} from './identity/applications.ts';
import {type ResourceMode, subjectOf} from './identity/token-endpoint.ts';
import {openListeners} from './listeners.ts';
import {
  asCompany,
  companyFileAt,
  type KindName,
  kinds,
  type Person,
  type PlatformKind,
  type SandboxCompany,
  servingFile,
} from './platform-kinds.ts';
import type {Extra, RefreshTokenUse, SandboxRelease} from './releases/release.ts';
import {documentedRelease, type ReleaseName, releases} from './releases/releases.ts';
import type {RoleBinding} from './roles.ts';
import type {ProjectSeed} from './seed.ts';
import {type Addresses, addressesOf, createServices, type Services} from './services.ts';
import {defaultValues, externalClientsOf, SandboxInputError} from './values.ts';

/**
 * Throws SandboxInputError if a certificate is not for these hosts: clients would then refuse it for another reason
 * than the requested fault.
 */
export const certifiedFor = (addresses: Addresses, {certificate}: ServerCertificate): void => {
  const parsed = new X509Certificate(certificate);
  for (const {url} of Object.values(addresses)) {
    const {hostname} = new URL(url);
    if (parsed.checkHost(hostname)) continue;
    throw new SandboxInputError(
      `The certificate of this fault is not for ${hostname}, but for ${parsed.subjectAltName}.`,
    );
  }
};

/** Whether it helps to trust a certificate: not if it has expired. */
export const worthTrusting = ({certificate}: ServerCertificate): boolean =>
  new X509Certificate(certificate).validToDate > new Date();

export type InstallationOptions = {
  /** The release of the platform. By default the documented one. */
  readonly release?: ReleaseName;
  /** The kind of platform. By default the one under the documentation's names. */
  readonly platform?: KindName;
  /** The company whose names replace those of that kind. */
  readonly company?: SandboxCompany;
  /** Whether refresh tokens can be used once or repeatedly, or are not issued. By default as in the release. */
  readonly refreshTokens?: RefreshTokenUse;
  /** The lifetime of a person's sign-in, however often it is renewed, in seconds. By default a day. */
  readonly signInLifetime?: number;
};

/**
 * Returns the release and the kind of platform of a sandbox, changed by its options.
 *
 * @throws SandboxInputError
 */
export const installationOf = (
  options: InstallationOptions,
): {readonly release: SandboxRelease; readonly kind: PlatformKind} => {
  const {release = documentedRelease, company, refreshTokens, signInLifetime} = options;
  const platform = (company?.platform.id as KindName | undefined) ?? options.platform ?? 'bundled';
  if (!Object.hasOwn(releases, release)) throw new SandboxInputError(`There is no release ${release}.`);
  if (!Object.hasOwn(kinds, platform)) throw new SandboxInputError(`There is no platform ${platform}.`);
  if (signInLifetime !== undefined && !(Number.isInteger(signInLifetime) && signInLifetime > 0)) {
    throw new SandboxInputError(`A sign-in cannot last for ${signInLifetime} seconds.`);
  }
  const as: SandboxRelease = releases[release];
  const {tokens} = as.identity;
  const own = {
    refreshTokens: refreshTokens ?? tokens.refreshTokens,
    signInLifetime: signInLifetime ?? tokens.signInLifetime,
  };
  return {
    release: {...as, identity: {...as.identity, tokens: {...tokens, ...own}}},
    kind: company ? asCompany(kinds[platform], company) : kinds[platform],
  };
};

export type SandboxOptions = InstallationOptions & {
  readonly layout: Layout;
  readonly baseDomain: string;
  /** Which resource servers are registered, and which audience the servers accept. By default as in the release. */
  readonly resources?: ResourceMode;
  /** Endpoints of the identity provider that the release itself does not have. */
  readonly extras?: readonly Extra[];
  /** Projects besides the usual one, in the namespace `default`. */
  readonly projects?: readonly ProjectSeed[];
  /** The gateway's port; 0 takes a free one. */
  readonly port?: number;
  readonly observerPort?: number;
  /** The control plane's configuration values (YAML; platform access 2.4). */
  readonly values?: string;
  /** The redirect URI that the external clients of the values have registered. By default the platform's. */
  readonly redirectUri?: string;
  /** The lifetime, in seconds, of the access tokens of all initial clients. By default each client has its own. */
  readonly accessTokenLifetime?: number;
  /** The faults to start with. */
  readonly faults?: readonly FaultName[];
  /**
   * Wrappers in front of the services, which may answer instead of them. For tests of behaviour that no fault covers.
   */
  readonly inFront?: {readonly [S in Service]?: Wrap};
};

export type SandboxClient = {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly tokenEndpointAuthMethod: Application['tokenEndpointAuthMethod'];
  readonly grantTypes: readonly string[];
  readonly redirectUris?: readonly string[];
  /** The `sub` of the client's own tokens, by which roles know it. */
  readonly subject: string;
};

/** The information for users of a running sandbox. URLs have no trailing slash. */
export type SandboxReady = {
  readonly type: 'ready';
  readonly release: ReleaseName;
  readonly platform: KindName;
  /** The address of the company file, if there is one. */
  readonly companyFile?: string;
  /** True if this release grants access by roles. */
  readonly authorization: boolean;
  readonly layout: Layout;
  readonly baseDomain: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl: string;
  readonly authUrl: string;
  readonly admin: {readonly username: string; readonly password: string};
  /** Everyone who can sign in, including the administrator. */
  readonly people: readonly Pick<Person, 'username' | 'password' | 'groups'>[];
  /** The address at which an administrator sees the applications. */
  readonly portalUrl: string;
  /** The ID of the sample application, for `POST /flow/execute`; empty if the release has none. */
  readonly applicationId: string;
  readonly clients: readonly SandboxClient[];
  readonly faults: readonly FaultName[];
  /**
   * A certificate (PEM) that clients must trust before they can reach anything here; absent if trusting it would not
   * help.
   */
  readonly authority?: string;
};

export type Sandbox = {
  /** The current state: the clients, the faults and the certificate change when faults begin or end. */
  readonly ready: SandboxReady;
  /**
   * Starts faults while the sandbox runs. Clients lose only what the fault itself takes away.
   *
   * @throws SandboxInputError for a fault that the sandbox can only be started with; Node's `EADDRINUSE` error if
   *   another program has a port that is needed. Everything stays as it was then.
   */
  raise(names: readonly FaultName[]): Promise<void>;
  /**
   * Ends faults while the sandbox runs, by default all of them, as the operators would: keys, people, clients, tokens,
   * resources and ports stay. Requests in progress are answered as they began. An expired certificate is replaced by a
   * self-signed one. That one cannot be mended by operators, since its remedy is trust: `self-signed` stays in force.
   * Names that are not in force change nothing.
   *
   * @throws Node's `EADDRINUSE` error if another program has taken the observer's port. Everything stays as it was
   *   then.
   */
  mend(names?: readonly FaultName[]): Promise<void>;
  /**
   * Binds a role, in force from the next request on. It has an effect only in releases with roles. A role that setup
   * would have an administrator create for this release is created as well.
   *
   * @throws SandboxInputError for a role that does not exist
   */
  bind(binding: RoleBinding): void;
  /** Adds projects with their components, in the namespace `default`. */
  addProjects(projects: readonly ProjectSeed[]): void;
  /** Creates or changes a role. `actions` are the names of the actions that it allows. */
  define(role: string, actions: readonly string[]): void;
  /**
   * Gives the identity provider another signing key, as a new installation would. Access tokens of the old key are
   * invalid from then on; people, clients and refresh tokens stay.
   */
  renewKeys(): Promise<void>;
  /** Closes open connections and resolves when the ports are free again. */
  close(): Promise<void>;
};

/**
 * Starts a whole platform on loopback, in memory: identity provider, control plane and observer, each on its own host.
 *
 * @throws SandboxInputError if the options cannot be used; Node's `EADDRINUSE` or `EACCES` error, with its `port`, if a
 *   port is taken or not permitted. Nothing stays open then.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const {kind, release} = installationOf(options);
  const {platform} = kind;
  const {layout, port = platform.ports.gateway} = options;
  const observerPort = options.observerPort ?? (port === 0 ? 0 : platform.ports.observer[layout]);
  const inForce = faultsInForce(options.faults ?? []);
  const {hooks} = inForce;
  const clients = clientOptions(options, kind);
  const certificate = hooks.certificate();
  const scheme = certificate ? 'https' : 'http';
  // This check comes before any port is opened; the ports do not matter for it.
  const addresses = addressesOf({...options, platform, scheme, ports: {gateway: 0, observer: 0}});
  if (certificate) certifiedFor(addresses, certificate);

  const {redirectUri} = clients;
  const listeners = await openListeners({ports: {gateway: port, observer: observerPort}, redirectUri, hooks});
  const deployment = {...options, platform, scheme, ports: listeners.ports} as const;
  const services = await createServices(deployment, {
    resources: options.resources ?? release.identity.resources.registered,
    extras: options.extras ?? [],
    projects: options.projects ?? [],
    inFront: options.inFront ?? {},
    ...clients,
    ...{kind, release, hooks},
  }).catch(async error => {
    await listeners.close();
    throw error;
  });
  const {company} = options;
  const {gateway} = services;
  const fileAt = company && companyFileAt(options.baseDomain, services.urls.controlPlane);
  listeners.serve('gateway', hostRouter(company && fileAt ? servingFile(gateway, fileAt, company) : gateway));
  listeners.serve('observability', hostRouter(services.observability));

  const change = async (names: readonly FaultName[]) => {
    const before = inForce.names();
    inForce.set(names);
    try {
      if (scheme === 'http' && hooks.certificate()) throw new SandboxInputError(needsRestart);
      await listeners.settle();
    } catch (error) {
      inForce.set(before);
      throw error;
    }
    services.register();
  };
  return {
    get ready() {
      return readyLine(options, kind, services, inForce);
    },
    raise: names => change([...inForce.names(), ...names]),
    mend: (names = inForce.names()) => change(remainingFaults(inForce.names(), names)),
    addProjects: projects => services.addProjects(projects),
    bind: binding => {
      const {role} = binding;
      const {bindings} = services;
      // An operator applies such a role together with its binding, as setup shows them.
      const isKnown = role === undefined || role in bindings.known().roles;
      const actions = isKnown ? undefined : actionsMade(platform, release.version.version, role);
      if (role !== undefined && actions) bindings.define(role, actions);
      bindings.add(binding);
    },
    define: (role, actions) => services.bindings.define(role, actions),
    renewKeys: () => services.renewKeys(),
    async close() {
      await services.close();
      await listeners.close();
    },
  };
};

const needsRestart = 'Whether everything is served over https is decided when the sandbox starts.';

const clientOptions = (options: SandboxOptions, {platform}: PlatformKind) => {
  const {values = defaultValues(platform), redirectUri = platform.callbackUrl, accessTokenLifetime} = options;
  const externalClients = externalClientsOf(values);
  // RFC 6749 3.1.2.
  if (!URL.canParse(redirectUri) || redirectUri.includes('#')) {
    throw new SandboxInputError(`${redirectUri} cannot be a redirect URI.`);
  }
  if (accessTokenLifetime !== undefined && !(Number.isInteger(accessTokenLifetime) && accessTokenLifetime > 0)) {
    throw new SandboxInputError(`An access token cannot live for ${accessTokenLifetime} seconds.`);
  }
  return {externalClients, redirectUri, ...(accessTokenLifetime === undefined ? {} : {accessTokenLifetime})};
};

const readyLine = (
  {layout, baseDomain, release = documentedRelease, company}: SandboxOptions,
  {platform}: PlatformKind,
  {urls, users, applications}: Services,
  {names, hooks}: FaultsInForce,
): SandboxReady => ({
  type: 'ready',
  release,
  platform: platform.id as KindName,
  ...(company ? {companyFile: companyFileAt(baseDomain, urls.controlPlane).href} : {}),
  authorization: 'authorization' in releases[release],
  layout,
  baseDomain,
  controlPlaneUrl: urls.controlPlane,
  observerUrl: urls.observer,
  authUrl: urls.identityProvider,
  admin: {username: users.admin.username, password: users.admin.password},
  people: users.list().map(({username, password, groups}) => ({username, password, groups})),
  portalUrl: `${urls.identityProvider}${releases[release].identity.portal}`,
  applicationId: applications.byClientId(platform.sampleApplication.clientId)?.id ?? '',
  clients: applications.list().map(one => clientOf(one, releases[release])),
  faults: names(),
  ...authorityIn(hooks.certificate()),
});

const authorityIn = (certificate: ServerCertificate | undefined) =>
  certificate && worthTrusting(certificate) ? {authority: certificate.certificate} : {};

const clientOf = (application: Application, {identity}: SandboxRelease): SandboxClient => ({
  subject: subjectOf(application, identity),
  name: application.name,
  clientId: application.clientId,
  ...(application.clientSecret !== undefined && {clientSecret: application.clientSecret}),
  tokenEndpointAuthMethod: application.tokenEndpointAuthMethod,
  grantTypes: application.grantTypes,
  ...(application.redirectUris.length > 0 && {redirectUris: application.redirectUris}),
});
