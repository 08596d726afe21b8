import {SETUP} from '../../setup-command.ts';
import type {Cause, IdentityProvider} from '../identity-provider.ts';

/** Any identity provider that follows the standards. Its sentences are used if another kind has none. */
export const standard = {
  id: 'standard',
  name: 'Identity provider',
  evidence: 'run',
  knownBy: {},
  refreshToken: {
    consent: true,
    setting: 'Allow the grant type refresh_token, and the scope offline_access if there is one, for {clientId}.',
  },
  isRefusingAfterRedirect: true,
  target: 'resource',
  audience: 'Register {audience} as a resource or an API, so that access tokens name it as their audience.',
  redirects: 'Register {redirect} exactly as it is written.',
  refusals: [
    {cause: 'dpop', error: 'invalid_dpop_proof'},
    {cause: 'dpop', error: 'use_dpop_nonce'},
    {cause: 'dpop', says: /\bdpop\b/i},
    {cause: 'par', says: /pushed authorization request|\bPAR\b.*requir|request_uri.*(?:requir|missing)/i},
    {cause: 'pkce', error: 'invalid_request', says: /code.?challenge|code.?verifier|\bpkce\b/i},
    {cause: 'scope', error: 'invalid_scope'},
    {cause: 'resource', error: 'invalid_target'},
    {cause: 'ended', at: ['renewal'], error: 'interaction_required'},
    {cause: 'ended', at: ['renewal'], error: 'consent_required'},
    {cause: 'ended', at: ['renewal'], error: 'login_required'},
    // Some identity providers say this if the refresh token is no longer valid. For a malformed request they do not
    // mention the token.
    {cause: 'ended', at: ['renewal'], error: 'invalid_request', says: /refresh.?token/i},
    {cause: 'interaction', error: 'interaction_required'},
    {cause: 'interaction', error: 'login_required'},
    {cause: 'consent', error: 'consent_required'},
    {cause: 'disabled', says: /client (?:is |has been )?(?:disabled|deactivated|inactive|suspended)/i},
    {cause: 'device', at: ['device'], error: 'unauthorized_client'},
    {cause: 'device', at: ['device'], error: 'unsupported_grant_type'},
    {cause: 'secret-method', error: 'unauthorized_client', says: /authentication method/i},
    // Authlib says this about a wrong secret and about a wrong way to send it.
    {cause: 'secret-or-method', error: 'invalid_client', says: /cannot authenticate with methods/i},
    // The client may not use this grant (RFC 6749 4.1.2.1 and 5.2).
    {cause: 'grant', error: 'unauthorized_client'},
    {cause: 'grant', error: 'unsupported_grant_type'},
    {cause: 'grant', error: 'unsupported_response_type'},
    {cause: 'redirect', says: /redirect.?ur[il]/i, at: ['authorization']},
    {
      cause: 'unknown-client',
      says: /(?:unknown|invalid|no such) client|client.{0,20}not (?:found|exist|registered)/i,
      at: ['authorization'],
    },
  ],
  settings: {
    grant: 'Switch authorization_code and refresh_token on for {clientId}.',
    pkce: 'Allow PKCE with S256 for {clientId}.',
    par: 'Do not require pushed authorization requests of {clientId}, or publish an endpoint that accepts them from it.',
    dpop: 'Turn off DPoP-bound access tokens for {clientId}.',
    scope: 'Allow {clientId} these scopes, or ask for others with --scopes.',
    audience: 'Set the audience of the access tokens of {clientId} to {audience}.',
    opaque: 'Issue access tokens to {clientId} as JWTs.',
    secret: 'Check the client ID and the client secret: one may be wrong, or the secret was reset.',
    'secret-method':
      'Register {clientId} for client_secret_post if it is a service account, for client_secret_basic if it is an MCP client.',
    'secret-or-method':
      'Either the secret is wrong, or the client is registered for the other way of sending it: check both.',
    'service-account': 'Allow the grant type client_credentials for {clientId}.',
    disabled: 'Enable the client {clientId}.',
    'unknown-client': 'Register the client {clientId}, or name the client ID to use instead.',
    redirect: 'Register {redirect} as a redirect address of {clientId}.',
    consent: 'As an administrator, grant {clientId} the permissions that it requests.',
    interaction: 'Sign in again in the browser, and complete the steps that the identity provider requires.',
    assignment: 'Assign the account, or a group that it is in, to {clientId}.',
    ended: 'Sign in again.',
    device: 'Allow the device authorization grant for {clientId}.',
    confidential: 'Register {clientId} as a public client, without a secret.',
    resource: 'Register {audience} as a resource, or sign in without one: --resource none.',
  } satisfies Record<Cause, string>,
  guide: {
    person: [
      'Create a client for a native or desktop application: public, without a secret.',
      'Set its client ID to {clientId}, or note the client ID that it gets.',
      'Allow the grant types authorization_code and refresh_token.',
      'Require PKCE with S256, if that can be set.',
      'Add the redirect addresses: {redirect}.',
      'Allow the scopes {scopes}.',
      'Make access tokens JWTs that are signed with a published key and name {audience} as their audience.',
    ],
    serviceAccount: [
      'Create a confidential client, {serviceClientId}, with the grant type client_credentials.',
      'Set how it sends its secret: client_secret_post for a service account, client_secret_basic for an MCP client.',
      'Make its access tokens JWTs that name {audience} as their audience.',
      `Keep the secret in a safe place; ${SETUP} login --client-credentials asks for it.`,
    ],
  },
} as const satisfies IdentityProvider;
