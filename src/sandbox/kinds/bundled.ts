import {bundled} from '../../platform/bundled.ts';
import type {Installed, InstalledClient, Kind} from './kind.ts';

const person = (name: string, givenName: string, groups: readonly string[], permissions: readonly string[]) => ({
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
    person('admin', 'Admin', ['platform-engineers'], ['system']),
    person('developer', 'Dev', ['developers'], []),
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
