import type {IdentityProvider} from '../identity-provider.ts';

export const hydra: IdentityProvider = {
  id: 'hydra',
  name: 'Ory Hydra',
  evidence: 'run',
  knownBy: {
    issuer: /\.oryapis\.com\/?$/,
    endpoints: {authorization_endpoint: /\/oauth2\/auth$/, token_endpoint: /\/oauth2\/token$/},
  },
  refreshToken: {
    scope: 'offline_access',
    setting: 'Allow {clientId} the grant type refresh_token and the scope offline_access.',
  },
  target: 'audience',
  audience:
    'List {audience} under “audience” of the client; a token names only audiences that are both listed and requested.',
  redirects:
    'If an address with 127.0.0.1 or [::1] is registered, Hydra accepts it with any port; localhost must match exactly.',
  refusals: [
    {cause: 'resource', says: /requested audience .* (?:has not been|is not) (?:whitelisted|allowed)/i},
    {cause: 'redirect', at: ['authorization'], says: /redirect_uri/i},
    {cause: 'unknown-client', at: ['authorization'], error: 'invalid_client'},
    {cause: 'secret-method', error: 'invalid_client', says: /authentication method/i},
    {cause: 'device', at: ['device'], error: 'invalid_grant'},
    {cause: 'scope', error: 'invalid_scope'},
  ],
  settings: {
    resource:
      'Add {audience} to “audience” of the client {clientId}. In releases up to 26.2, an update resets the fields that it leaves out, so pass every field.',
    audience:
      'Add {audience} to “audience” of the client {clientId}. In releases up to 26.2, an update resets the fields that it leaves out, so pass every field.',
    opaque:
      'Set strategies.access_token to jwt in Hydra’s configuration, or access_token_strategy to jwt on the client {clientId}.',
    'secret-method':
      'Set “token_endpoint_auth_method” of {clientId} to client_secret_post for a service account, to client_secret_basic for an MCP client.',
    redirect: 'Add {redirect} to “redirect_uris” of {clientId}.',
    scope: 'Add the scopes to “scope” of {clientId}.',
    grant: 'Add authorization_code and refresh_token to “grant_types” of {clientId}.',
    confidential: 'Set “token_endpoint_auth_method” of {clientId} to none.',
    device: 'Add urn:ietf:params:oauth:grant-type:device_code to “grant_types” of {clientId}.',
    'service-account': 'Add client_credentials to “grant_types” of {clientId}.',
  },
  guide: {
    person: [
      'hydra create oauth2-client --name {clientId} --token-endpoint-auth-method none --grant-type authorization_code,refresh_token --response-type code --redirect-uri {redirect} --audience {audience}',
      'Add --scope with {scopes} to that command.',
      'Set strategies.access_token to jwt, for all clients or for this one: the platform does not accept opaque tokens.',
      'Note the client ID that it prints, and pass it with --client-id.',
    ],
    serviceAccount: [
      'hydra create oauth2-client --name {serviceClientId} --grant-type client_credentials --token-endpoint-auth-method client_secret_post --audience {audience}',
      'Note the client ID and the secret that it prints.',
    ],
  },
};
