import {type ReleaseName, releases} from '../../../src/sandbox/releases/releases.ts';

export const releaseNames = Object.keys(releases) as ReleaseName[];

const wrongMethod = 'Client is not allowed to use the specified token endpoint authentication method';
const invalidClient = 'invalid_client: Invalid client credentials';

/** Recorded answers of the identity provider of release 0.14, abbreviated. */
const identity021 = {
  readiness: {
    status: 'UP',
    service_status: [
      {service_name: 'IdentityDB', status: 'UP'},
      {service_name: 'RuntimeDB', status: 'UP'},
      {service_name: 'UserDB', status: 'UP'},
    ],
  },
  refusals: {
    'a wrong secret': `401 ${invalidClient}`,
    'an unknown client': `401 ${invalidClient}`,
    'the wrong method': `401 unauthorized_client: ${wrongMethod}`,
    'header and body': '400 invalid_request: Authorization information is provided in both header and body',
    'no client': '401 invalid_client: Missing client_id parameter',
    'a client ID only': '401 invalid_client: Missing client_secret parameter',
    'another grant': '401 unauthorized_client: The client is not authorized to use this grant type',
    'no grant type': '400 invalid_request: Missing grant_type parameter',
    'an unknown grant type': '400 unsupported_grant_type: Invalid grant_type parameter',
  },
  nonce: false,
  iss: false,
  accessTokenType: 'JWT',
  keyId: /^[\w-]{43}=$/,
  /** The answers to credentials that are form-urlencoded although no character needs it. */
  encodedUnderscore: `401 ${invalidClient}`,
  plusInSecret: '200',
  absent: ['/oauth2/revoke', '/oauth2/logout', '/oauth2/device_authorization', '/oauth2/par'],
  dynamicRegistration: '201',
  introspection: '200',
  portal: {'/develop': 200, '/console': 401},
  usedCode: 'Inactive authorization code',
  flows: {
    'wrong password': 'ERROR Failed to authenticate user: The provided credentials are invalid',
    'unknown user': 'ERROR Failed to authenticate user: No user found with the provided attributes',
    'nothing yet': 'INCOMPLETE',
    'right password': 'COMPLETE',
  },
  unknownClient: 'invalid_client',
};

const identity028 = {
  ...identity021,
  readiness: {
    ...identity021.readiness,
    service_status: [{service_name: 'ConfigDB', status: 'UP'}, ...identity021.readiness.service_status.slice(1)],
  },
  refusals: {
    ...identity021.refusals,
    'a wrong secret': `401 ${invalidClient} (Basic)`,
    'an unknown client': `401 ${invalidClient} (Basic)`,
    'the wrong method': `400 unauthorized_client: ${wrongMethod}`,
    'header and body': '400 invalid_request: Multiple client authentication methods were provided',
    'no client': '400 invalid_request: Missing client_id parameter',
    'a client ID only': `400 unauthorized_client: ${wrongMethod}`,
    'another grant': '400 unauthorized_client: The client is not authorized to use this grant type',
  },
  nonce: true,
  accessTokenType: 'at+jwt',
  encodedUnderscore: '200',
  plusInSecret: `401 ${invalidClient} (Basic)`,
  dynamicRegistration: '401 unauthorized_client',
  introspection: '400 invalid_request',
  portal: {'/develop': 401, '/console': 200},
  usedCode: 'Invalid authorization code',
  flows: {
    ...identity021.flows,
    'wrong password': 'INCOMPLETE Invalid credentials provided',
    'unknown user': 'INCOMPLETE User not found',
  },
  unknownClient: 'invalid_request',
};

const identity10 = {
  ...identity028,
  readiness: {
    status: 'UP',
    serviceStatus: [
      {serviceName: 'ConfigDB', status: 'UP'},
      {serviceName: 'RuntimeTransientDB', status: 'UP'},
      {serviceName: 'EntityDB', status: 'UP'},
    ],
  },
  iss: true,
  keyId: /^[\w-]{43}$/,
  absent: ['/oauth2/device_authorization'],
};

/** From the sources of the release, not from a recording. */
const identity023 = {
  ...identity021,
  dynamicRegistration: '401 unauthorized_client',
  flows: identity028.flows,
};

const identity024 = {...identity023, accessTokenType: 'at+jwt'};

export const recorded = {
  '0.14': identity021,
  '0.15': identity021,
  '0.16': identity023,
  '0.17': identity024,
  '1.0': identity028,
  '1.2': identity028,
  next: identity10,
};

/** Releases in which the control plane demands roles. */
export const withRoles: readonly ReleaseName[] = releaseNames.filter(name => name !== '0.14');

/** Releases whose control plane answers in two flavours. The header `X-Use-OpenAPI` selects one. */
export const twoFlavours: readonly ReleaseName[] = ['0.14', '0.15', '0.16'];

/** Releases with one role for people, which allows everything. */
export const early: readonly ReleaseName[] = ['0.15', '0.16', '0.17'];
