import type {ErrorAnswer, IdentityRelease} from './release.ts';

const refusal = (status: number, error: string, description: string): ErrorAnswer => ({status, error, description});

/** The identity provider of release 0.14, as recorded. Release 0.15 has the same. */
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

/**
 * The identity provider of release 0.16, from its sources: after a wrong password, the flow asks again, and only
 * administrators register clients.
 */
export const identity023: IdentityRelease = {
  ...identity021,
  registration: 'closed',
  flow: {
    ...identity021.flow,
    afterFailure: 'again',
    reasons: {'wrong-password': 'Invalid credentials provided', 'unknown-user': 'User not found'},
  },
  applications: {...identity021.applications, ownIssuer: false},
};

/** The identity provider of release 0.17, from its sources. */
export const identity024: IdentityRelease = {
  ...identity023,
  tokens: {...identity023.tokens, accessTokenType: 'at+jwt', idTokenOnRefresh: true},
};

const {discovery: discovery028, clientAuthentication, tokens: tokens028} = identity021;

/** The identity provider of releases 1.0 to 1.2, as recorded. */
export const identity028: IdentityRelease = {
  ...identity021,
  readiness: {
    status: 'UP',
    service_status: ['ConfigDB', 'RuntimeDB', 'UserDB'].map(service_name => ({service_name, status: 'UP'})),
  },
  discovery: {
    endpoints: {...discovery028.endpoints, userinfo_endpoint: '/oauth2/userinfo'},
    members: {
      ...discovery028.members,
      scopes_supported: ['openid', 'profile', 'email', 'phone', 'address'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      code_challenge_methods_supported: ['S256'],
      claims_parameter_supported: true,
    },
    openIdMembers: discovery028.openIdMembers,
  },
  portal: '/console',
  tokens: {...tokens028, accessTokenType: 'at+jwt', nonce: true, idTokenOnRefresh: true},
  unknownClient: 'invalid_request',
  clientAuthentication: {
    basic: 'form',
    challenged: true,
    twoMethods: {
      status: 400,
      error: 'invalid_request',
      description: 'Multiple client authentication methods were provided',
    },
    noClient: {...clientAuthentication.noClient, status: 400, error: 'invalid_request'},
    noSecret: {...clientAuthentication.wrongMethod, status: 400},
    wrongMethod: {...clientAuthentication.wrongMethod, status: 400},
    grantNotAllowed: {...clientAuthentication.grantNotAllowed, status: 400},
  },
  usedCode: 'Invalid authorization code',
  registration: 'closed',
  authenticatedIntrospection: true,
  flow: {
    ...identity021.flow,
    afterFailure: 'again',
    reasons: {'wrong-password': 'Invalid credentials provided', 'unknown-user': 'User not found'},
  },
  applications: {spelling: 'snake_case', ownIssuer: false, listed: 'by-name'},
};

const {discovery: discovery10, tokens: tokens10} = identity028;

/** The identity provider of the development line, as recorded. The documented way to create a client is closed here. */
export const identity10: IdentityRelease = {
  ...identity028,
  readiness: {
    status: 'UP',
    serviceStatus: ['ConfigDB', 'RuntimeTransientDB', 'EntityDB'].map(serviceName => ({serviceName, status: 'UP'})),
  },
  discovery: {
    endpoints: {
      ...discovery10.endpoints,
      revocation_endpoint: '/oauth2/revoke',
      pushed_authorization_request_endpoint: '/oauth2/par',
      end_session_endpoint: '/oauth2/logout',
    },
    members: {...discovery10.members, authorization_response_iss_parameter_supported: true},
    openIdMembers: {...discovery10.openIdMembers, id_token_signing_alg_values_supported: ['RS256', 'ES256']},
  },
  endpoints: ['revocation', 'pushed-authorization', 'end-session'],
  sampleApplication: false,
  defaultPassword: false,
  tokens: {...tokens10, paddedKeyId: false, clientSubject: 'application-id', refreshTokens: 'rotating'},
  issuerInResponse: true,
  resources: {registered: 'none', onlyOne: true, neededForScope: true},
  flow: {...identity028.flow, idMember: 'executionId', challenged: true, direct: false},
  applications: {spelling: 'camelCase', ownIssuer: false, listed: 'by-name'},
  translatedErrors: true,
};
