import {openchoreo} from '../../platform/openchoreo.ts';
import type {InstalledClient, Kind, Person} from './kind.ts';

const person = (name: string, password: string, givenName: string, group: string): Person => ({
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

const engineers = [administrator, person('admin', 'Admin@123', 'Admin', 'platformEngineer')] as const;

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
        person('admin', 'Admin@123', 'Admin', 'admins'),
        person('developer', 'Dev@123', 'Dev', 'developers'),
        person('platform-engineer', 'PE@123', 'Platform', 'platform-engineers'),
        person('sre', 'SRE@123', 'Sam', 'sres'),
      ],
      clients: [...clients, ...mcpClients],
      administrators: ['admins'],
    },
  },
};
