import {describe, expect, test} from 'vitest';
import {remedyText} from '../../../src/errors/describe-error.ts';
import type {ErrorCode} from '../../../src/errors/errors.ts';
import {setup} from '../../../src/errors/remedy.ts';
import type {ClientAuthentication} from '../../../src/flows/sign-in/client-authentication.ts';
import {type Asking, reasonOf, refusalError, valuesOf} from '../../../src/flows/sign-in/oauth-errors.ts';
import {standard} from '../../../src/identity-providers/catalogue/standard.ts';
import {findProvider} from '../../../src/identity-providers/catalogue.ts';
import type {Cause, IdentityProvider} from '../../../src/identity-providers/identity-provider.ts';

const issuer = 'https://idp.acme.example';
const asked = {scopes: ['openid', 'groups'], resource: 'https://api.acme.example/mcp'};
const post: ClientAuthentication = {method: 'client_secret_post', secret: 'canary'};

/** A provider whose every refusal has this cause. */
const refusing = (cause: Cause): IdentityProvider => ({...standard, refusals: [{cause}], settings: {}});

const asking = (provider: IdentityProvider, more: Partial<Asking> = {}): Asking => ({
  ...{issuer, clientId: 'cli', authentication: {method: 'none'}, provider, at: 'authorization', asked},
  redirectUri: 'http://127.0.0.1:1/cb',
  ...more,
});

const refused = {error: 'refused', description: 'No.'};

/** The message that a person reads for each cause. The last value says how the client authenticates. */
const causes: readonly (readonly [Cause, ErrorCode, string, ClientAuthentication?])[] = [
  ['grant', 'auth-grant-missing', 'does not allow cli this grant type'],
  ['pkce', 'auth-pkce-missing', 'does not accept PKCE with S256 from cli'],
  ['par', 'auth-par-required', 'requires pushed authorization requests from cli, but names no endpoint for them'],
  ['dpop', 'auth-dpop-required', 'issues only DPoP-bound tokens to cli'],
  ['scope', 'auth-scope-refused', 'does not grant cli these scopes: openid groups'],
  ['audience', 'auth-token-refused', 'issued a token for a different audience'],
  ['opaque', 'auth-token-opaque', 'issues access tokens that are not JWTs to cli'],
  ['secret', 'auth-client-refused', 'refused the client ID or the secret of cli', post],
  ['secret-method', 'auth-method-refused', 'does not let cli sign in this way', post],
  ['secret-or-method', 'auth-client-refused', 'refused the secret of cli, or the way it is sent', post],
  ['service-account', 'auth-service-account-off', 'doesn’t let cli sign in as a service account'],
  ['unknown-client', 'auth-client-unknown', 'has no client cli'],
  ['redirect', 'auth-redirect-refused', 'has no client cli with the redirect URL http://127.0.0.1:1/cb'],
  ['consent', 'auth-consent-required', 'requires a permission that cli has not been given'],
  ['interaction', 'auth-interaction-required', 'needs you to complete another step in the browser'],
  ['assignment', 'auth-permission-missing', 'does not let this account use cli'],
  ['ended', 'auth-grant-refused', 'refused the sign-in'],
  ['device', 'auth-device-missing', 'does not let cli sign people in with a code'],
  ['confidential', 'auth-client-confidential', 'doesn’t let cli sign in without a secret'],
  ['resource', 'auth-resource-refused', 'does not issue tokens for https://api.acme.example/mcp'],
];

const told = causes.map(([cause, code, words, authentication]) => ({cause, code, words, authentication}));

test.each(told)('$cause is told as $code', ({cause, code, words, authentication = {method: 'none'}}) => {
  const failure = refusalError(refused, asking(refusing(cause), {authentication}), 'why');
  expect(failure).toMatchObject({
    code,
    message: `${issuer} ${words} (refused: No.).`,
    cause: 'why',
    about: {url: issuer, said: 'refused: No.'},
  });
  expect(`${failure?.message} ${failure && remedyText(failure)}`).not.toContain('canary');
});

test('a client that is disabled is named first', () => {
  expect(refusalError(refused, asking(refusing('disabled')))).toMatchObject({
    code: 'auth-client-disabled',
    message: `cli is disabled at ${issuer} (refused: No.).`,
  });
});

test('what nobody has a cause for is nothing, and no words leave no brackets', () => {
  expect(refusalError(refused, asking({...standard, refusals: []}))).toBeUndefined();
  expect(refusalError({}, asking(refusing('grant')))?.message).toMatch(/this grant type\.$/);
  expect(reasonOf({error: 'a\u001B[2J', description: 'b'})).not.toMatch(/\u001B/);
  expect(reasonOf({description: 'b'})).toBe('b');
});

describe('what to do', () => {
  const keycloak = findProvider('keycloak') ?? expect.fail();

  test('is for operators where a person can do nothing, and names them and the setting', () => {
    const failure = refusalError({description: 'Client disabled.'}, asking(keycloak));
    expect(failure?.remedy).toBe('Ask the operators of Keycloak to change this: Clients › cli: switch “Enabled” on.');
  });

  test.each(['secret', 'secret-or-method', 'interaction'] as const)('is for the person: %s', cause => {
    const failure = refusalError(refused, asking(refusing(cause), {authentication: post}));
    expect(failure?.remedy).not.toContain('operators');
  });

  test('is to sign in again where the sign-in has ended, at the deployment that is meant', () => {
    const failure = refusalError(refused, asking(refusing('ended'), {at: 'renewal'}));
    expect(failure && remedyText(failure, {signIn: setup('login', '--context acme')})).toBe(
      'Sign in again: npx setup login --context acme.',
    );
  });
});

describe('who sent', () => {
  test.each(['secret', 'secret-method', 'secret-or-method'] as const)(
    'no secret is not told that it is wrong: %s',
    cause => {
      expect(refusalError(refused, asking(refusing(cause)))?.code).toBe('auth-client-confidential');
    },
  );

  test('one is not told that it is missing', () => {
    const failure = refusalError(refused, asking(refusing('confidential'), {authentication: post}));
    expect(failure?.code).toBe('auth-client-refused');
  });
});

test('the scope that was added is known by its refusal, and so are the flag of a redirect and a challenge', () => {
  const added = {...asked, isOfflineAdded: true} as const;
  const scope = refusalError(refused, asking(refusing('scope'), {asked: added}));
  expect(scope?.about).toMatchObject({isOfflineRefused: true});
  expect(refusalError(refused, asking(refusing('scope')))?.about).not.toHaveProperty('isOfflineRefused');
  expect(refusalError(refused, asking(refusing('grant'), {asked: added}))?.about).not.toHaveProperty(
    'isOfflineRefused',
  );
  expect(refusalError(refused, asking(refusing('redirect')))?.about.flag).toBe('redirect-uri');
  expect(refusalError(refused, asking(refusing('grant')))?.about).not.toHaveProperty('flag');
  expect(refusalError({...refused, claims: '{}'}, asking(refusing('interaction')))?.about.claims).toBe('{}');
});

test('a sentence is filled in with what is known of the request', () => {
  const {issuer: _, ...without} = valuesOf({issuer, clientId: 'cli'});
  expect(without).toEqual({clientId: 'cli'});
  expect(valuesOf({issuer, clientId: 'cli', asked, redirectUri: 'r'})).toEqual({
    ...{issuer, clientId: 'cli', scopes: 'openid groups', redirect: 'r', audience: asked.resource},
  });
  expect(valuesOf({issuer, clientId: 'cli', asked: {...asked, audience: 'api'}}).audience).toBe('api');
  const nameless = refusalError(refused, asking(refusing('resource'), {asked: {scopes: []}}));
  expect(nameless?.message).toContain('does not issue tokens for this resource');
});
