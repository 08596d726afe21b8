import type {IdentityProvider} from '../identity-provider.ts';

export const google: IdentityProvider = {
  id: 'google',
  name: 'Google',
  evidence: 'documentation',
  knownBy: {issuer: /^https:\/\/accounts\.google\.com\/?$/},
  refreshToken: {},
  target: 'resource',
  audience: 'There is nothing to set: the tokens are for Google’s own services.',
  unfit: 'Google’s access tokens are opaque, and the platform accepts only JWTs',
  redirects: 'A “Desktop app” may use a loopback address with any port.',
  refusals: [],
  settings: {
    opaque: 'Use an identity provider that issues JWTs and lets people sign in with Google, such as Keycloak or Dex.',
  },
  guide: {
    person: [
      'The platform cannot use Google by itself. Set up an identity provider that issues JWTs and lets people sign in with Google, such as Keycloak or Dex, and see its guide.',
    ],
    serviceAccount: ['Service accounts cannot be used there either.'],
  },
};
