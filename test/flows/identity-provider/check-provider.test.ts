import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {cancelled} from '../../../src/errors/errors.ts';
import {checkProvider, identifyProvider} from '../../../src/flows/check-provider.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, type Handler, json, text} from '../../support/server.ts';
import {identityProvider, type Routes} from '../sign-in/support/identity-provider.ts';

const redirectUri = 'http://127.0.0.1:55152/auth-callback';
const jwtFor = (audience: string) =>
  ['{"alg":"RS256"}', JSON.stringify({aud: audience}), 'signature']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.');

const gitlab = (own: string) => ({jwks_uri: `${own}/oauth/discovery/keys`, token_endpoint: `${own}/oauth/token`});

const check = async (issuer: string, service?: {readonly clientId: string; readonly secret: Secret}) => {
  const wanted = {scopes: ['openid'], resource: 'https://api.acme.example/mcp'};
  const input = {issuer, clientId: 'platform-cli', redirectUri, wanted, ...(service ? {service} : {})};
  const {result} = await collect(checkProvider, input, await temporaryPorts());
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
    // A requirement that only a sign-in can show says what to do if it fails.
    expect(by('refresh-tokens')).toMatchObject({
      saw: expect.stringContaining('only a sign-in shows'),
      remedy: expect.any(String),
    });
  });

  test.each<[string, object, Routes, string, string]>([
    ['PKCE', {code_challenge_methods_supported: ['plain']}, () => ({}), 'authorization', 'auth-pkce-missing'],
    [
      'refresh tokens',
      {grant_types_supported: ['authorization_code']},
      () => ({'/token': json({error: 'unsupported_grant_type'}, 400)}),
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
      {token_endpoint_auth_methods_supported: ['private_key_jwt']},
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

test('nothing that was not checked is said twice, or with a placeholder', async () => {
  const {result} = await check(await identityProvider({}, () => ({})));
  const texts = result.flatMap(({saw, sentence, remedy}) => [saw, sentence, remedy].filter(one => one !== undefined));
  expect(texts.filter(text => /[<{]\w+[>}]/.test(text))).toEqual([]);
  for (const {verdict, sentence} of result) if (verdict === 'skipped') expect(sentence).toBeUndefined();
});

describe('a service account', () => {
  const service = {clientId: 'ci', secret: new Secret('canary')};
  const tokens =
    (token: string): Routes =>
    () => ({'/token': json({access_token: token, token_type: 'Bearer'})});

  test.each([
    ['serves where its token is a JWT for the platform', jwtFor('https://api.acme.example/mcp'), {verdict: 'pass'}],
    [
      'may not serve where its token is for somebody else',
      jwtFor('account'),
      {verdict: 'warning', sentence: expect.stringContaining('for account'), remedy: expect.stringContaining(' ci ')},
    ],
    ['may not serve where its token is for nobody', jwtFor(''), {verdict: 'warning'}],
    [
      'cannot serve where its token is opaque',
      'opaque',
      {verdict: 'fail', code: 'auth-token-opaque', remedy: 'Issue access tokens to ci as JWTs.'},
    ],
  ])('%s', async (_what, token, outcome) => {
    const {by, result} = await check(await identityProvider({}, tokens(token)), service);
    expect(by('service-account')).toMatchObject(outcome);
    expect(JSON.stringify(result)).not.toMatch(/canary|signature/);
  });
});

test('a kind is told by what it says of itself, or by its address where it cannot be asked', async () => {
  const own = await identityProvider(gitlab);
  const named = async (issuer: string) => (await collect(identifyProvider, {issuer}, await temporaryPorts())).result.id;
  expect(await named(own)).toBe('gitlab');
  expect(await named(await identityProvider())).toBe('standard');
  expect(await named(await closedOrigin())).toBe('standard');
});

describe('what is not told', () => {
  test('is left open, with what to do if it should fail', async () => {
    const metadata = {
      grant_types_supported: undefined,
      token_endpoint_auth_methods_supported: undefined,
      code_challenge_methods_supported: undefined,
    };
    const {by} = await check(await identityProvider(metadata));
    expect(by('pkce')).toMatchObject({verdict: 'skipped', remedy: expect.stringContaining('--assume-pkce')});
    // The sign-in itself is tried nevertheless.
    expect(by('authorization')).toMatchObject({verdict: 'pass'});
    expect(by('refresh-tokens')).toMatchObject({verdict: 'skipped', remedy: expect.stringContaining('platform-cli')});
    expect(by('service-account')).toMatchObject({verdict: 'skipped'});
  });

  test('is known of some: that PKCE works without being listed, and that every token is a JWT', async () => {
    const authentik = (own: string) => ({
      token_endpoint: `${own}/application/o/token/`,
      authorization_endpoint: `${own}/application/o/authorize/`,
      code_challenge_methods_supported: undefined,
    });
    const {by} = await check(await identityProvider(authentik));
    expect(by('discovery').saw).toContain('authentik');
    expect(by('pkce')).toMatchObject({verdict: 'pass', saw: 'not listed, and supported by authentik'});
    const keycloak = (own: string) => ({
      token_endpoint: `${own}/realms/x/protocol/openid-connect/token`,
      authorization_endpoint: `${own}/realms/x/protocol/openid-connect/auth`,
    });
    expect((await check(await identityProvider(keycloak))).by('jwt')).toMatchObject({verdict: 'pass'});
  });

  test('that a kind cannot serve is said', async () => {
    const {by} = await check(await identityProvider(gitlab));
    expect(by('jwt')).toMatchObject({
      verdict: 'fail',
      code: 'auth-token-opaque',
      saw: expect.stringContaining('GitLab'),
    });
    expect((await check(await identityProvider())).by('discovery').saw).toContain('of an unknown kind');
  });
});

describe('what is not listed', () => {
  const lists = {grant_types_supported: ['authorization_code']};

  test('may be there all the same: refresh tokens that the endpoint does not refuse are not checked', async () => {
    const {by} = await check(await identityProvider(lists));
    expect(by('refresh-tokens')).toMatchObject({
      verdict: 'skipped',
      saw: 'not checked: the metadata does not list them, but the token endpoint does not refuse them; only a sign-in shows whether the client gets one',
    });
  });

  test('of service accounts is a warning where there is none to try, and else what it shows', async () => {
    const {by} = await check(await identityProvider(lists));
    expect(by('service-account')).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringContaining('client_credentials'),
    });
    const token = jwtFor('https://api.acme.example/mcp');
    const routes: Routes = () => ({'/token': json({access_token: token, token_type: 'Bearer'})});
    const service = {clientId: 'ci', secret: new Secret('canary')};
    expect((await check(await identityProvider(lists, routes), service)).by('service-account')).toMatchObject({
      verdict: 'pass',
    });
  });
});

describe('a client of which nothing can be known before a person is signed in', () => {
  const clientIn = (url = '') => new URL(url, 'http://any').searchParams.get('client_id');

  test('is not checked, and never good', async () => {
    // It sends every request to its sign-in page, and checks the code before the client.
    const login: Handler = (_, response) => void response.writeHead(302, {Location: '/login'}).end();
    const {by} = await check(
      await identityProvider({}, () => ({
        '/authorize': login,
        '/login': text('<html>Sign in', 200, 'text/html'),
        '/token': json({error: 'invalid_grant'}, 400),
      })),
    );
    expect(by('authorization')).toMatchObject({
      verdict: 'skipped',
      saw: 'not checked: the identity provider checks the client only after a person signs in',
      remedy: expect.stringContaining(redirectUri),
    });
    expect(by('public-client')).toMatchObject({
      verdict: 'skipped',
      saw: 'not checked: the identity provider checks the code before the client',
    });
  });

  test.each([
    ['without a word', ''],
    ['with a page', '<html>No'],
  ])('is bad where a status says so, %s', async (_how, body) => {
    const {by} = await check(await identityProvider({}, () => ({'/authorize': text(body, 403, 'text/html')})));
    expect(by('authorization')).toMatchObject({verdict: 'fail', code: 'auth-redirect-refused'});
  });

  test('is good where one that nobody has registered is refused', async () => {
    const only: Handler = (request, response) =>
      clientIn(request.url) === 'platform-cli'
        ? text('<html>Sign in', 200, 'text/html')(request, response)
        : text('', 403)(request, response);
    const {by} = await check(await identityProvider({}, () => ({'/authorize': only})));
    expect(by('authorization')).toMatchObject({verdict: 'pass'});
  });
});

test('how long each took is told, and a wish to stop is heard', async () => {
  const {result} = await check(await identityProvider());
  for (const {ms} of result) {
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThan(20_000);
  }
  const input = {issuer: await identityProvider(), clientId: 'cli', redirectUri, wanted: {scopes: []}};
  const stopped = AbortSignal.abort(cancelled());
  await expect(collect(checkProvider, input, await temporaryPorts(), stopped)).rejects.toMatchObject({
    code: 'cancelled',
  });
});
