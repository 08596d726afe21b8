import {createLocalJWKSet, jwtVerify} from 'jose';
import {describe, expect, test} from 'vitest';
import {bearer, claimsOf, pkce, runningSandbox, send} from '../support.ts';
import {authorizationUrl, cli, createBrowser, redeem, refresh, signIn} from './browser.ts';

const {ready} = await runningSandbox({release: '1.2', resources: 'each'});
const admin = {username: 'admin', password: 'admin'};
const {challenge} = pkce();

test('discovery offers S256 and what belongs to it', async () => {
  for (const document of ['openid-configuration', 'oauth-authorization-server']) {
    const answer = await send(`${ready.authUrl}/.well-known/${document}`);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        issuer: ready.authUrl,
        authorization_endpoint: `${ready.authUrl}/oauth2/authorize`,
        token_endpoint: `${ready.authUrl}/oauth2/token`,
        jwks_uri: `${ready.authUrl}/oauth2/jwks`,
        userinfo_endpoint: `${ready.authUrl}/oauth2/userinfo`,
        introspection_endpoint: `${ready.authUrl}/oauth2/introspect`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
      },
    });
    expect(await send(`${ready.authUrl}/.well-known/${document}`, {method: 'POST'})).toMatchObject({status: 405});
  }
});

test("the application's ID is in the address of the sign-in page", async () => {
  const sample = {client_id: 'sample_app_client', redirect_uri: 'https://localhost:3000'};
  const answer = await send(authorizationUrl(ready, {...sample, scope: 'openid', code_challenge: challenge}));
  expect(answer.status).toBe(302);
  const gate = new URL(answer.headers.location ?? '');
  expect(`${gate.origin}${gate.pathname}`).toBe(`${ready.authUrl}/gate/signin`);
  expect(gate.searchParams.get('applicationId')).toBe(ready.applicationId);
  expect(gate.searchParams.get('flowId')).toBeTruthy();
  expect(gate.searchParams.get('authId')).toBeTruthy();
});

describe('a person signs in with the browser', () => {
  test('and the CLI gets tokens', async () => {
    const session = await signIn(ready, admin, {nonce: 'a-nonce'});
    const {callback} = session;
    expect(`${callback.origin}${callback.pathname}`).toBe(cli.redirect_uri);
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      code: expect.any(String),
      state: 'xyz',
    });

    const answer = await redeem(ready, session);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({'cache-control': 'no-store', pragma: 'no-cache'});
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
      refresh_token: expect.any(String),
      id_token: expect.any(String),
    });
    expect(claimsOf(answer.json.access_token)).toMatchObject({
      iss: ready.authUrl,
      aud: cli.client_id,
      client_id: cli.client_id,
      grant_type: 'authorization_code',
      scope: 'openid profile email',
      username: 'admin',
      given_name: 'Admin',
      family_name: 'User',
      groups: ['platform-engineers'],
    });

    const jwks = createLocalJWKSet((await send(`${ready.authUrl}/oauth2/jwks`)).json);
    const {payload} = await jwtVerify(answer.json.id_token, jwks, {issuer: ready.authUrl, audience: cli.client_id});
    expect(payload).toMatchObject({
      nonce: 'a-nonce',
      sub: claimsOf(answer.json.access_token).sub,
      username: 'admin',
      email: 'admin@platform.example',
    });

    const userinfo = await send(`${ready.authUrl}/oauth2/userinfo`, {headers: bearer(answer.json.access_token)});
    expect(userinfo.json).toEqual({
      sub: payload.sub,
      username: 'admin',
      given_name: 'Admin',
      family_name: 'User',
    });
  });

  test('a wrong password shows the form again, and the right one goes on', async () => {
    const browser = createBrowser();
    const start = await browser.visit(authorizationUrl(ready, {...cli, code_challenge: challenge}));
    const gate = start.headers.location ?? '';
    const page = await browser.visit(gate);
    const wrong = await browser.submit(page, gate, {username: '<admin>', password: 'x'});
    expect(wrong.status).toBe(200);
    expect(wrong.text).toContain('role="alert"');
    expect(wrong.text).toContain('value="&lt;admin&gt;"');
    expect(wrong.text).not.toContain('value="x"');
    expect(await browser.submit(wrong, gate, admin)).toMatchObject({status: 303});
  });

  test('each authorization asks again, and another person can follow', async () => {
    const browser = createBrowser();
    for (const person of [admin, {username: 'developer', password: 'developer'}]) {
      const {verifier, challenge} = pkce();
      const start = await browser.visit(authorizationUrl(ready, {...cli, code_challenge: challenge}));
      const gate = start.headers.location ?? '';
      expect(gate).toContain('/gate/signin');
      const submitted = await browser.submit(await browser.visit(gate), gate, person);
      const resumed = await browser.visit(submitted.headers.location ?? '');
      const callback = new URL(resumed.headers.location ?? '');
      const {json} = await redeem(ready, {verifier, callback});
      expect(claimsOf(json.access_token).username).toBe(person.username);
    }
  });

  test('two sign-ins in two tabs both work', async () => {
    const browser = createBrowser();
    const open = async () =>
      (await browser.visit(authorizationUrl(ready, {...cli, code_challenge: challenge}))).headers.location ?? '';
    const [first, second] = [await open(), await open()];
    for (const gate of [first, second]) {
      const submitted = await browser.submit(await browser.visit(gate), gate, admin);
      const resumed = await browser.visit(submitted.headers.location ?? '');
      expect(resumed.headers.location).toContain(`${cli.redirect_uri}?code=`);
    }
  });

  test('only the browser that began can finish', async () => {
    const start = await send(authorizationUrl(ready, {...cli, code_challenge: challenge}));
    const gate = start.headers.location ?? '';
    const other = createBrowser();
    const submitted = await other.submit(await other.visit(gate), gate, admin);
    expect(submitted.status).toBe(400);
    expect(submitted.text).toContain('This sign-in has expired');
  });

  test('a sign-in that is not known is over', async () => {
    expect(await send(`${ready.authUrl}/gate/signin?flowId=x`)).toMatchObject({status: 400});
    expect(await send(`${ready.authUrl}/gate/signin`, {form: {flowId: 'x', ...admin}})).toMatchObject({status: 400});
    expect(await send(`${ready.authUrl}/oauth2/authorize/x`)).toMatchObject({status: 302});
  });

  test('the permission to administer is only for who has it', async () => {
    const scopeOf = async (person: typeof admin) =>
      (await redeem(ready, await signIn(ready, person, {scope: 'openid system'}))).json.scope;
    expect(await scopeOf(admin)).toBe('openid system');
    expect(await scopeOf({username: 'developer', password: 'developer'})).toBe('openid');
  });

  test('a client may ask for a token for the observer', async () => {
    const resource = `${ready.observerUrl}/mcp`;
    const {json} = await redeem(ready, await signIn(ready, admin, {resource}), {resource});
    expect(claimsOf(json.access_token).aud).toBe(resource);
    expect(claimsOf((await refresh(ready, json.refresh_token)).json.access_token).aud).toBe(resource);
  });
});

describe('an authorization request', () => {
  const page = (errorCode: string, errorMessage: string) =>
    `${ready.authUrl}/gate/error?${new URLSearchParams({errorCode, errorMessage})}`;

  test.each([
    ['an unknown client', {client_id: 'nobody'}, page('invalid_request', 'Invalid client_id')],
    ['no client', {client_id: ''}, page('invalid_request', 'Missing client_id parameter')],
    ['a foreign redirect URI', {redirect_uri: 'http://evil.example'}, page('invalid_request', 'Invalid redirect URI')],
    [
      'another port',
      {redirect_uri: 'http://127.0.0.1:55153/auth-callback'},
      page('invalid_request', 'Invalid redirect URI'),
    ],
    [
      'another spelling of loopback',
      {redirect_uri: 'http://localhost:55152/auth-callback'},
      page('invalid_request', 'Invalid redirect URI'),
    ],
  ])('with %s ends on the error page', async (_, parameters, location) => {
    const answer = await send(authorizationUrl(ready, {...cli, code_challenge: challenge, ...parameters}));
    expect(answer).toMatchObject({status: 302, headers: {location}});
    const shown = await send(location);
    expect(shown.status).toBe(400);
    expect(shown.text).toContain('<h1>Sign-in failed</h1>');
  });

  test.each([
    ['no PKCE', {code_challenge: ''}, 'invalid_request'],
    ['plain PKCE', {code_challenge_method: 'plain'}, 'invalid_request'],
    ['another response type', {response_type: 'foo'}, 'unsupported_response_type'],
    ['no page allowed', {prompt: 'none'}, 'login_required'],
    ['a foreign resource', {resource: 'https://elsewhere.example'}, 'invalid_target'],
  ])('with %s is sent back with an error', async (_, parameters, error) => {
    const answer = await send(authorizationUrl(ready, {...cli, code_challenge: challenge, ...parameters}));
    expect(answer.status).toBe(302);
    const callback = new URL(answer.headers.location ?? '');
    expect(`${callback.origin}${callback.pathname}`).toBe(cli.redirect_uri);
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({error, state: 'xyz'});
  });
});
