import type {IdentityProvider} from '../identity-provider.ts';

export const dex: IdentityProvider = {
  id: 'dex',
  name: 'Dex',
  evidence: 'run',
  knownBy: {
    endpoints: {
      // Other programs have the first three paths as well; the fourth tells Dex apart.
      authorization_endpoint: /\/auth$/,
      token_endpoint: /\/token$/,
      jwks_uri: /\/keys$/,
      device_authorization_endpoint: /\/device\/code$/,
    },
  },
  refreshToken: {
    scope: 'offline_access',
    setting: 'Dex gives one to every client that asks for offline_access; the connector must support it.',
  },
  isRefusingAfterRedirect: true,
  target: 'resource',
  audience: 'The audience of a token is the client ID: have the platform accept {clientId} as an audience.',
  isAlwaysJwt: true,
  redirects: 'A public client without “redirectURIs” accepts any loopback address; with them, it accepts only those.',
  refusals: [
    {cause: 'redirect', at: ['authorization'], says: /unregistered redirect_uri/i},
    {cause: 'unknown-client', at: ['authorization'], says: /invalid client_id/i},
    // Dex answers any problem with a refresh token with the error for a malformed request.
    {cause: 'ended', at: ['renewal'], error: 'invalid_request'},
    {cause: 'scope', says: /unrecognized scope|client.*cannot request scope/i},
    {cause: 'service-account', error: 'unsupported_grant_type', at: ['token']},
  ],
  settings: {
    grant: 'In Dex’s configuration, leave oauth2.grantTypes out, or list authorization_code and refresh_token in it.',
    redirect: 'In Dex’s configuration, add {redirect} to “redirectURIs” of the static client {clientId}.',
    'unknown-client': 'In Dex’s configuration, add {clientId} to “staticClients”.',
    confidential: 'In Dex’s configuration, set “public: true” for the static client {clientId}, and no secret.',
    'service-account':
      'In Dex’s configuration, add client_credentials to oauth2.grantTypes; older releases do not have that grant.',
    device: 'In Dex’s configuration, add urn:ietf:params:oauth:grant-type:device_code to oauth2.grantTypes.',
    audience: 'Have the platform accept {clientId} as an audience: Dex names the client ID in every token.',
  },
  guide: {
    person: [
      'In Dex’s configuration, add to “staticClients” an entry with “id: {clientId}” and “public: true”.',
      'Give it “name”, and under “redirectURIs” {redirect}.',
      'Leave oauth2.grantTypes out, or list authorization_code and refresh_token in it.',
      'Have the platform accept {clientId} as an audience: Dex’s tokens name the client ID.',
      'Restart Dex.',
    ],
    serviceAccount: [
      'In Dex’s configuration, add client_credentials to oauth2.grantTypes, in addition to those in use.',
      'Add to “staticClients” an entry with “id: {serviceClientId}” and a secret.',
      'Restart Dex.',
    ],
  },
};
