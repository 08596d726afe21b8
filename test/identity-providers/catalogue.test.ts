import {expect, test} from 'vitest';
import {
  allProviders,
  causeOf,
  findProvider,
  identityProviders,
  recogniseProvider,
  settingOf,
} from '../../src/identity-providers/catalogue.ts';
import type {Cause, RequestStage} from '../../src/identity-providers/identity-provider.ts';

/** Issuers and endpoints from the providers' documentation and their own answers. */
const known: readonly [id: string, issuer: string, endpoints?: Readonly<Record<string, string>>][] = [
  [
    'keycloak',
    'https://sso.acme.example/realms/dev',
    {
      token_endpoint: 'https://sso.acme.example/realms/dev/protocol/openid-connect/token',
      authorization_endpoint: 'https://sso.acme.example/realms/dev/protocol/openid-connect/auth',
    },
  ],
  ['keycloak', 'https://sso.acme.example/auth/realms/dev'],
  ['entra-id', 'https://login.microsoftonline.com/5ce7a1d2/v2.0'],
  ['entra-id', 'https://acme.ciamlogin.com/5ce7a1d2/v2.0'],
  ['okta', 'https://acme.okta.com/oauth2/default'],
  [
    'okta',
    'https://id.acme.example/oauth2/aus1',
    {
      token_endpoint: 'https://id.acme.example/oauth2/aus1/v1/token',
      authorization_endpoint: 'https://id.acme.example/oauth2/aus1/v1/authorize',
    },
  ],
  ['auth0', 'https://acme.eu.auth0.com/'],
  [
    'auth0',
    'https://login.acme.example/',
    {
      token_endpoint: 'https://login.acme.example/oauth/token',
      mfa_challenge_endpoint: 'https://login.acme.example/mfa/challenge',
    },
  ],
  ['cognito', 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf'],
  ['google', 'https://accounts.google.com'],
  ['ping', 'https://auth.pingone.eu/5ce7a1d2/as'],
  [
    'ping',
    'https://sso.acme.example',
    {
      token_endpoint: 'https://sso.acme.example/as/token.oauth2',
      authorization_endpoint: 'https://sso.acme.example/as/authorization.oauth2',
    },
  ],
  [
    'spring-authorization-server',
    'https://id.acme.example',
    {
      authorization_endpoint: 'https://id.acme.example/oauth2/authorize',
      token_endpoint: 'https://id.acme.example/oauth2/token',
      end_session_endpoint: 'https://id.acme.example/connect/logout',
    },
  ],
  ['zitadel', 'https://acme-x1.zitadel.cloud'],
  [
    'zitadel',
    'https://id.acme.example',
    {
      token_endpoint: 'https://id.acme.example/oauth/v2/token',
      authorization_endpoint: 'https://id.acme.example/oauth/v2/authorize',
    },
  ],
  [
    'authentik',
    'https://auth.acme.example/application/o/platform/',
    {
      token_endpoint: 'https://auth.acme.example/application/o/token/',
      authorization_endpoint: 'https://auth.acme.example/application/o/authorize/',
    },
  ],
  [
    'authelia',
    'https://auth.acme.example',
    {
      token_endpoint: 'https://auth.acme.example/api/oidc/token',
      authorization_endpoint: 'https://auth.acme.example/api/oidc/authorization',
    },
  ],
  ['jumpcloud', 'https://oauth.id.jumpcloud.com/'],
  ['wso2', 'https://api.asgardeo.io/t/acme/oauth2/token'],
  [
    'gitlab',
    'https://gitlab.acme.example',
    {
      jwks_uri: 'https://gitlab.acme.example/oauth/discovery/keys',
      token_endpoint: 'https://gitlab.acme.example/oauth/token',
    },
  ],
  [
    'hydra',
    'https://hydra.acme.example',
    {
      authorization_endpoint: 'https://hydra.acme.example/oauth2/auth',
      token_endpoint: 'https://hydra.acme.example/oauth2/token',
    },
  ],
  [
    'dex',
    'https://sso.acme.example/dex',
    {
      authorization_endpoint: 'https://sso.acme.example/dex/auth',
      token_endpoint: 'https://sso.acme.example/dex/token',
      jwks_uri: 'https://sso.acme.example/dex/keys',
      device_authorization_endpoint: 'https://sso.acme.example/dex/device/code',
    },
  ],
  [
    'thunderid',
    'http://idp.platform.localhost:8080',
    {
      token_endpoint: 'http://idp.platform.localhost:8080/oauth2/token',
      jwks_uri: 'http://idp.platform.localhost:8080/oauth2/jwks',
      registration_endpoint: 'http://idp.platform.localhost:8080/oauth2/dcr/register',
    },
  ],
];

test.each(known)('%s is recognised by %s', (id, issuer, endpoints) => {
  expect(recogniseProvider(issuer, {issuer, ...endpoints}).id).toBe(id);
});

test('every kind is among those that are recognised here', () => {
  const ids = new Set(known.map(([id]) => id));
  expect(allProviders.map(({id}) => id).filter(id => !ids.has(id))).toEqual(['standard']);
});

test.each([
  ['https://idp.example.com', {}],
  ['https://keycloak.example.com', {token_endpoint: 'https://keycloak.example.com/token'}],
  ['https://login.microsoftonline.com.evil.example/x/v2.0', {}],
  ['https://evil.example/?x=https://acme.okta.com', {}],
  // Glewlwyd has one path of Authelia's, and zitadel/oidc has three of Dex's.
  [
    'https://sso.acme.example/api/oidc',
    {
      authorization_endpoint: 'https://sso.acme.example/api/oidc/auth',
      token_endpoint: 'https://sso.acme.example/api/oidc/token',
      jwks_uri: 'https://sso.acme.example/api/oidc/jwks',
    },
  ],
  [
    'https://id.acme.example/',
    {
      authorization_endpoint: 'https://id.acme.example/auth',
      token_endpoint: 'https://id.acme.example/oauth/token',
      jwks_uri: 'https://id.acme.example/keys',
      device_authorization_endpoint: 'https://id.acme.example/device_authorization',
    },
  ],
  // The path of an issuer alone does not identify a provider.
  [
    'https://sso.acme.example/realms/dev',
    {
      authorization_endpoint: 'https://sso.acme.example/realms/dev/authorize',
      token_endpoint: 'https://sso.acme.example/realms/dev/token',
    },
  ],
  [
    'https://auth.acme.example/oauth2/token',
    {
      authorization_endpoint: 'https://auth.acme.example/login',
      token_endpoint: 'https://auth.acme.example/oauth2/token',
    },
  ],
  // Two of three paths are not enough.
  [
    'https://oidc.example',
    {
      authorization_endpoint: 'https://oidc.example/auth',
      token_endpoint: 'https://oidc.example/token',
      jwks_uri: 'https://oidc.example/jwks',
    },
  ],
  ['https://idp.example', {token_endpoint: 7}],
  ['https://idp.example', {token_endpoint: 'no address'}],
])('%s is none that is known', (issuer, metadata) => {
  expect(recogniseProvider(issuer, metadata).id).toBe('standard');
});

test.each(identityProviders.map(({id, knownBy}) => [id, knownBy] as const))(
  '%s is told by more than one path',
  (_id, {issuer, endpoints = {}}) => {
    const isDomain = issuer !== undefined && /^(?:\^https:|\\\.)/.test(issuer.source);
    expect(isDomain || Object.keys(endpoints).length + Number(issuer !== undefined) >= 2).toBe(true);
  },
);

test('a kind is found by its ID or a part of its name, however that is written', () => {
  expect(findProvider('Entra ID')?.id).toBe('entra-id');
  expect(findProvider('pingfederate')?.id).toBe('ping');
  expect(findProvider('AUTH0')?.id).toBe('auth0');
  expect(findProvider('asgardeo')?.id).toBe('wso2');
  expect(findProvider('nobody')).toBeUndefined();
});

const named = (id: string) => findProvider(id) ?? expect.fail(`There is no ${id}.`);

/** Refusals as they were recorded, or as documentation and issue trackers quote them. */
const said: readonly [
  id: string,
  at: RequestStage,
  error: string | undefined,
  says: string,
  cause: Cause | undefined,
][] = [
  // Canaille's answer to a wrong secret, and to a client that is registered for another method.
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
  // A confidential client whose secret was not sent.
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

test.each(identityProviders)('$name quotes the value of a flag as a shell reads it', provider => {
  expect(JSON.stringify(provider)).not.toMatch(/--[a-z-]+ “/);
});
