import {randomBytes} from 'node:crypto';
import {bundled} from '../../platform/bundled.ts';
import type {ExternalClient} from '../values.ts';
import {type Application, application} from './applications.ts';
import {deviceCodeGrant} from './grant-types.ts';

export type InitialApplications = {
  readonly issuer: string;
  readonly externalClients: readonly ExternalClient[];
  /** What the external clients have registered. */
  readonly redirectUri: string;
  /** The lifetime of access tokens in seconds. */
  readonly accessTokenLifetime: number;
};

/** What is there before anybody creates anything: the sample application, the CLI, and a client for each kind of service. */
export const initialApplications = ({
  issuer,
  externalClients,
  redirectUri,
  accessTokenLifetime,
}: InitialApplications): Application[] => [
  application({
    name: bundled.sampleApplication.name,
    description: 'Sample application for trying things out',
    clientId: bundled.sampleApplication.clientId,
    redirectUris: [bundled.sampleApplication.redirectUri],
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'none',
    accessTokenValidity: accessTokenLifetime,
    issuer,
  }),
  // Platform access 5.4: public, PKCE, and one redirect URI. Where there is no browser, a device code (RFC 8628).
  ...externalClients.map(({name, client_id}) =>
    application({
      name,
      description: 'Command-line client',
      clientId: client_id,
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', deviceCodeGrant],
      tokenEndpointAuthMethod: 'none',
      accessTokenValidity: accessTokenLifetime,
      issuer,
    }),
  ),
  // Platform access 5.5: the CLI sends a service account's secret in the body.
  application({
    name: 'Service account',
    description: 'Service account for the command-line client',
    clientId: 'service_account',
    clientSecret: newSecret(),
    grantTypes: ['client_credentials'],
    tokenEndpointAuthMethod: 'client_secret_post',
    accessTokenValidity: accessTokenLifetime,
    issuer,
  }),
  // Platform access 5.3. Not under the name or ID of its example, which people create by hand.
  application({
    name: 'Sandbox MCP client',
    description: 'Client for the MCP servers',
    clientId: 'sandbox_mcp_client',
    clientSecret: newSecret(),
    grantTypes: ['client_credentials'],
    tokenEndpointAuthMethod: 'client_secret_basic',
    accessTokenValidity: accessTokenLifetime,
    issuer,
  }),
];

/** A client ID as the provider makes one: 128 bits, 22 characters of base64url. */
export const newClientId = () => randomBytes(16).toString('base64url');

/** A client secret as the provider makes one: 256 bits, 43 characters of base64url. */
export const newSecret = () => randomBytes(32).toString('base64url');
