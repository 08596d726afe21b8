import {SETUP} from '../../setup-command.ts';
import type {IdentityProvider} from '../identity-provider.ts';

/** The identity provider that comes with the platform: Thunder, later called ThunderID. */
export const thunderId: IdentityProvider = {
  id: 'thunderid',
  name: 'Thunder (ThunderID)',
  evidence: 'run',
  knownBy: {
    endpoints: {
      token_endpoint: /\/oauth2\/token$/,
      jwks_uri: /\/oauth2\/jwks$/,
      registration_endpoint: /\/oauth2\/dcr\/register$/,
    },
  },
  isBundled: true,
  refreshToken: {setting: 'Allow the grant type refresh_token for {clientId}.'},
  target: 'resource',
  audience:
    'On ThunderID, register {audience} as a resource server; until then, tokens name the client ID as their audience. On earlier releases there is nothing to register: they accept any resource.',
  isAlwaysJwt: true,
  redirects: 'Register {redirect} exactly as it is written.',
  refusals: [
    {cause: 'secret-method', error: 'unauthorized_client', says: /authentication method/i},
    {cause: 'redirect', at: ['authorization'], says: /redirect/i},
    {cause: 'unknown-client', at: ['authorization'], says: /client/i, error: 'invalid_client'},
  ],
  settings: {
    resource: 'Register {audience} as a resource server (RFC 8707).',
    redirect: 'Add {redirect} to the redirect URIs of the application {clientId}.',
  },
  guide: {
    person: [
      'The platform registers its own clients. If {clientId} is not among the applications, create it: an application for a native or mobile app, with {clientId} as its client ID.',
      'Inbound authentication: OAuth 2, public client, PKCE required, token endpoint authentication “none”.',
      'Grant types authorization_code and refresh_token; redirect URI {redirect}.',
    ],
    serviceAccount: [
      `Run ${SETUP}, choose “Create an MCP client”, and sign in as an administrator.`,
      'Otherwise, create a confidential application with client_credentials, and client_secret_post for a service account or client_secret_basic for an MCP client.',
    ],
  },
};
