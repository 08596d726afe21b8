import type {IdentityProvider} from '../identity-provider.ts';

export const authelia: IdentityProvider = {
  id: 'authelia',
  name: 'Authelia',
  evidence: 'documentation',
  knownBy: {
    endpoints: {token_endpoint: /\/api\/oidc\/token$/, authorization_endpoint: /\/api\/oidc\/authorization$/},
  },
  refreshToken: {
    scope: 'offline_access',
    setting: 'In the client’s configuration, list refresh_token under “grant_types” and offline_access under “scopes”.',
  },
  target: 'audience',
  audience: 'List {audience} under “audience” of the client.',
  redirects: 'List {redirect} under “redirect_uris” of the client, exactly as it is written.',
  refusals: [
    {cause: 'resource', says: /requested audience .* (?:has not been|is not) (?:whitelisted|allowed)/i},
    {cause: 'redirect', at: ['authorization'], says: /redirect_uri/i},
    {cause: 'unknown-client', at: ['authorization'], error: 'invalid_client'},
    {cause: 'secret-method', error: 'invalid_client', says: /authentication method/i},
    {cause: 'scope', error: 'invalid_scope'},
  ],
  settings: {
    resource: 'List {audience} under “audience” of the client {clientId}, or sign in with --resource none.',
    audience: 'List {audience} under “audience” of the client {clientId}.',
    opaque:
      'Set “access_token_signed_response_alg” of the client {clientId} to RS256: without it, its tokens are opaque.',
    redirect: 'List {redirect} under “redirect_uris” of the client {clientId}.',
    scope: 'List the scopes under “scopes” of the client {clientId}.',
    grant: 'List authorization_code and refresh_token under “grant_types” of the client {clientId}.',
    confidential: 'Set “public: true” on the client {clientId}.',
    'service-account': 'List client_credentials under “grant_types” of the client {clientId}.',
    'secret-method':
      'Set “token_endpoint_auth_method” of the client {clientId} to client_secret_post for a service account, to client_secret_basic for an MCP client.',
  },
  guide: {
    person: [
      'In the configuration, add to identity_providers.oidc.clients an entry with “client_id: {clientId}” and “public: true”.',
      'redirect_uris: {redirect}.',
      'grant_types: authorization_code, refresh_token. scopes: {scopes}.',
      'audience: {audience}. access_token_signed_response_alg: RS256.',
      'require_pkce: true, pkce_challenge_method: S256.',
    ],
    serviceAccount: [
      'Add a client {serviceClientId} with a hashed client_secret, grant_types client_credentials, and token_endpoint_auth_method client_secret_post.',
      'audience: {audience}. access_token_signed_response_alg: RS256.',
    ],
  },
};
