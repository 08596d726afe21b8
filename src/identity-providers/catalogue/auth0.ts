import type {IdentityProvider} from '../identity-provider.ts';

export const auth0: IdentityProvider = {
  id: 'auth0',
  name: 'Auth0',
  evidence: 'documentation',
  knownBy: {
    issuer: /^https:\/\/[\w.-]+\.auth0\.com\/$/,
    endpoints: {token_endpoint: /\/oauth\/token$/, mfa_challenge_endpoint: /\/mfa\/challenge$/},
  },
  refreshToken: {
    scope: 'offline_access',
    setting:
      'Applications › {clientId} › Settings: allow the grant “Refresh Token”; in the API, switch “Allow Offline Access” on.',
  },
  target: 'audience',
  audience:
    'Applications › APIs › Create API: enter {audience} as the identifier, which tokens then name as their audience.',
  redirects: 'Register {redirect} under “Allowed Callback URLs”.',
  refusals: [
    {cause: 'resource', says: /service not found/i},
    {
      cause: 'service-account',
      error: 'access_denied',
      at: ['token'],
      says: /not authorized to access resource server|client grant/i,
    },
    {cause: 'secret', at: ['token'], error: 'access_denied', says: /^unauthorized$/i},
    {cause: 'redirect', at: ['authorization'], says: /callback url/i},
    {cause: 'unknown-client', at: ['authorization'], says: /unknown client/i},
    {cause: 'ended', at: ['renewal'], error: 'invalid_grant'},
    {cause: 'grant', error: 'unauthorized_client', says: /grant type .* not allowed/i},
  ],
  settings: {
    resource:
      'Applications › APIs › Create API with the identifier {audience}, or pass --audience with the identifier of an existing one.',
    audience: 'Pass --audience with the identifier of the platform’s API (Applications › APIs).',
    opaque: 'Pass --audience with the identifier of an API: without one, the tokens are opaque.',
    'service-account': 'Applications › APIs › the API › Machine to Machine Applications: authorize {clientId}.',
    redirect: 'Applications › {clientId} › Settings › Allowed Callback URLs: add {redirect}.',
    grant:
      'Applications › {clientId} › Settings › Advanced › Grant Types: switch “Authorization Code” and “Refresh Token” on.',
    device: 'Applications › {clientId} › Settings › Advanced › Grant Types: switch “Device Code” on.',
    confidential: 'Applications › {clientId}: use an application of the type “Native”.',
    'secret-method':
      'Applications › {clientId} › Credentials: choose client_secret_post for a service account, client_secret_basic for an MCP client.',
  },
  guide: {
    person: [
      'Applications › APIs › Create API: identifier {audience}, signing algorithm RS256; switch “Allow Offline Access” on.',
      'Applications › Create Application: “Native”; note its client ID.',
      'Settings › Allowed Callback URLs: {redirect}.',
      'Settings › Refresh Token Rotation: switch it on, and allow some seconds of overlap.',
      'Sign in with --client-id; the issuer ends in a slash: --issuer https://TENANT.auth0.com/.',
    ],
    serviceAccount: [
      'Applications › Create Application: “Machine to Machine”, for the API {audience}.',
      'Credentials: choose client_secret_post for a service account, client_secret_basic for an MCP client; copy the secret.',
    ],
  },
};
