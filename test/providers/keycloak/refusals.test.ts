import {afterAll, beforeAll, expect, test} from 'vitest';
import {temporaryPorts} from '../../support/place.ts';
import type {Representation} from '../support/admin.ts';
import {controlPlaneForTest} from '../support/control-plane.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {ifRecent, isRecent} from '../support/install-keycloak.ts';
import {ben, openRealm, publicClient, type Realm, serviceAccount} from '../support/realm.ts';
import {type PersonOptions, REDIRECT, signIn, signInAs} from '../support/sign-in.ts';

const pkceBy = (method: string) => ({'pkce.code.challenge.method': method});
const boundTokens = {'dpop.bound.access.tokens': 'true'};
const pushed = {'require.pushed.authorization.requests': 'true'};
const device = {'oauth2.device.authorization.grant.enabled': 'true'};
const confidential = {publicClient: false, secret: 'known-to-nobody'};

/** Clients for people, named after their peculiarity. */
const clients: Readonly<Record<string, Representation>> = {
  'as-it-is': {},
  disabled: {enabled: false},
  confidential,
  'no-flow': {standardFlowEnabled: false},
  'implicit-only': {standardFlowEnabled: false, implicitFlowEnabled: true},
  'no-redirects': {redirectUris: []},
  'any-port': {redirectUris: ['http://127.0.0.1/auth-callback']},
  'no-offline': {optionalClientScopes: []},
  plain: {attributes: pkceBy('plain')},
  pkce: {attributes: pkceBy('S256')},
  par: {attributes: pushed},
  'par-pkce': {attributes: {...pushed, ...pkceBy('S256')}},
  dpop: {attributes: boundTokens},
  'no-refresh': {attributes: {'use.refresh.tokens': 'false'}},
  consent: {consentRequired: true},
  device: {attributes: device},
  'device-confidential': {...confidential, attributes: device},
  'device-disabled': {enabled: false, attributes: device},
  'device-plain': {attributes: {...device, ...pkceBy('plain')}},
  'device-dpop': {attributes: {...device, ...boundTokens}},
};

const SECRET = 'the secret + of ci';

/** Service accounts, named in the same way. */
const services: Readonly<Record<string, Representation>> = {
  ci: {},
  'ci-disabled': {enabled: false},
  'ci-off': {serviceAccountsEnabled: false},
  'ci-by-signed-jwt': {clientAuthenticatorType: 'client-jwt'},
  'ci-by-secret-jwt': {clientAuthenticatorType: 'client-secret-jwt'},
  'ci-by-certificate': {clientAuthenticatorType: 'client-x509'},
  'ci-dpop': {attributes: boundTokens},
};

let realm: Realm;
beforeAll(async () => {
  realm = await openRealm([
    ...Object.entries(clients).map(([id, more]) => publicClient(id, REDIRECT, more)),
    ...Object.entries(services).map(([id, more]) => serviceAccount(id, SECRET, more)),
  ]);
});
afterAll(() => realm?.remove());

const placeForTest = async () => {
  const controlPlane = await controlPlaneForTest();
  const {issuer} = realm;
  controlPlane.trust({issuer});
  return {issuer, controlPlane, ports: await temporaryPorts()};
};

const byDevice = (clientId: string): PersonOptions => ({clientId, by: 'device'});
const other = (redirectUri: string): PersonOptions => ({clientId: 'as-it-is', redirectUri});
const asking = (...scopes: readonly string[]): PersonOptions => ({clientId: 'as-it-is', requested: {scopes}});

describeKeycloak('a person', () => {
  type Refused = [what: string, options: PersonOptions, code: string, remedy: RegExp];
  test.each<Refused>([
    ['nobody knows', {clientId: 'nobody'}, 'auth-client-unknown', /Clients: there is no client nobody/],
    ['is disabled', {clientId: 'disabled'}, 'auth-client-disabled', /switch “Enabled” on/],
    ['wants a secret', {clientId: 'confidential'}, 'auth-client-confidential', /“Client authentication” off/],
    ['has the standard flow off', {clientId: 'no-flow'}, 'auth-grant-missing', /“Standard flow” on/],
    ['has the implicit flow alone', {clientId: 'implicit-only'}, 'auth-grant-missing', /“Standard flow” on/],
    ['has no redirect address', {clientId: 'no-redirects'}, 'auth-redirect-refused', /“Valid redirect URIs”/],
    ['has another path', other('http://127.0.0.1:55152/cb'), 'auth-redirect-refused', /add http:\S+\/cb to “Valid/],
    ['has another port', other('http://127.0.0.1:1/auth-callback'), 'auth-redirect-refused', /“Valid redirect URIs”/],
    [
      'has another host',
      other('http://localhost:55152/auth-callback'),
      'auth-redirect-refused',
      /“Valid redirect URIs”/,
    ],
    ['wants PKCE by plain', {clientId: 'plain'}, 'auth-pkce-missing', /PKCE method to S256/],
    ['has no scope of the name', asking('openid', 'nobody'), 'auth-scope-refused', /Client scopes › Add client scope/],
    [
      'does not know offline_access',
      {...asking('openid', 'offline_access'), clientId: 'no-offline'},
      'auth-scope-refused',
      /Add client scope/,
    ],
    [
      'gives this account no offline token',
      {...asking('openid', 'offline_access'), person: ben},
      'auth-scope-refused',
      /offline_access/,
    ],
    [
      'may not sign in with a code',
      byDevice('as-it-is'),
      'auth-device-missing',
      /“OAuth 2.0 Device Authorization Grant” on/,
    ],
    ['nobody knows, by a code', byDevice('nobody'), 'auth-client-unknown', /there is no client nobody/],
    ['is disabled, by a code', byDevice('device-disabled'), 'auth-client-unknown', /or it is disabled/],
    [
      'wants a secret, by a code',
      byDevice('device-confidential'),
      'auth-client-confidential',
      /“Client authentication” off/,
    ],
    ['wants PKCE by plain, by a code', byDevice('device-plain'), 'auth-pkce-missing', /PKCE method to S256/],
    ...ifRecent<Refused>(
      ['wants tokens bound to a key', {clientId: 'dpop'}, 'auth-dpop-required', /“Require DPoP bound tokens” off/],
      ['wants bound tokens, by a code', byDevice('device-dpop'), 'auth-dpop-required', /“Require DPoP bound tokens”/],
    ),
    ...(isRecent
      ? []
      : ([['has its requests pushed', {clientId: 'par'}, 'auth-par-required', /required” off/]] as Refused[])),
  ])('cannot sign in with a client that %s', async (_what, options, code, remedy) => {
    const error = await signIn(await placeForTest(), options).catch(caught => caught);
    expect(error, error.message).toMatchObject({code, remedy: expect.stringMatching(remedy)});
    expect(error.message).toContain(realm.issuer);
  });

  test.each<[string, PersonOptions]>([
    ['demands PKCE', {clientId: 'pkce'}],
    ...ifRecent<[string, PersonOptions]>(
      ['has its requests pushed', {clientId: 'par'}],
      ['demands PKCE and has its requests pushed', {clientId: 'par-pkce'}],
    ),
    ['wants consent', {clientId: 'consent'}],
    ['has its redirect address without a port', {clientId: 'any-port'}],
    ['gives tokens that outlast the session', asking('openid', 'offline_access')],
    ['gives no ID token', asking('profile')],
  ])('signs in with a client that %s', async (_what, options) => {
    const {token, events} = await signIn(await placeForTest(), options);
    expect(token.renewable).toBe(true);
    expect(events.filter(({type}) => type === 'warning')).toEqual([]);
  });

  test('is told where refresh tokens are switched on, and is not asked a second time', async () => {
    const {token, events} = await signIn(await placeForTest(), {clientId: 'no-refresh'});
    expect(token.renewable).toBe(false);
    expect(events.filter(({type}) => type === 'sign-in-waiting')).toHaveLength(1);
    expect(events.filter(({type}) => type === 'warning')).toEqual([
      {
        type: 'warning',
        message: expect.stringMatching(/issued no refresh token.*no-refresh › .*“Use refresh tokens” on/),
      },
    ]);
  });
});

const both = ['service-account', 'mcp-client'] as const;

describeKeycloak('a service account', () => {
  test.each(both)('gets a token as a %s', async method => {
    const {result} = await signInAs(await placeForTest(), {clientId: 'ci', secret: SECRET, method});
    expect(result.token.access.reveal().split('.')).toHaveLength(3);
  });

  type Refused = [string, string, string, RegExp, {readonly secret?: string; readonly scopes?: string[]}?];
  const rows: readonly Refused[] = [
    ['whose secret is another', 'ci', 'auth-client-refused', /ci › Credentials shows the secret/, {secret: 'canary'}],
    ['that nobody knows', 'nobody', 'auth-client-unknown', /there is no client nobody/],
    ['that is disabled', 'ci-disabled', 'auth-client-unknown', /or it is disabled/],
    ['that is none', 'ci-off', 'auth-service-account-off', /“Service accounts roles” on/],
    ['that is a client for people', 'as-it-is', 'auth-service-account-off', /“Client authentication” and “Service/],
    ['that proves itself by a signed JWT', 'ci-by-signed-jwt', 'auth-method-refused', /“Client Authenticator” to/],
    ['that signs a JWT with its secret', 'ci-by-secret-jwt', 'auth-method-refused', /“Client Authenticator” to/],
    ['that proves itself by a certificate', 'ci-by-certificate', 'auth-client-unknown', /“Client Authenticator”/],
    ...ifRecent<Refused>([
      'that wants bound tokens',
      'ci-dpop',
      'auth-dpop-required',
      /“Require DPoP bound tokens” off/,
    ]),
    ['that has no scope of the name', 'ci', 'auth-scope-refused', /Add client scope/, {scopes: ['nobody']}],
  ];
  test.each(rows.flatMap(row => both.map(method => [row[0], method, row] as const)))(
    'gets none %s, as a %s',
    async (_what, method, [, clientId, code, remedy, {secret = SECRET, scopes} = {}]) => {
      const requested = scopes ? {requested: {scopes}} : {};
      const error = await signInAs(await placeForTest(), {clientId, secret, method, ...requested}).catch(
        caught => caught,
      );
      expect(error, error.message).toMatchObject({code, remedy: expect.stringMatching(remedy)});
      expect(`${error.message} ${error.remedy}`).not.toContain(secret);
      expect(error.remedy).not.toContain('--sign-in');
    },
  );
});
