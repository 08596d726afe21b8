import {expect, test} from 'vitest';
import type {Cause, Stage} from '../../src/identity-providers/identity-provider.ts';
import {allProviders, findProvider} from '../../src/identity-providers/recognise.ts';
import {causeOf, settingOf} from '../../src/identity-providers/refusals.ts';

const named = (id: string) => findProvider(id) ?? expect.fail(`There is no ${id}.`);

/** Refusals as they were recorded, or as documentation and issue trackers quote them. */
const said: readonly [id: string, at: Stage, error: string | undefined, says: string, cause: Cause | undefined][] = [
  // Canaille, of a wrong secret and of a client that is registered for the other way.
  [
    'standard',
    'token',
    'invalid_client',
    "The client cannot authenticate with methods: ['client_secret_basic']",
    'secret-or-method',
  ],
  ['keycloak', 'authorization', 'Client not found.', '', undefined],
  ['keycloak', 'authorization', undefined, 'Client not found.', 'unknown-client'],
  ['keycloak', 'authorization', undefined, 'Client disabled.', 'disabled'],
  ['keycloak', 'authorization', undefined, 'Invalid parameter: redirect_uri', 'redirect'],
  ['keycloak', 'authorization', 'invalid_request', 'Missing parameter: code_challenge_method', 'pkce'],
  ['keycloak', 'authorization', 'invalid_scope', 'Invalid scopes: openid nobody', 'scope'],
  [
    'keycloak',
    'authorization',
    'invalid_request',
    'Invalid parameter: code challenge method is not matching the configured one',
    'pkce',
  ],
  ['keycloak', 'authorization', 'invalid_request', 'Pushed Authorization Request is only allowed.', 'par'],
  [
    'keycloak',
    'authorization',
    'unauthorized_client',
    'Client is not allowed to initiate browser login with given response_type. Standard flow is disabled for the client.',
    'grant',
  ],
  [
    'keycloak',
    'device',
    'unauthorized_client',
    'Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.',
    'device',
  ],
  ['keycloak', 'token', 'invalid_client', 'Invalid client or Invalid client credentials', 'unknown-client'],
  ['keycloak', 'token', 'invalid_request', 'DPoP proof is missing', 'dpop'],
  ['keycloak', 'device', 'invalid_request', 'DPoP proof is missing', 'dpop'],
  ['keycloak', 'renewal', 'invalid_request', 'DPoP proof is missing', 'dpop'],
  // A confidential client, whose secret was not sent.
  ['keycloak', 'device', 'unauthorized_client', 'Invalid client or Invalid client credentials', 'secret'],
  ['keycloak', 'device', 'invalid_client', 'Invalid client or Invalid client credentials', 'unknown-client'],
  ['keycloak', 'token', 'invalid_client', 'Parameter client_assertion_type is missing', 'secret-method'],
  ['keycloak', 'token', 'not_allowed', 'Offline tokens not allowed for the user or client', 'scope'],
  ['keycloak', 'token', 'invalid_scope', 'Invalid scopes: nobody', 'scope'],
  ['keycloak', 'renewal', 'invalid_grant', 'Session not active', 'ended'],
  ['keycloak', 'renewal', 'invalid_grant', 'User disabled', 'ended'],
  ['keycloak', 'renewal', 'invalid_grant', 'Stale token', 'ended'],
  ['keycloak', 'renewal', 'invalid_grant', "Session doesn't have required client", 'ended'],
  ['keycloak', 'renewal', 'access_denied', 'Realm not enabled', undefined],
  ['keycloak', 'renewal', 'unauthorized_client', 'Invalid client or Invalid client credentials', 'secret'],
  ['keycloak', 'token', 'unauthorized_client', 'Invalid client or Invalid client credentials', 'secret'],
  ['keycloak', 'token', 'unauthorized_client', 'Client not enabled to retrieve service account', 'service-account'],
  [
    'keycloak',
    'token',
    'unauthorized_client',
    'Public client not allowed to retrieve service account',
    'service-account',
  ],
  ['keycloak', 'device', 'invalid_request', 'Missing parameter: code_challenge_method', 'pkce'],
  ['keycloak', 'renewal', 'invalid_grant', 'Maximum allowed refresh token reuse exceeded', 'ended'],
  ['dex', 'renewal', 'invalid_request', 'Refresh token expired.', 'ended'],
  [
    'dex',
    'renewal',
    'invalid_request',
    'Refresh token is invalid or has already been claimed by another client.',
    'ended',
  ],
  ['dex', 'authorization', undefined, 'Bad Request Unregistered redirect_uri.', 'redirect'],
  ['dex', 'authorization', undefined, 'Invalid client_id.', 'unknown-client'],
  [
    'hydra',
    'token',
    'invalid_client',
    'The OAuth 2.0 Client supports client authentication method "client_secret_basic", but method "client_secret_post" was requested.',
    'secret-method',
  ],
  ['hydra', 'device', 'invalid_grant', '', 'device'],
  [
    'hydra',
    'token',
    'invalid_request',
    'Requested audience "x" has not been whitelisted by the OAuth 2.0 Client.',
    'resource',
  ],
  ['entra-id', 'authorization', 'invalid_target', 'AADSTS9010010: The resource parameter …', 'resource'],
  [
    'entra-id',
    'token',
    'invalid_request',
    'AADSTS901002: The resource request parameter is not supported.',
    'resource',
  ],
  ['entra-id', 'renewal', 'invalid_grant', 'AADSTS700082: The refresh token has expired due to inactivity.', 'ended'],
  ['entra-id', 'renewal', 'interaction_required', 'AADSTS50076: … you must use multi-factor authentication', 'ended'],
  ['entra-id', 'token', 'invalid_grant', 'AADSTS65001: The user or administrator has not consented', 'consent'],
  [
    'entra-id',
    'token',
    'invalid_client',
    'AADSTS7000218: The request body must contain … client_secret',
    'confidential',
  ],
  [
    'entra-id',
    'authorization',
    'invalid_client',
    'AADSTS650053: The application asked for scope that does not exist',
    'scope',
  ],
  [
    'entra-id',
    'authorization',
    'access_denied',
    'AADSTS50105: not assigned to a role for the application',
    'assignment',
  ],
  ['entra-id', 'token', 'interaction_required', 'AADSTS53003: blocked by Conditional Access', 'interaction'],
  ['okta', 'token', 'invalid_scope', 'Custom scopes are not allowed for this request.', 'scope'],
  ['okta', 'authorization', 'access_denied', 'User is not assigned to the client application.', 'assignment'],
  ['auth0', 'authorization', 'access_denied', 'Service not found: https://api/mcp', 'resource'],
  [
    'auth0',
    'token',
    'access_denied',
    'Client is not authorized to access "x". You need to create a client grant',
    'service-account',
  ],
  ['cognito', 'authorization', 'redirect_mismatch', '', 'redirect'],
  ['cognito', 'renewal', 'invalid_grant', '', 'ended'],
  [
    'thunderid',
    'token',
    'unauthorized_client',
    'Client is not allowed to use the specified authentication method',
    'secret-method',
  ],
  ['standard', 'token', 'invalid_target', '', 'resource'],
  ['standard', 'token', 'invalid_dpop_proof', '', 'dpop'],
  ['standard', 'token', 'invalid_request', 'DPoP proof is missing', 'dpop'],
  ['standard', 'authorization', 'invalid_request', 'Pushed Authorization Request is required', 'par'],
  ['standard', 'renewal', 'consent_required', '', 'ended'],
  ['standard', 'token', 'consent_required', '', 'consent'],
  ['standard', 'renewal', 'invalid_request', 'The refresh_token is malformed', 'ended'],
  ['standard', 'renewal', 'invalid_request', 'The request is malformed', undefined],
  ['standard', 'token', 'invalid_request', 'refresh_token', undefined],
  ['standard', 'token', 'server_error', '', undefined],
];

test.each(said)('%s at %s: %s %s', (id, at, error, says, cause) => {
  expect(causeOf(named(id), {at, error, says})).toBe(cause);
});

const causes = Object.keys(named('standard').settings) as Cause[];

test('every cause has a place where it is mended at every provider, with what is known filled in', () => {
  const values = {clientId: 'cli', redirect: 'http://127.0.0.1:1/cb', audience: 'https://api/mcp', scopes: 'openid'};
  for (const provider of allProviders) {
    for (const cause of causes) {
      const setting = settingOf(provider, cause, {...values, issuer: 'https://idp', serviceClientId: 'ci'});
      expect(setting, `${provider.id} ${cause}`).toMatch(/^\p{Lu}.*[.:)]$|^http|-- /su);
      expect(setting, `${provider.id} ${cause}`).not.toMatch(/\{(?!")|undefined/);
    }
  }
});

test('what is not known stays a name to be filled in', () => {
  expect(settingOf(named('keycloak'), 'disabled', {})).toBe('Clients › <clientId>: switch “Enabled” on.');
});
