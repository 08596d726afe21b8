import {identity028} from './identity-0-28.ts';
import type {IdentityRelease} from './identity-release.ts';

const {discovery, tokens} = identity028;

/** The identity provider of the development line, as it was recorded. The documented way to a client is closed here. */
export const identity10: IdentityRelease = {
  ...identity028,
  readiness: {
    status: 'UP',
    serviceStatus: ['ConfigDB', 'RuntimeTransientDB', 'EntityDB'].map(serviceName => ({serviceName, status: 'UP'})),
  },
  discovery: {
    endpoints: {
      ...discovery.endpoints,
      revocation_endpoint: '/oauth2/revoke',
      pushed_authorization_request_endpoint: '/oauth2/par',
      end_session_endpoint: '/oauth2/logout',
    },
    members: {...discovery.members, authorization_response_iss_parameter_supported: true},
    openIdMembers: {...discovery.openIdMembers, id_token_signing_alg_values_supported: ['RS256', 'ES256']},
  },
  endpoints: ['revocation', 'pushed-authorization', 'end-session'],
  sampleApplication: false,
  defaultPassword: false,
  tokens: {...tokens, paddedKeyId: false, clientSubject: 'application-id', refreshTokens: 'rotating'},
  issuerInResponse: true,
  resources: {registered: 'none', onlyOne: true, neededForScope: true},
  flow: {...identity028.flow, idMember: 'executionId', challenged: true, direct: false},
  applications: {spelling: 'camelCase', ownIssuer: false, listed: 'by-name'},
  translatedErrors: true,
};
