import type {IdentityProvider} from '../identity-provider.ts';

/** An application that is built on the library of that name. */
export const spring: IdentityProvider = {
  id: 'spring-authorization-server',
  name: 'Spring Authorization Server',
  evidence: 'run',
  knownBy: {
    endpoints: {
      authorization_endpoint: /\/oauth2\/authorize$/,
      token_endpoint: /\/oauth2\/token$/,
      end_session_endpoint: /\/connect\/logout$/,
    },
  },
  refreshToken: {
    isUnasked: true,
    setting:
      'Raise accessTokenTimeToLive in the TokenSettings of {clientId}: Spring Authorization Server issues no refresh tokens to public clients, so people sign in again whenever an access token expires.',
  },
  target: 'resource',
  audience:
    'Add an OAuth2TokenCustomizer<JwtEncodingContext> that calls context.getClaims().audience(List.of("{audience}")) for access tokens. Without one, their audience is the client ID.',
  redirects:
    'Register {redirect} as a redirectUri of the client. With 127.0.0.1, any port is then accepted; localhost must match exactly.',
  refusals: [],
  settings: {
    grant: 'Add AuthorizationGrantType.AUTHORIZATION_CODE to the registered client {clientId}.',
    redirect: 'Register the client {clientId} with the redirectUri {redirect}.',
    confidential: 'Register {clientId} with ClientAuthenticationMethod.NONE.',
    'service-account': 'Add AuthorizationGrantType.CLIENT_CREDENTIALS to the registered client {clientId}.',
    scope: 'Add the scopes to the registered client {clientId}.',
    audience:
      'Add an OAuth2TokenCustomizer<JwtEncodingContext> that calls context.getClaims().audience(List.of("{audience}")) for access tokens.',
  },
  guide: {
    person: [
      'Register a client {clientId} with ClientAuthenticationMethod.NONE and AuthorizationGrantType.AUTHORIZATION_CODE.',
      'Add the redirectUri {redirect} and the scopes {scopes}.',
      'In its ClientSettings, set requireProofKey(true), so that PKCE is required.',
      'In the security filter chain, permit /error without a sign-in. Otherwise a refused request leads to the sign-in page, and nobody sees why it was refused.',
    ],
    serviceAccount: [
      'Register a client {serviceClientId} with a secret and AuthorizationGrantType.CLIENT_CREDENTIALS.',
      'Give it ClientAuthenticationMethod.CLIENT_SECRET_POST or CLIENT_SECRET_BASIC: this program can use either.',
    ],
  },
};
