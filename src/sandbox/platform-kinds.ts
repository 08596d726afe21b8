import {COMPANY_FILE_PATH} from '../platform/addresses.ts';
import type {Platform} from '../platform/platform.ts';
import {bundled, openchoreo} from '../platform/platforms.ts';
import {type Hosts, router, sendJson} from './http-server.ts';
import type {AuthMethod} from './identity/applications.ts';
import type {SandboxRelease} from './releases/release.ts';

export type Person = {
  readonly username: string;
  readonly password: string;
  readonly givenName: string;
  readonly email: string;
  readonly groups: readonly string[];
  /** The permissions that a flow may grant this person (platform access 2.2). */
  readonly permissions: readonly string[];
};

/** A client that exists from the start. */
export type InstalledClient = {
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
  /** If absent, each sandbox creates its own. Set only for a secret that is publicly known. */
  readonly clientSecret?: string;
  readonly tokenEndpointAuthMethod: AuthMethod;
  readonly grantTypes: readonly string[];
  readonly redirectUris?: readonly string[];
  /** In seconds; absent for the usual lifetime. */
  readonly accessTokenValidity?: number;
  /** True if the client may do everything from the start. */
  readonly administers?: boolean;
};

/** The people and clients of an installation. */
export type Installed = {
  /** The first one administers the identity provider. */
  readonly people: readonly [Person, ...Person[]];
  readonly clients: readonly InstalledClient[];
  /** The groups whose members may do everything from the start. */
  readonly administrators: readonly string[];
};

/** A platform with names of its own: the same services under other names. */
export type PlatformKind = {
  readonly platform: Platform;
  /** The names of the services in `/version` and towards MCP clients. */
  readonly names: {readonly controlPlane: string; readonly observer: string};
  /** The `resource_name` of each server (RFC 9728 2). */
  readonly resourceNames: {readonly controlPlane: string; readonly observer: string};
  /** The member of the resource metadata that says whether tokens are required. */
  readonly securityMember: string;
  /** Set if the platform determines the names of the tools, and not the release. */
  readonly tools?: 'by-name';
  /** The address that the observer believes to be its own if it was not told. */
  readonly untoldObserverUrl?: string;
  /** The identity provider that the observer names if it was not told one: a placeholder without any other use. */
  readonly untoldAuthority?: string;
  /**
   * The people and clients of an installation: `open` for a release without roles, otherwise by its
   * `authorization.groups`.
   */
  readonly installed: {readonly [G in 'open' | NonNullable<SandboxRelease['authorization']>['groups']]: Installed};
};

const bundledPerson = (name: string, givenName: string, groups: readonly string[], permissions: readonly string[]) => ({
  username: name,
  password: name,
  email: `${name}@platform.example`,
  ...{givenName, groups, permissions},
});

/** Releases with roles come with a client that has a role. Its secret is in the charts. */
const serviceMcpClient: InstalledClient = {
  name: 'Service MCP Client',
  description: 'MCP client for services',
  clientId: 'service_mcp_client',
  clientSecret: 'service_mcp_client_secret',
  tokenEndpointAuthMethod: 'client_secret_basic',
  grantTypes: ['client_credentials'],
  accessTokenValidity: 86_400,
  administers: true,
};

const installed: Installed = {
  people: [
    bundledPerson('admin', 'Admin', ['platform-engineers'], ['system']),
    bundledPerson('developer', 'Dev', ['developers'], []),
  ],
  clients: [
    // Platform access 5.5: the CLI sends a service account's secret in the body.
    {
      name: 'Service account',
      description: 'Service account for the command-line client',
      clientId: 'service_account',
      tokenEndpointAuthMethod: 'client_secret_post',
      grantTypes: ['client_credentials'],
    },
    // Platform access 5.3. It does not have the name or ID of the documentation's example, which people create by hand.
    {
      name: 'Sandbox MCP client',
      description: 'Client for the MCP servers',
      clientId: 'sandbox_mcp_client',
      tokenEndpointAuthMethod: 'client_secret_basic',
      grantTypes: ['client_credentials'],
      administers: true,
    },
  ],
  administrators: ['platform-engineers'],
};

const withRoles: Installed = {...installed, clients: [...installed.clients, serviceMcpClient]};

/** The platform under the names of its own documentation. */
export const bundledKind: PlatformKind = {
  platform: bundled,
  names: {controlPlane: 'platform-api', observer: 'platform-observer'},
  resourceNames: {controlPlane: 'Platform MCP Server', observer: 'Platform Observer MCP Server'},
  securityMember: 'security_enabled',
  installed: {open: installed, engineers: withRoles, 'by-task': withRoles},
};

const openchoreoPerson = (name: string, password: string, givenName: string, group: string): Person => ({
  username: `${name}@openchoreo.dev`,
  email: `${name}@openchoreo.dev`,
  groups: [group],
  permissions: [],
  ...{password, givenName},
});

/** The identity provider's own account. It administers the identity provider, and has no role on the platform. */
const administrator: Person = {
  username: 'admin',
  password: 'admin',
  givenName: 'Admin',
  email: 'admin@openchoreo.dev',
  groups: [],
  permissions: ['system'],
};

const engineers = [administrator, openchoreoPerson('admin', 'Admin@123', 'Admin', 'platformEngineer')] as const;

const service = (name: string, clientId: string, clientSecret: string): InstalledClient => ({
  description: name,
  tokenEndpointAuthMethod: 'client_secret_post',
  grantTypes: ['client_credentials'],
  ...{name, clientId, clientSecret},
});

/** Their secrets are in the charts, so they are publicly known. */
const clients: readonly InstalledClient[] = [
  service('Default App', 'customer-portal-client', 'supersecret'),
  service('RCA Agent', 'openchoreo-rca-agent', 'openchoreo-rca-agent-secret'),
  service('System Application', 'openchoreo-system-app', 'openchoreo-system-app-secret'),
];

const mcpClients: readonly InstalledClient[] = [
  {
    name: 'User MCP Client',
    description: 'MCP client for people',
    clientId: 'user_mcp_client',
    tokenEndpointAuthMethod: 'none',
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [
      'http://localhost:8075/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'http://127.0.0.1:19876/mcp/oauth/callback',
    ],
  },
  {
    name: 'Service MCP Client',
    description: 'MCP client for services',
    clientId: 'service_mcp_client',
    clientSecret: 'service_mcp_client_secret',
    tokenEndpointAuthMethod: 'client_secret_basic',
    grantTypes: ['client_credentials'],
    accessTokenValidity: 86_400,
    administers: true,
  },
];

/** OpenChoreo, as its charts install it. */
export const openchoreoKind: PlatformKind = {
  platform: openchoreo,
  names: {controlPlane: 'openchoreo-api', observer: 'openchoreo-observer'},
  resourceNames: {controlPlane: 'OpenChoreo MCP Server', observer: 'OpenChoreo Observer MCP Server'},
  securityMember: 'openchoreo_security_enabled',
  tools: 'by-name',
  untoldObserverUrl: 'http://localhost:11080',
  untoldAuthority: 'http://thunder.openchoreo.invalid:8080',
  installed: {
    open: {people: engineers, clients, administrators: []},
    engineers: {people: engineers, clients: [...clients, ...mcpClients], administrators: ['platformEngineer']},
    'by-task': {
      people: [
        administrator,
        openchoreoPerson('admin', 'Admin@123', 'Admin', 'admins'),
        openchoreoPerson('developer', 'Dev@123', 'Dev', 'developers'),
        openchoreoPerson('platform-engineer', 'PE@123', 'Platform', 'platform-engineers'),
        openchoreoPerson('sre', 'SRE@123', 'Sam', 'sres'),
      ],
      clients: [...clients, ...mcpClients],
      administrators: ['admins'],
    },
  },
};

/** The kinds of platform that a sandbox can simulate. */
export const kinds = {bundled: bundledKind, openchoreo: openchoreoKind} as const satisfies Record<string, PlatformKind>;

export type KindName = keyof typeof kinds;

/** A platform under a company's names, and the company file that defines them, as JSON. */
export type SandboxCompany = {readonly platform: Platform; readonly file: unknown};

/** Returns a kind of platform under a company's names. */
export const asCompany = (kind: PlatformKind, {platform}: SandboxCompany): PlatformKind => {
  const {versionName, resourceNames} = platform.recognition;
  const [controlPlane = kind.resourceNames.controlPlane, observer = kind.resourceNames.observer] = resourceNames;
  return {
    ...kind,
    platform,
    names: {...kind.names, controlPlane: versionName},
    resourceNames: {controlPlane, observer},
  };
};

/** Returns the address of the company file: on the base domain itself, behind the gateway. */
export const companyFileAt = (baseDomain: string, controlPlaneUrl: string): URL => {
  const {protocol, port} = new URL(controlPlaneUrl);
  return new URL(COMPANY_FILE_PATH, `${protocol}//${baseDomain}${port ? `:${port}` : ''}`);
};

/** Returns the hosts behind the gateway, plus the base domain with the company file. */
export const servingFile = (hosts: Hosts, url: URL, {file}: SandboxCompany): Hosts => ({
  ...hosts,
  handlers: new Map([
    ...hosts.handlers,
    [url.host, router({[COMPANY_FILE_PATH]: {GET: (_, response) => sendJson(response, 200, file)}})],
  ]),
});
