import {describe, expect, test} from 'vitest';
import type {Context} from '../../../../src/domain/context.ts';
import {SetupError} from '../../../../src/errors/errors.ts';
import type {Learned} from '../../../../src/flows/diagnosis/check.ts';
import {discovery, grants, issuer, redirectUrl} from '../../../../src/flows/diagnosis/checks/identity-checks.ts';
import {contextAt} from '../../../support/context.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {type Handler, json, serve, serveRoutes, text} from '../../../support/server.ts';
import {worded} from '../../../support/worded.ts';
import {look} from './support/look.ts';

const [oidc, oauth2] = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

describe('discovery', () => {
  const find = async (routes: Readonly<Record<string, Handler>>) => {
    const learned: Learned = {};
    const origin = await serveRoutes(routes);
    return {origin, learned, found: await look(discovery('x'), {origin, learned})};
  };

  test.each([
    ['OpenID Connect', {[oidc]: json({by: 'oidc'}), [oauth2]: json({by: 'oauth2'})}, oidc, 'oidc'],
    ['OAuth, where there is no other', {[oauth2]: json({by: 'oauth2'})}, oauth2, 'oauth2'],
  ])('is by the document of %s', async (_what, routes, path, by) => {
    const {origin, learned, found} = await find(routes);
    expect(found).toEqual({verdict: 'pass', saw: expect.stringMatching(new RegExp(`^${origin}${path}, \\d+ ms$`))});
    expect(learned.metadata).toEqual({by});
  });

  test.each([
    ['has none', {}, 'platform-no-such-endpoint', oidc],
    ['fails', {[oidc]: text('no', 500), [oauth2]: json({})}, 'platform-error', oidc],
  ])('of an identity provider that %s is a failure', async (_what, routes, code, path) => {
    await expect(find(routes)).rejects.toMatchObject({code, message: expect.stringContaining(path)});
  });
});

test('each check has the ground of the one before, and discovery asks the identity provider', () => {
  const check = discovery('tcp-idp');
  expect([check, issuer, grants].map(({needs}) => needs)).toEqual([['tcp-idp'], ['discovery'], ['issuer']]);
  expect(check.address?.({authUrl: 'http://idp'} as never)).toBe('http://idp');
  expect(redirectUrl.needs).toEqual(['grants', 'health-control-plane']);
});

test('the issuer is who the sign-in is at', async () => {
  const origin = 'http://idp.acme.localhost';
  const told = (metadata: object) => look(issuer, {origin, learned: {metadata: {...metadata}}});
  const good = {issuer: origin, token_endpoint: `${origin}/token`};
  expect(await told(good)).toEqual({verdict: 'pass', saw: origin});
  await expect(worded(told({...good, issuer: 'http://other'}))).rejects.toMatchObject({
    code: 'auth-issuer-mismatch',
    message: `${origin} identifies itself as http://other, but ${origin} was expected.`,
    about: {url: origin, flag: 'auth-url'},
  });
  for (const metadata of [{}, {issuer: 7}, {issuer: 'me'}, {issuer: origin}, {...good, token_endpoint: '/token'}])
    await expect(told(metadata)).rejects.toMatchObject({code: 'platform-invalid-answer'});
  await expect(told({...good, token_endpoint: undefined})).rejects.toMatchObject({
    message: `${origin} names no token_endpoint.`,
    about: {url: origin},
  });
  await expect(told({...good, jwks_uri: 'http://other/keys'})).rejects.toMatchObject({code: 'auth-endpoint-foreign'});
  await expect(look(issuer, {origin})).rejects.toThrow('No check of the metadata runs without it.');
});

describe('the grants', () => {
  const all = {
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['plain', 'S256'],
  };
  const without = (list: keyof typeof all, word: string) => ({...all, [list]: all[list].filter(one => one !== word)});
  const withoutSecrets = {...all, token_endpoint_auth_methods_supported: ['none', 'private_key_jwt']};
  const saw = 'authorization_code, refresh_token, client_credentials; none, client_secret_basic, client_secret_post';
  const [person, client, account] = [
    {signIn: 'browser'},
    {signIn: 'mcp-client', clientId: 'ci'},
    {signIn: 'service-account', clientId: 'ci'},
  ] as const;

  test.each([
    ['a person', person],
    ['an MCP client', client],
    ['a service account', account],
    ['nobody yet', undefined],
  ])('are well for %s', async (_who, context) => {
    const situation = context ? {context} : {};
    expect(await look(grants, {...situation, learned: {metadata: all}})).toEqual({verdict: 'pass', saw});
    // Only PKCE must be listed; other absent fields are not held against the identity provider.
    const untold = {code_challenge_methods_supported: ['S256']};
    expect(await look(grants, {...situation, learned: {metadata: untold}})).toEqual({
      ...{verdict: 'pass', saw: 'grants not listed; methods not listed'},
    });
  });

  test('are well where a secret can be sent in one way alone', async () => {
    const metadata = without('token_endpoint_auth_methods_supported', 'client_secret_post');
    expect(await look(grants, {context: account, learned: {metadata}})).toMatchObject({verdict: 'pass'});
  });

  test.each([
    [person, without('grant_types_supported', 'authorization_code'), 'auth-grant-missing', 'authorization_code'],
    [person, without('code_challenge_methods_supported', 'S256'), 'auth-pkce-missing', 'S256'],
    [person, {...all, code_challenge_methods_supported: undefined}, 'auth-pkce-unlisted', 'S256'],
    [client, without('grant_types_supported', 'client_credentials'), 'auth-grant-missing', 'client_credentials'],
    [client, withoutSecrets, 'auth-method-missing', 'client_secret_basic'],
    [account, withoutSecrets, 'auth-method-missing', 'client_secret_post'],
  ])('of %j are missed by %#: %s', async (context, metadata, code, word) => {
    await expect(look(grants, {context, learned: {metadata}})).rejects.toMatchObject({
      code,
      message: expect.stringContaining(word),
      about: {url: 'http://acme.localhost'},
    });
  });

  test('of which PKCE is not told are well only where the person has said that it is there', async () => {
    const learned = {metadata: {...all, code_challenge_methods_supported: undefined}};
    await expect(look(grants, {learned})).rejects.toMatchObject({code: 'auth-pkce-unlisted'});
    expect((await look(grants, {context: {...person, assumesPkce: true}, learned})).verdict).toBe('pass');
  });

  test('without refresh tokens are a warning for a person, and nothing to a client', async () => {
    const learned = {metadata: without('grant_types_supported', 'refresh_token')};
    expect(await look(grants, {context: person, learned})).toMatchObject({
      ...{
        verdict: 'warning',
        sentence: expect.stringContaining('The identity provider does not offer the grant refresh_token'),
      },
    });
    expect((await look(grants, {context: client, learned})).verdict).toBe('pass');
  });

  test('that are in use count before those that are listed', async () => {
    const keeping = async (context: Partial<Context>, tokens: object) => {
      const ports = await temporaryPorts();
      const whole = {...contextAt('http://acme.localhost'), ...context};
      await ports.credentials.replace(whole, {issuer: whole.issuer, clientId: whole.clientId, ...tokens});
      return {ports, context};
    };
    const glewlwyd = {metadata: {...all, grant_types_supported: ['authorization_code']}};
    const renewed = await keeping(person, {refreshToken: 'refresh-0'});
    expect(await look(grants, {...renewed, learned: glewlwyd})).toMatchObject({verdict: 'pass'});
    const issued = await keeping(account, {accessToken: 'access-0', clientSecret: 'secret'});
    expect(await look(grants, {...issued, learned: glewlwyd})).toMatchObject({verdict: 'pass'});
    const unused = await keeping(account, {clientSecret: 'secret'});
    await expect(look(grants, {...unused, learned: glewlwyd})).rejects.toMatchObject({code: 'auth-grant-missing'});
  });

  test('may leave `none` out of their methods, as several providers do that take public clients', async () => {
    const learned = {metadata: without('token_endpoint_auth_methods_supported', 'none')};
    expect((await look(grants, {context: person, learned})).verdict).toBe('pass');
  });
});

describe('the client and its redirect URL', () => {
  const redirectUri = 'http://127.0.0.1:55152/auth-callback';

  type Odd = {
    readonly pkce?: readonly string[];
    readonly refusal?: string;
    /** True if it checks the client before a person signs in. */
    readonly tellsClients?: boolean;
    readonly status?: number;
  };

  /** Starts a platform at one address whose identity provider knows these resources, and records what it was asked. */
  const platformFor = async (
    known: readonly string[],
    named?: 'its own resource',
    {pkce = ['S256'], refusal = 'invalid_target', tellsClients = true, status = 302}: Odd = {},
  ) => {
    const asked: Record<string, string>[] = [];
    const origin: string = await serve((request, response) => {
      const url = new URL(request.url ?? '/', origin);
      const path = url.pathname;
      if (path === oidc) {
        const endpoints = {authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`};
        const challenges = pkce.length > 0 ? {code_challenge_methods_supported: pkce} : {};
        return json({issuer: origin, ...endpoints, ...challenges})(request, response);
      }
      if (path === '/.well-known/oauth-protected-resource' && named) {
        return json({resource: `${origin}/mcp`})(request, response);
      }
      if (path !== '/authorize') return void response.writeHead(404).end();
      const isRegistered = ['platform-cli', 'saved', 'typed'].includes(url.searchParams.get('client_id') ?? '');
      if (tellsClients && !isRegistered) return void response.writeHead(400).end();
      asked.push(Object.fromEntries(url.searchParams));
      const resource = url.searchParams.get('resource');
      const isKnown = resource === null || known.includes(resource);
      const back = new URL(redirectUri);
      back.searchParams.set('error', refusal);
      if (status !== 302) return void response.writeHead(status).end('<html>No');
      response.writeHead(302, {location: isKnown ? `${origin}/login` : back.href}).end();
    });
    return {origin, asked};
  };
  const machine = {redirectUri};

  test('are taken, with the client that the platform names', async () => {
    const {origin, asked} = await platformFor([]);
    expect(await look(redirectUrl, {origin, machine})).toEqual({
      verdict: 'pass',
      saw: `platform-cli with ${redirectUri}`,
    });
    expect(asked).toMatchObject([{client_id: 'platform-cli', redirect_uri: redirectUri}]);
    expect(asked[0]).not.toHaveProperty('resource');
  });

  test('are not checked where every client is answered alike, unless somebody is signed in by it', async () => {
    const {origin} = await platformFor([], undefined, {tellsClients: false});
    expect(await look(redirectUrl, {origin, machine})).toMatchObject({
      verdict: 'skipped',
      saw: 'not checked: the identity provider checks the client only after a person signs in',
      remedy: expect.stringContaining(redirectUri),
    });
    const ports = await temporaryPorts();
    const context = contextAt(origin);
    const kept = {issuer: origin, clientId: context.clientId, accessToken: 'access-0'};
    await ports.credentials.replace(context, kept);
    expect(await look(redirectUrl, {origin, machine, ports, context: {}})).toMatchObject({verdict: 'pass'});
  });

  test('are a warning where a program is refused with a page that a browser may not meet', async () => {
    const {origin} = await platformFor([], undefined, {status: 403});
    expect(await look(redirectUrl, {origin, machine})).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringContaining(`answered 403 to a sign-in of platform-cli with ${redirectUri}`),
    });
  });

  test('are those of the saved deployment, or of the sign-in that is under way', async () => {
    const {origin, asked} = await platformFor([]);
    await look(redirectUrl, {origin, machine, context: {clientId: 'saved'}});
    await look(redirectUrl, {origin, machine, subject: {unsaved: {method: 'browser', clientId: 'typed', secrets: []}}});
    expect(asked.map(one => one.client_id)).toEqual(['saved', 'typed']);
  });

  test('are asked about with the resource of the platform', async () => {
    const {origin, asked} = await platformFor([], 'its own resource');
    const found = await look(redirectUrl, {origin, machine});
    expect(asked.map(one => one.resource)).toEqual([`${origin}/mcp`, undefined]);
    expect(found).toEqual({
      verdict: 'pass',
      saw: `platform-cli with ${redirectUri}, without the resource ${origin}/mcp, which is not registered`,
    });
  });

  test('are not known because the resource alone was refused, where every client is answered alike', async () => {
    const {origin} = await platformFor([], 'its own resource', {tellsClients: false});
    expect(await look(redirectUrl, {origin, machine})).toMatchObject({verdict: 'skipped'});
  });

  test('of a kept sign-in need the resource that it has', async () => {
    const {origin, asked} = await platformFor(['urn:known'], 'its own resource');
    expect(await look(redirectUrl, {origin, machine, context: {resource: 'urn:known'}})).toMatchObject({
      verdict: 'pass',
    });
    expect(await look(redirectUrl, {origin, machine, context: {resource: 'none'}})).toMatchObject({verdict: 'pass'});
    expect(asked.map(one => one.resource)).toEqual(['urn:known', undefined]);
    await expect(look(redirectUrl, {origin, machine, context: {resource: 'urn:gone'}})).rejects.toMatchObject({
      code: 'auth-resource-refused',
    });
  });

  test('are not asked about again where it is not the resource that was refused', async () => {
    const {origin, asked} = await platformFor([], 'its own resource', {refusal: 'unauthorized_client'});
    const error = await look(redirectUrl, {origin, machine}).catch(error => error);
    expect(error).toBeInstanceOf(SetupError);
    expect(error.code).not.toBe('auth-resource-refused');
    expect(asked).toHaveLength(1);
  });

  test('are asked about with PKCE of which nothing is said only where the person has said that it is there', async () => {
    const {origin, asked} = await platformFor([], undefined, {pkce: []});
    await expect(look(redirectUrl, {origin, machine, context: {}})).rejects.toMatchObject({code: 'auth-pkce-unlisted'});
    expect(asked).toEqual([]);
    expect((await look(redirectUrl, {origin, machine, context: {assumesPkce: true}})).verdict).toBe('pass');
  });

  test('are of no concern to a client with a secret', async () => {
    const {origin, asked} = await platformFor([]);
    const found = await look(redirectUrl, {origin, machine, context: {signIn: 'service-account', clientId: 'ci'}});
    expect(found).toEqual({verdict: 'skipped', saw: 'ci signs in with its secret, without a browser'});
    expect(asked).toEqual([]);
  });

  test('are at the identity provider', () => {
    expect(redirectUrl.address?.({authUrl: 'http://idp'} as never)).toBe('http://idp');
  });
});
