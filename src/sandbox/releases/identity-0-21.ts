import type {IdentityRelease, Refusal} from './identity-release.ts';

const refusal = (status: number, error: string, description: string): Refusal => ({status, error, description});

/** The identity provider that release 0.14 comes with, as it was recorded. */
export const identity021: IdentityRelease = {
  readiness: {
    status: 'UP',
    service_status: ['IdentityDB', 'RuntimeDB', 'UserDB'].map(service_name => ({service_name, status: 'UP'})),
  },
  discovery: {
    endpoints: {
      authorization_endpoint: '/oauth2/authorize',
      token_endpoint: '/oauth2/token',
      jwks_uri: '/oauth2/jwks',
      registration_endpoint: '/oauth2/dcr/register',
      introspection_endpoint: '/oauth2/introspect',
    },
    members: {
      scopes_supported: ['profile', 'email', 'phone', 'address', 'openid'],
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'client_credentials',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256', 'plain'],
    },
    openIdMembers: {
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time'],
    },
  },
  endpoints: [],
  portal: '/develop',
  sampleApplication: true,
  defaultPassword: true,
  tokens: {
    accessTokenType: 'JWT',
    paddedKeyId: true,
    nonce: false,
    idTokenOnRefresh: false,
    clientSubject: 'client-id',
    refreshTokens: 'reusable',
    signInLifetime: 86_400,
  },
  issuerInResponse: false,
  unknownClient: 'invalid_client',
  clientAuthentication: {
    basic: 'as-sent',
    challenged: false,
    twoMethods: refusal(400, 'invalid_request', 'Authorization information is provided in both header and body'),
    noClient: refusal(401, 'invalid_client', 'Missing client_id parameter'),
    noSecret: refusal(401, 'invalid_client', 'Missing client_secret parameter'),
    wrongMethod: refusal(
      401,
      'unauthorized_client',
      'Client is not allowed to use the specified token endpoint authentication method',
    ),
    grantNotAllowed: refusal(401, 'unauthorized_client', 'The client is not authorized to use this grant type'),
  },
  usedCode: 'Inactive authorization code',
  resources: {registered: 'unchecked', onlyOne: false, neededForScope: false},
  registration: 'open',
  authenticatedIntrospection: false,
  flow: {
    idMember: 'flowId',
    challenged: false,
    afterFailure: 'end',
    reasons: {
      'wrong-password': 'Failed to authenticate user: The provided credentials are invalid',
      'unknown-user': 'Failed to authenticate user: No user found with the provided attributes',
    },
    direct: true,
  },
  applications: {spelling: 'snake_case', ownIssuer: true, listed: 'by-creation'},
  translatedErrors: false,
};
