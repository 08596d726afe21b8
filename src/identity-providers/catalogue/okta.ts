import type {IdentityProvider} from '../identity-provider.ts';

export const okta: IdentityProvider = {
  id: 'okta',
  name: 'Okta',
  evidence: 'documentation',
  knownBy: {
    issuer: /^https:\/\/[\w.-]+\.(?:okta|oktapreview|okta-emea|okta-gov)\.com(?:\/|$)/,
    endpoints: {
      token_endpoint: /\/oauth2\/(?:[\w-]+\/)?v1\/token$/,
      authorization_endpoint: /\/oauth2\/(?:[\w-]+\/)?v1\/authorize$/,
    },
  },
  refreshToken: {
    scope: 'offline_access',
    setting: 'Applications › {clientId} › General › Grant type: switch “Refresh Token” on.',
  },
  target: 'resource',
  audience:
    'Security › API › Authorization Servers: tokens name the “Audience” of the server. The organisation’s own server, whose issuer has no /oauth2/ID, cannot be used.',
  redirects: 'Register {redirect} under “Sign-in redirect URIs”, exactly as it is written.',
  refusals: [
    {cause: 'scope', error: 'invalid_scope'},
    {cause: 'scope', says: /custom scopes are not allowed/i},
    {
      cause: 'secret-method',
      error: 'invalid_request',
      says: /(?:multiple|more than one).*client (?:credentials|authentication)/i,
    },
    {cause: 'assignment', error: 'access_denied', says: /not assigned/i},
    {cause: 'assignment', says: /policy evaluation failed/i},
    {cause: 'redirect', at: ['authorization'], says: /redirect_uri/i},
    {cause: 'unknown-client', at: ['authorization'], says: /client_id|invalid_client/i},
  ],
  settings: {
    scope:
      'Security › API › Authorization Servers › the server › Scopes: add them there, and use that server’s issuer (…/oauth2/ID) with --issuer.',
    audience: 'Security › API › Authorization Servers › the server › Settings: set “Audience” to {audience}.',
    opaque:
      'Use a custom authorization server (--issuer …/oauth2/ID): the tokens of the organisation’s own server are for Okta only.',
    assignment:
      'Applications › {clientId} › Assignments: assign the account; and let an access policy of the authorization server allow the client.',
    grant: 'Applications › {clientId} › General › Grant type: switch “Authorization Code” and “Refresh Token” on.',
    redirect: 'Applications › {clientId} › General › Sign-in redirect URIs: add {redirect}.',
    device: 'Applications › {clientId} › General › Grant type: switch “Device Authorization” on.',
    'service-account': 'Create an “API Services” integration for it: other kinds have no client_credentials.',
    confidential: 'Applications › {clientId} › General › Client authentication: choose “None”.',
    'secret-method':
      'Applications › {clientId} › General › Client authentication: choose client_secret_post for a service account, client_secret_basic for an MCP client.',
  },
  guide: {
    person: [
      'Applications › Create App Integration: “OIDC - OpenID Connect”, then “Native Application”.',
      'General › Grant type: “Authorization Code” and “Refresh Token”.',
      'Sign-in redirect URIs: {redirect}.',
      'Security › API › an authorization server (not the organisation’s own): set its audience to {audience}.',
      'In it, Access Policies: allow the application {scopes}.',
      'Assign the people or groups, and sign in with --issuer …/oauth2/ID and --client-id.',
    ],
    serviceAccount: [
      'Applications › Create App Integration: “API Services”; note the client ID and the secret.',
      'In the authorization server, add a scope for the platform, and let an access policy give it to the client.',
      'Sign in with --scopes and that scope: Okta requires one, and openid does not count.',
    ],
  },
};
