import {afterAll, beforeAll, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {checkProvider} from '../../../src/flows/check-provider.ts';
import {jsonLines} from '../../e2e/support/run.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import type {Representation} from '../support/admin.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {ifRecent} from '../support/install-keycloak.ts';
import {CLIENT, machineAt} from '../support/person.ts';
import {audienceMapper, openRealm, publicClient, type Realm, serviceAccount} from '../support/realm.ts';
import {REDIRECT} from '../support/sign-in.ts';

const AUDIENCE = 'https://api.acme.example/mcp';
const protocolMappers = [audienceMapper(AUDIENCE)];
/** Clients for people, named after their peculiarity. */
const clients: Readonly<Record<string, Representation>> = {
  'as-it-is': {},
  device: {attributes: {'oauth2.device.authorization.grant.enabled': 'true'}},
  disabled: {enabled: false},
  elsewhere: {redirectUris: ['http://127.0.0.1/x']},
  'no-flow': {standardFlowEnabled: false},
  plain: {attributes: {'pkce.code.challenge.method': 'plain'}},
  confidential: {publicClient: false, secret: 'known-to-nobody'},
  dpop: {attributes: {'dpop.bound.access.tokens': 'true'}},
};

/** Service accounts, named in the same way. */
const services: Readonly<Record<string, Representation>> = {
  ci: {},
  'ci-off': {serviceAccountsEnabled: false},
  'ci-disabled': {enabled: false},
  'ci-for-nobody': {protocolMappers: []},
};

let realm: Realm;
beforeAll(async () => {
  realm = await openRealm([
    ...Object.entries(clients).map(([id, more]) => publicClient(id, REDIRECT, {protocolMappers, ...more})),
    ...Object.entries(services).map(([id, more]) => serviceAccount(id, 'right', {protocolMappers, ...more})),
  ]);
});
afterAll(() => realm?.remove());

type Asked = {
  readonly clientId?: string;
  readonly service?: string;
  readonly secret?: string;
  readonly scopes?: readonly string[];
};

/** Runs a check and returns every outcome. The clients are correct unless the test names others. */
const check = async ({clientId = 'as-it-is', service = 'ci', secret = 'right', scopes = ['openid']}: Asked) => {
  const {issuer} = realm;
  const account = {clientId: service, secret: new Secret(secret)};
  const input = {issuer, clientId, redirectUri: REDIRECT, wanted: {scopes, resource: AUDIENCE}, service: account};
  const {result} = await collect(checkProvider, input, await temporaryPorts());
  return result;
};

describeKeycloak('setup provider check', () => {
  test('finds everything there', async () => {
    const found = await check({clientId: 'device'});
    expect(Object.fromEntries(found.map(({id, verdict}) => [id, verdict]))).toEqual({
      discovery: 'pass',
      authorization: 'pass',
      pkce: 'pass',
      'public-client': 'pass',
      // Only a sign-in shows whether there are refresh tokens.
      'refresh-tokens': 'skipped',
      device: 'pass',
      'service-account': 'pass',
      jwt: 'pass',
    });
  });

  type Odd = [what: string, asked: Asked, id: string, verdict: string, code: string, remedy: RegExp];
  test.each<Odd>([
    ['is not there', {clientId: 'nobody'}, 'authorization', 'fail', 'auth-client-unknown', /no client nobody/],
    ['is disabled', {clientId: 'disabled'}, 'authorization', 'fail', 'auth-client-disabled', /“Enabled” on/],
    ['leads elsewhere', {clientId: 'elsewhere'}, 'authorization', 'fail', 'auth-redirect-refused', /Valid redirect/],
    ['has its flow off', {clientId: 'no-flow'}, 'authorization', 'fail', 'auth-grant-missing', /“Standard flow” on/],
    ['wants plain', {clientId: 'plain'}, 'authorization', 'fail', 'auth-pkce-missing', /PKCE method to S256/],
    ['lacks a scope', {scopes: ['nobody']}, 'authorization', 'fail', 'auth-scope-refused', /Add client scope/],
    ['wants a secret', {clientId: 'confidential'}, 'public-client', 'fail', 'auth-client-confidential', /” off/],
    ...ifRecent<Odd>([
      'wants bound tokens',
      {clientId: 'dpop'},
      'public-client',
      'fail',
      'auth-dpop-required',
      /DPoP bound tokens” off/,
    ]),
    ['may not use codes', {}, 'device', 'skipped', '', /Device Authorization Grant” on/],
    ['has another secret', {secret: 'wrong'}, 'service-account', 'fail', 'auth-client-refused', /Credentials shows/],
    ['is no account', {service: 'ci-off'}, 'service-account', 'fail', 'auth-service-account-off', /accounts roles” on/],
    ['is a disabled account', {service: 'ci-disabled'}, 'service-account', 'fail', 'auth-client-unknown', /disabled/],
    ['is for nobody', {service: 'ci-for-nobody'}, 'service-account', 'warning', '', /Included Custom Audience/],
  ])('says where it is set that a client %s', async (_what, asked, id, verdict, code, remedy) => {
    const found = (await check(asked)).find(one => one.id === id);
    expect(found).toMatchObject({verdict, remedy: expect.stringMatching(remedy), ...(code === '' ? {} : {code})});
  });

  test('says so as a program: one line for each, and the family of the first failure', async () => {
    const machine = await machineAt({client: {enabled: false}});
    const args = ['provider', 'check', machine.issuer, '--client-id', CLIENT, '--redirect-uri', machine.redirectUri];
    const {code, stdout} = await machine.run([...args, '--json']);
    expect(code).toBe(4);
    const lines = jsonLines(stdout);
    expect(lines.filter(({type}) => type === 'check').map(({id}) => id)).toEqual([
      ...['discovery', 'authorization', 'pkce', 'public-client'],
      ...['refresh-tokens', 'device', 'service-account', 'jwt'],
    ]);
    expect(lines.find(({type}) => type === 'done')).toMatchObject({summary: expect.any(String)});
    expect(lines.at(-1)).toMatchObject({type: 'failed', code: 'auth-client-disabled'});
  });
});
