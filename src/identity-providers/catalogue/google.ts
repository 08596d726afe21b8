import type {IdentityProvider} from '../identity-provider.ts';

export const google: IdentityProvider = {
  id: 'google',
  name: 'Google',
  evidence: 'documentation',
  knownBy: {issuer: /^https:\/\/accounts\.google\.com\/?$/},
  refreshToken: {},
  target: 'resource',
  audience: 'There is nothing to set: the tokens are for Google’s own services.',
  unfit: 'Google’s access tokens are opaque, and the platform takes only JWTs',
  redirects: 'A loopback address of a “Desktop app” is taken with any port.',
  refusals: [],
  settings: {
    opaque: 'Use an identity provider that issues JWTs and lets people sign in with Google, such as Keycloak or Dex.',
  },
  guide: {
    person: [
      'Google cannot serve here by itself. Set up an identity provider that issues JWTs and lets people sign in with Google, such as Keycloak or Dex, and see its guide.',
    ],
    serviceAccount: ['Service accounts cannot be used there either.'],
  },
};
