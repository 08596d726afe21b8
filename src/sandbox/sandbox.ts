import {X509Certificate} from 'node:crypto';
import type {Layout, Service} from '../platform/platform.ts';
import {type FaultsInForce, faultsInForce, type Wrap} from './fault-effects.ts';
import {type FaultName, remainingFaults} from './faults.ts';
import {type Certificate, hostRouter} from './http-server.ts';
import type {Application} from './identity/applications.ts';
import {type ResourceMode, subjectOf} from './identity/token-endpoint.ts';
import {openListeners} from './listeners.ts';
import {
  asCompany,
  companyFileAt,
  type Kind,
  type KindName,
  kinds,
  type Person,
  type SandboxCompany,
  servingFile,
} from './platform-kinds.ts';
import type {Extra, RefreshTokenUse, Release} from './releases/release.ts';
import {documentedRelease, type ReleaseName, releases} from './releases/releases.ts';
import type {RoleBinding} from './roles.ts';
import type {ProjectSeed} from './seed.ts';
import {type Addresses, addressesOf, createServices, type Services} from './services.ts';
import {defaultValues, externalClientsOf, SandboxInputError} from './values.ts';

/** Throws SandboxInputError when a certificate is not for these hosts: clients would refuse it for another reason than was asked for. */
export const certifiedFor = (addresses: Addresses, {certificate}: Certificate): void => {
  const parsed = new X509Certificate(certificate);
  for (const {url} of Object.values(addresses)) {
    const {hostname} = new URL(url);
    if (parsed.checkHost(hostname)) continue;
    throw new SandboxInputError(
      `The certificate of this fault is not for ${hostname}, but for ${parsed.subjectAltName}.`,
    );
  }
};

/** Whether whoever trusts a certificate gets on with it: not when it has expired. */
export const worthTrusting = ({certificate}: Certificate): boolean =>
  new X509Certificate(certificate).validToDate > new Date();

export type InstallationOptions = {
  /** As which release of the platform it answers. The documented one by default. */
  readonly release?: ReleaseName;
  /** Under which names. The documentation's own by default. */
  readonly platform?: KindName;
  /** Under whose names, in the place of that kind's own. */
  readonly company?: SandboxCompany;
  /** Whether refresh tokens are good once, again and again, or not given. By default as the release does. */
  readonly refreshTokens?: RefreshTokenUse;
  /** How long a person's sign-in lasts, however often it is renewed, in seconds. A day by default. */
  readonly signInLifetime?: number;
};

/** The release and the kind of platform that a sandbox is, with what was asked for otherwise. @throws SandboxInputError */
export const installationOf = (options: InstallationOptions): {readonly release: Release; readonly kind: Kind} => {
  const {release = documentedRelease, company, refreshTokens, signInLifetime} = options;
  const platform = (company?.platform.id as KindName | undefined) ?? options.platform ?? 'bundled';
  if (!Object.hasOwn(releases, release)) throw new SandboxInputError(`There is no release ${release}.`);
  if (!Object.hasOwn(kinds, platform)) throw new SandboxInputError(`There is no platform ${platform}.`);
  if (signInLifetime !== undefined && !(Number.isInteger(signInLifetime) && signInLifetime > 0)) {
    throw new SandboxInputError(`A sign-in cannot last for ${signInLifetime} seconds.`);
  }
  const as: Release = releases[release];
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
  /** Which resource servers are registered, and what audience servers take. By default as the release does. */
  readonly resources?: ResourceMode;
  /** Endpoints of the identity provider that the release does not have by itself. */
  readonly extras?: readonly Extra[];
  /** Projects that it has besides the usual one, in the namespace `default`. */
  readonly projects?: readonly ProjectSeed[];
  /** The gateway's port; 0 takes a free one. */
  readonly port?: number;
  readonly observerPort?: number;
  /** The control plane's configuration values (YAML), platform access 2.4. */
  readonly values?: string;
  /** What the external clients of the values have registered. The platform's by default. */
  readonly redirectUri?: string;
  /** The lifetime of access tokens of all clients that are there from the start, in seconds. An hour by default. */
  readonly accessTokenLifetime?: number;
  /** How it misbehaves. */
  readonly faults?: readonly FaultName[];
  /** What stands in front of its services and may answer in their place, for tests of what no fault is about. */
  readonly inFront?: {readonly [S in Service]?: Wrap};
};

export type SandboxClient = {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly tokenEndpointAuthMethod: Application['tokenEndpointAuthMethod'];
  readonly grantTypes: readonly string[];
  readonly redirectUris?: readonly string[];
  /** The `sub` of its own tokens, by which a role knows it. */
  readonly subject: string;
};

/** What somebody needs to know to use a running sandbox. URLs have no trailing slash. */
export type SandboxReady = {
  readonly type: 'ready';
  readonly release: ReleaseName;
  readonly platform: KindName;
  /** Where the company file is, where it goes by one. */
  readonly companyFile?: string;
  /** Whether roles count in this release. */
  readonly authorization: boolean;
  readonly layout: Layout;
  readonly baseDomain: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl: string;
  readonly authUrl: string;
  readonly admin: {readonly username: string; readonly password: string};
  /** Everybody who can sign in, the administrator included. */
  readonly people: readonly Pick<Person, 'username' | 'password' | 'groups'>[];
  /** Where an administrator sees the applications. */
  readonly portalUrl: string;
  /** The sample application's, for `POST /flow/execute`; empty where the release has none. */
  readonly applicationId: string;
  readonly clients: readonly SandboxClient[];
  readonly faults: readonly FaultName[];
  /** A certificate (PEM) that has to be trusted before anything here can be reached; absent when trust would not help. */
  readonly authority?: string;
};

export type Sandbox = {
  /** As it is at the moment: the clients, the faults and the certificate change with what is mended. */
  readonly ready: SandboxReady;
  /**
   * Lets faults begin while it runs. Nobody loses anything by it but what the fault itself takes away.
   *
   * @throws SandboxInputError for a fault that it can only be started with; Node's `EADDRINUSE` error when another
   *   program has a port that is to be taken. Everything stays as it was then.
   */
  raise(names: readonly FaultName[]): Promise<void>;
  /**
   * Ends faults while it runs, all of them unless some are named, as the operators would: keys, people, clients, tokens,
   * resources and ports stay. Requests that are being answered are answered as they began. An expired certificate is
   * renewed by one that is self-signed. That one no operator can mend, as its remedy is trust: `self-signed` stays in
   * force, and names that are not in force change nothing.
   *
   * @throws Node's `EADDRINUSE` error when another program has taken the observer's port. Everything stays as it was then.
   */
  mend(names?: readonly FaultName[]): Promise<void>;
  /**
   * Gives a role, in force at the next request. It counts in releases that have roles.
   *
   * @throws SandboxInputError for a role that does not exist
   */
  bind(binding: RoleBinding): void;
  /** Makes a role that the release does not come with, or changes one: what it allows, by names of actions. */
  define(role: string, actions: readonly string[]): void;
  /**
   * Gives the identity provider another signing key, as if it were installed anew. Access tokens of the old one are
   * good for nothing from then on; people, clients and refresh tokens stay.
   */
  renewKeys(): Promise<void>;
  /** Ends open connections and resolves when the ports are free again. */
  close(): Promise<void>;
};

/**
 * Starts a whole platform on loopback, in memory: identity provider, control plane and observer, each on its own host.
 *
 * @throws SandboxInputError when the options cannot be used; Node's `EADDRINUSE` or `EACCES` error, with its `port`,
 *   when a port is taken or may not be. Nothing stays open then.
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
  // Before anything opens, whatever the ports will be.
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
    bind: binding => services.bindings.add(binding),
    define: (role, actions) => services.bindings.define(role, actions),
    renewKeys: () => services.renewKeys(),
    async close() {
      await services.close();
      await listeners.close();
    },
  };
};

const needsRestart = 'Whether everything is served over https is decided when the sandbox starts.';

const clientOptions = (options: SandboxOptions, {platform}: Kind) => {
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
  {platform}: Kind,
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

const authorityIn = (certificate: Certificate | undefined) =>
  certificate && worthTrusting(certificate) ? {authority: certificate.certificate} : {};

const clientOf = (application: Application, {identity}: Release): SandboxClient => ({
  subject: subjectOf(application, identity),
  name: application.name,
  clientId: application.clientId,
  ...(application.clientSecret !== undefined && {clientSecret: application.clientSecret}),
  tokenEndpointAuthMethod: application.tokenEndpointAuthMethod,
  grantTypes: application.grantTypes,
  ...(application.redirectUris.length > 0 && {redirectUris: application.redirectUris}),
});
