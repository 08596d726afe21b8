import {expect, test} from 'vitest';
import {identityProviders} from '../../src/identity-providers/catalogue/all.ts';
import {allProviders, findProvider, recogniseProvider} from '../../src/identity-providers/recognise.ts';

/** Issuers and endpoints as the providers' documentation and their own answers have them. */
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
  // Glewlwyd has one path of Authelia's, and zitadel/oidc three of Dex's.
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
  // A path of an issuer is no sign where nothing else fits.
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
