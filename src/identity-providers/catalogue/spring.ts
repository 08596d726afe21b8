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
      'Give access tokens of {clientId} a longer life (TokenSettings, accessTokenTimeToLive), as it issues refresh tokens to no public client.',
  },
  target: 'resource',
  audience:
    'Set it with an OAuth2TokenCustomizer<JwtEncodingContext>: context.getClaims().audience(List.of("{audience}")) for access tokens. Without one, tokens are for the client ID.',
  redirects:
    'Register {redirect} as a redirectUri of the client: any port of 127.0.0.1 is taken then, localhost as it is.',
  refusals: [],
  settings: {
    grant: 'Add AuthorizationGrantType.AUTHORIZATION_CODE to the registered client {clientId}.',
    redirect: 'Register the client {clientId} with the redirectUri {redirect}.',
    confidential: 'Register {clientId} with ClientAuthenticationMethod.NONE.',
    'service-account': 'Add AuthorizationGrantType.CLIENT_CREDENTIALS to the registered client {clientId}.',
    scope: 'Add the scopes to the registered client {clientId}.',
    audience:
      'Set the audience of access tokens with an OAuth2TokenCustomizer<JwtEncodingContext>: context.getClaims().audience(List.of("{audience}")).',
  },
  guide: {
    person: [
      'Register a client {clientId} with ClientAuthenticationMethod.NONE and AuthorizationGrantType.AUTHORIZATION_CODE.',
      'Give it the redirectUri {redirect}, and the scopes {scopes}.',
      'ClientSettings: requireProofKey(true).',
      'Permit everybody /error, so that a client that is refused is told so and is not led to the sign-in page.',
    ],
    serviceAccount: [
      'Register a client {serviceClientId} with a secret and AuthorizationGrantType.CLIENT_CREDENTIALS.',
      'Give it ClientAuthenticationMethod.CLIENT_SECRET_POST or CLIENT_SECRET_BASIC: either is taken here.',
    ],
  },
};
