import type {IdentityProvider} from '../identity-provider.ts';

export const authentik: IdentityProvider = {
  id: 'authentik',
  name: 'authentik',
  evidence: 'documentation',
  knownBy: {
    endpoints: {
      token_endpoint: /\/application\/o\/token\/$/,
      authorization_endpoint: /\/application\/o\/authorize\/$/,
    },
  },
  refreshToken: {
    scope: 'offline_access',
    setting:
      'Applications › Providers › the provider › Advanced protocol settings › Scopes: select the mapping of offline_access.',
  },
  isPkceUnlisted: true,
  target: 'resource',
  audience:
    'The audience of a token is the client ID: have the platform accept {clientId}, or add a scope mapping that sets another.',
  redirects: 'Register {redirect} under “Redirect URIs/Origins”, strict or as a pattern.',
  refusals: [
    {cause: 'redirect', at: ['authorization'], says: /redirect.?uri/i},
    {cause: 'unknown-client', at: ['authorization'], says: /client identifier|client id/i},
    {cause: 'ended', at: ['renewal'], error: 'invalid_grant'},
  ],
  settings: {
    redirect: 'Applications › Providers › the provider: add {redirect} to “Redirect URIs/Origins”.',
    opaque:
      'Applications › Providers › the provider: select a “Signing Key”; without one, tokens are signed with the client’s secret, and nobody else can check them.',
    scope:
      'Applications › Providers › the provider › Advanced protocol settings › Scopes: select the mappings of these scopes.',
    confidential: 'Applications › Providers › the provider: set “Client type” to Public.',
    audience:
      'Have the platform accept {clientId} as an audience, or add a scope mapping that returns {"aud": "{audience}"}.',
    'unknown-client': 'Applications › Providers › the provider shows its client ID; pass it with --client-id.',
    'service-account':
      'Directory › Users: create a service account, and use its app password; authentik’s log says why it refuses.',
  },
  guide: {
    person: [
      'Applications › Providers › Create: “OAuth2/OpenID Provider”; client type Public; note its client ID.',
      'Redirect URIs/Origins: {redirect}.',
      'Signing Key: select one.',
      'Advanced protocol settings › Scopes: select openid, email, profile and offline_access.',
      'Applications › Create: an application for the provider. The issuer is …/application/o/SLUG/, with the slash: --issuer.',
      'Have the platform accept {clientId} as an audience.',
    ],
    serviceAccount: [
      'Directory › Users › Create Service account; note its name and its app password.',
      'Create another provider as above, with the client type Confidential, and let the service account use its application.',
    ],
  },
};
