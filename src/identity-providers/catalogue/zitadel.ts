import type {IdentityProvider} from '../identity-provider.ts';

export const zitadel: IdentityProvider = {
  id: 'zitadel',
  name: 'ZITADEL',
  evidence: 'documentation',
  knownBy: {
    issuer: /^https:\/\/[\w.-]+\.zitadel\.cloud\/?$/,
    endpoints: {token_endpoint: /\/oauth\/v2\/token$/, authorization_endpoint: /\/oauth\/v2\/authorize$/},
  },
  refreshToken: {
    scope: 'offline_access',
    setting: 'Projects › the project › {clientId} › Token Settings or OIDC Configuration: tick “Refresh Token”.',
  },
  target: 'resource',
  audience:
    'Ask for the scope urn:zitadel:iam:org:project:id:PROJECT-ID:aud with --scopes; the project’s ID is then among the audiences.',
  redirects: 'Register {redirect} exactly as it is written; a native application may use http on loopback.',
  refusals: [
    {cause: 'redirect', at: ['authorization'], says: /redirect_uri/i},
    {cause: 'unknown-client', at: ['authorization'], says: /client not found|app.*not found/i},
    {cause: 'ended', at: ['renewal'], error: 'invalid_grant'},
  ],
  settings: {
    opaque: 'Projects › the project › {clientId} › Token Settings: set “Auth Token Type” to JWT.',
    redirect: 'Projects › the project › {clientId} › Redirect Settings: add {redirect}.',
    audience:
      'Ask for the scope urn:zitadel:iam:org:project:id:PROJECT-ID:aud with --scopes, and have the platform accept the project’s ID.',
    grant: 'Projects › the project › {clientId}: tick “Authorization Code” and “Refresh Token”.',
    device: 'Projects › the project › {clientId}: tick “Device Code”.',
    'service-account':
      'Users › Service Users: use the client ID and secret of a service user, whose access token type is JWT.',
  },
  guide: {
    person: [
      'Projects › the project › New application: “Native”, authentication method “PKCE”; note its client ID.',
      'Redirect URIs: {redirect}.',
      'Tick the grants “Authorization Code” and “Refresh Token”.',
      'Token Settings: “Auth Token Type” JWT.',
      'Sign in with --client-id, and --scopes "{scopes} urn:zitadel:iam:org:project:id:PROJECT-ID:aud".',
    ],
    serviceAccount: [
      'Users › Service Users › New: access token type JWT; Actions › Generate Client Secret.',
      'Sign in with --scopes "openid urn:zitadel:iam:org:project:id:PROJECT-ID:aud".',
    ],
  },
};
