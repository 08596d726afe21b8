import {COMPANY_FILE_PATH} from '../platform/addresses.ts';
import type {Platform} from '../platform/platform.ts';
import {bundled, openchoreo} from '../platform/platforms.ts';
import {type Hosts, router, sendJson} from './http-server.ts';
import type {AuthMethod} from './identity/applications.ts';
import type {Release} from './releases/release.ts';

export type Person = {
  readonly username: string;
  readonly password: string;
  readonly givenName: string;
  readonly email: string;
  readonly groups: readonly string[];
  /** What a flow may authorize this person for, platform access 2.2. */
  readonly permissions: readonly string[];
};

/** A client that is there from the start. */
export type InstalledClient = {
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
  /** Made anew for each sandbox where it is not known to everybody. */
  readonly clientSecret?: string;
  readonly tokenEndpointAuthMethod: AuthMethod;
  readonly grantTypes: readonly string[];
  readonly redirectUris?: readonly string[];
  /** In seconds, where it is another lifetime than that of all others. */
  readonly accessTokenValidity?: number;
  /** Whether it may do everything from the start. */
  readonly administers?: boolean;
};

/** What an installation comes with. */
export type Installed = {
  /** The first administers the identity provider. */
  readonly people: readonly [Person, ...Person[]];
  readonly clients: readonly InstalledClient[];
  /** The groups of people who may do everything from the start. */
  readonly administrators: readonly string[];
};

/** A platform under its own names: the same services, called otherwise. */
export type Kind = {
  readonly platform: Platform;
  /** What the services call themselves: in `/version` and to MCP clients. */
  readonly names: {readonly controlPlane: string; readonly observer: string};
  /** The `resource_name` of each server (RFC 9728 2). */
  readonly resourceNames: {readonly controlPlane: string; readonly observer: string};
  /** The member of the resource metadata that says whether tokens are asked for. */
  readonly securityMember: string;
  /** Where it is not the release that decides what tools are called. */
  readonly tools?: 'by-name';
  /** What the observer believes its own address to be, where nobody told it. */
  readonly untoldObserverUrl?: string;
  /** Whom it names as its identity provider then: a placeholder, which it goes by nowhere else. */
  readonly untoldAuthority?: string;
  /** What comes with releases in which everybody may do everything, and with those that have roles, by their groups. */
  readonly installed: {readonly [G in 'open' | NonNullable<Release['authorization']>['groups']]: Installed};
};

const bundledPerson = (name: string, givenName: string, groups: readonly string[], permissions: readonly string[]) => ({
  username: name,
  password: name,
  email: `${name}@platform.example`,
  ...{givenName, groups, permissions},
});

/** Releases with roles come with a client that has one, whose secret is in the charts. */
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
    // Platform access 5.3. Not under the name or ID of its example, which people create by hand.
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

/** The platform as its own documentation calls it. */
export const bundledKind: Kind = {
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

/** The identity provider's own account. It administers that, and has no part in the platform. */
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

/** Their secrets are in the charts, so everybody knows them. */
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
export const openchoreoKind: Kind = {
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

/** The platforms that a sandbox can be. */
export const kinds = {bundled: bundledKind, openchoreo: openchoreoKind} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** A platform under a company's names, and the company file that says so, as JSON. */
export type SandboxCompany = {readonly platform: Platform; readonly file: unknown};

/** The kind of platform, called as the company calls it. */
export const asCompany = (kind: Kind, {platform}: SandboxCompany): Kind => {
  const {versionName, resourceNames} = platform.recognition;
  const [controlPlane = kind.resourceNames.controlPlane, observer = kind.resourceNames.observer] = resourceNames;
  return {
    ...kind,
    platform,
    names: {...kind.names, controlPlane: versionName},
    resourceNames: {controlPlane, observer},
  };
};

/** Where the company file is: on the base domain itself, behind the gateway. */
export const companyFileAt = (baseDomain: string, controlPlaneUrl: string): URL => {
  const {protocol, port} = new URL(controlPlaneUrl);
  return new URL(COMPANY_FILE_PATH, `${protocol}//${baseDomain}${port ? `:${port}` : ''}`);
};

/** The hosts behind the gateway, and the base domain with the company file. */
export const servingFile = (hosts: Hosts, url: URL, {file}: SandboxCompany): Hosts => ({
  ...hosts,
  handlers: new Map([
    ...hosts.handlers,
    [url.host, router({[COMPANY_FILE_PATH]: {GET: (_, response) => sendJson(response, 200, file)}})],
  ]),
});
