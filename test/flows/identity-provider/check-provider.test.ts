import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {checkProvider, identifyProvider} from '../../../src/flows/identity-provider/entry.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, json} from '../../support/server.ts';
import {identityProvider, type Routes} from '../sign-in/support/identity-provider.ts';

const redirectUri = 'http://127.0.0.1:55152/auth-callback';
const jwtFor = (audience: string) =>
  ['{"alg":"RS256"}', JSON.stringify({aud: audience}), 'signature']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.');

const check = async (issuer: string, service?: {readonly clientId: string; readonly secret: Secret}) => {
  const wanted = {scopes: ['openid'], resource: 'https://api.acme.example/mcp'};
  const input = {issuer, clientId: 'platform-cli', redirectUri, wanted, ...(service ? {service} : {})};
  const {result} = await collect(checkProvider(input, await temporaryPorts(), noSignal));
  const by = (id: string) => result.find(one => one.id === id) ?? expect.fail(`Nothing was said of ${id}.`);
  return {result, by, verdicts: Object.fromEntries(result.map(({id, verdict}) => [id, verdict]))};
};

describe('what the platform needs', () => {
  test('is there, as far as that shows without a person', async () => {
    const {verdicts, by} = await check(await identityProvider());
    expect(verdicts).toEqual({
      discovery: 'pass',
      authorization: 'pass',
      pkce: 'pass',
      'public-client': 'pass',
      'refresh-tokens': 'skipped',
      device: 'skipped',
      'service-account': 'skipped',
      jwt: 'skipped',
    });
    // What a sign-in has to show says what to do if it does not.
    expect(by('refresh-tokens')).toMatchObject({
      sentence: expect.stringContaining('only a sign-in shows'),
      remedy: expect.any(String),
    });
  });

  test.each<[string, object, Routes, string, string]>([
    ['PKCE', {code_challenge_methods_supported: ['plain']}, () => ({}), 'authorization', 'auth-pkce-missing'],
    [
      'refresh tokens',
      {grant_types_supported: ['authorization_code']},
      () => ({}),
      'refresh-tokens',
      'auth-grant-missing',
    ],
    [
      'a client of this name',
      {},
      () => ({'/authorize': json({error: 'Client not found.'}, 400)}),
      'authorization',
      'auth-client-unknown',
    ],
    [
      'a public client',
      {},
      () => ({'/token': json({error: 'invalid_client'}, 401)}),
      'public-client',
      'auth-client-confidential',
    ],
    [
      'a way for service accounts to send their secret',
      {token_endpoint_auth_methods_supported: ['client_secret_basic']},
      () => ({}),
      'service-account',
      'auth-method-missing',
    ],
  ])('is said where it lacks %s', async (_what, metadata, routes, id, code) => {
    const {by} = await check(await identityProvider(metadata, routes));
    expect(by(id)).toMatchObject({verdict: 'fail', code, remedy: expect.stringMatching(/\.$/)});
  });

  test('is not asked about where nobody is there', async () => {
    const {result} = await check(await closedOrigin());
    expect(result).toMatchObject([{id: 'discovery', verdict: 'fail', code: 'network-refused'}]);
  });
});

describe('a service account', () => {
  const service = {clientId: 'ci', secret: new Secret('canary')};
  const tokens =
    (token: string): Routes =>
    () => ({'/token': json({access_token: token, token_type: 'Bearer'})});

  test.each([
    ['serves where its token is a JWT for the platform', jwtFor('https://api.acme.example/mcp'), 'pass'],
    ['may not serve where its token is for somebody else', jwtFor('account'), 'warning'],
    ['cannot serve where its token is opaque', 'opaque', 'fail'],
  ])('%s', async (_what, token, verdict) => {
    const {by, result} = await check(await identityProvider({}, tokens(token)), service);
    expect(by('service-account')).toMatchObject({verdict});
    expect(JSON.stringify(result)).not.toMatch(/canary|signature/);
  });
});

test('a kind is told by what it says of itself, or by its address where it cannot be asked', async () => {
  const own = await identityProvider({jwks_uri: 'http://127.0.0.1/oauth/discovery/keys'});
  const named = async (issuer: string) =>
    (await collect(identifyProvider({issuer}, await temporaryPorts(), noSignal))).result.id;
  expect(await named(own)).toBe('gitlab');
  expect(await named(await identityProvider())).toBe('standard');
  expect(await named(await closedOrigin())).toBe('standard');
});
