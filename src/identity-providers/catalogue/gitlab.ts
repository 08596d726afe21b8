import type {IdentityProvider} from '../identity-provider.ts';

export const gitlab: IdentityProvider = {
  id: 'gitlab',
  name: 'GitLab',
  evidence: 'documentation',
  knownBy: {endpoints: {jwks_uri: /\/oauth\/discovery\/keys$/, token_endpoint: /\/oauth\/token$/}},
  refreshToken: {},
  target: 'resource',
  audience: 'There is nothing to set: the tokens are for GitLab itself.',
  unfit: 'GitLab’s access tokens are opaque, and the platform accepts only JWTs',
  redirects: 'Register {redirect} as it is written.',
  refusals: [],
  settings: {
    opaque: 'Use an identity provider that issues JWTs and lets people sign in with GitLab, such as Keycloak or Dex.',
  },
  guide: {
    person: [
      'The platform cannot use GitLab by itself. Set up an identity provider that issues JWTs and lets people sign in with GitLab, such as Keycloak or Dex, and see its guide.',
    ],
    serviceAccount: ['Service accounts cannot be used there either.'],
  },
};
