import {identity021} from './identity-0-21.ts';
import type {IdentityRelease} from './identity-release.ts';

const {discovery, clientAuthentication, tokens} = identity021;

/** The identity provider that the releases from 1.0 to 1.2 come with, as it was recorded. */
export const identity028: IdentityRelease = {
  ...identity021,
  readiness: {
    status: 'UP',
    service_status: ['ConfigDB', 'RuntimeDB', 'UserDB'].map(service_name => ({service_name, status: 'UP'})),
  },
  discovery: {
    endpoints: {...discovery.endpoints, userinfo_endpoint: '/oauth2/userinfo'},
    members: {
      ...discovery.members,
      scopes_supported: ['openid', 'profile', 'email', 'phone', 'address'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      code_challenge_methods_supported: ['S256'],
      claims_parameter_supported: true,
    },
    openIdMembers: discovery.openIdMembers,
  },
  portal: '/console',
  tokens: {...tokens, accessTokenType: 'at+jwt', nonce: true, idTokenOnRefresh: true},
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
