import {describe, expect, test, vi} from 'vitest';
import {authorizationUrl, cli, redeem, refresh, signIn} from '../identity/browser.ts';
import {type Answer, type Call, claimsOf, clientOf, pkce, runningSandbox, send} from '../support.ts';
import {recorded, releaseNames} from './recorded.ts';

const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

const literal = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

const inAWord = ({status, json, headers}: Answer) =>
  [
    String(status),
    ...(json?.error ? [`${json.error}: ${json.error_description}`] : []),
    ...(headers['www-authenticate'] ? [`(${headers['www-authenticate']})`] : []),
  ].join(' ');

describe.each(releaseNames)('the identity provider of release %s', async release => {
  const expected = recorded[release];
  const {ready} = await runningSandbox({release});
  const {authUrl} = ready;
  const mcp = clientOf(ready, 'sandbox_mcp_client');
  const account = clientOf(ready, 'service_account');
  const grant = {grant_type: 'client_credentials'};
  const token = (call: Call) => send(`${authUrl}/oauth2/token`, call);
  const authorization = literal(mcp.clientId, mcp.clientSecret);

  test('says which parts of it are up', async () => {
    expect((await send(`${authUrl}/health/readiness`)).json).toEqual(expected.readiness);
  });

  test('refuses as it was recorded', async () => {
    const calls: {readonly [K in keyof typeof expected.refusals]: Call} = {
      'a wrong secret': {headers: {authorization: literal(mcp.clientId, 'x')}, form: grant},
      'an unknown client': {headers: {authorization: literal('nobody', 'x')}, form: grant},
      'the wrong method': {form: {...grant, client_id: mcp.clientId, client_secret: mcp.clientSecret}},
      'header and body': {
        headers: {authorization},
        form: {...grant, client_id: mcp.clientId, client_secret: mcp.clientSecret},
      },
      'no client': {form: grant},
      'a client ID only': {form: {...grant, client_id: mcp.clientId}},
      'another grant': {headers: {authorization}, form: {grant_type: 'refresh_token', refresh_token: 'x'}},
      'no grant type': {headers: {authorization}, form: {a: 'b'}},
      'an unknown grant type': {headers: {authorization}, form: {grant_type: 'password'}},
    };
    const answers = Object.entries(calls).map(async ([name, call]) => [name, inAWord(await token(call))]);
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(expected.refusals);
  });

  test('reads Basic credentials as it was recorded', async () => {
    const encoded = literal(mcp.clientId.replaceAll('_', '%5F'), mcp.clientSecret);
    expect(inAWord(await token({headers: {authorization: encoded}, form: grant}))).toBe(expected.encodedUnderscore);
    expect((await token({headers: {authorization}, form: grant})).status).toBe(200);
  });

  test('makes tokens as it was recorded', async () => {
    const {json} = await token({form: {...grant, client_id: account.clientId, client_secret: account.clientSecret}});
    expect(headerOf(json.access_token)).toEqual({
      alg: 'RS256',
      typ: expected.accessTokenType,
      kid: expect.stringMatching(expected.keyId),
    });
    const {keys} = (await send(`${authUrl}/oauth2/jwks`)).json;
    expect(keys.map(({kid}: {kid: string}) => kid)).toEqual([headerOf(json.access_token).kid]);
    expect(claimsOf(json.access_token)).toMatchObject({
      aud: account.clientId,
      client_id: account.clientId,
      sub: release === 'next' ? expect.stringMatching(/^[\da-f-]{36}$/) : account.clientId,
    });
  });

  test('signs a person in as it was recorded', async () => {
    const session = await signIn(ready, ready.admin, {nonce: 'a-nonce'});
    expect(session.callback.searchParams.has('iss')).toBe(expected.iss);
    const {json} = await redeem(ready, session);
    expect(claimsOf(json.id_token).nonce).toBe(expected.nonce ? 'a-nonce' : undefined);
    expect(claimsOf(json.id_token).at_hash).toBeUndefined();
    expect(await redeem(ready, session)).toMatchObject({json: {error_description: expected.usedCode}});
  });

  test('gives refresh tokens that tell their end, a day after the sign-in', async () => {
    const {json} = await redeem(ready, await signIn(ready, ready.admin));
    const {exp, iat} = claimsOf(json.refresh_token);
    expect(exp - iat).toBe(86_400);
    vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 1_000_000});
    const renewed = (await refresh(ready, json.refresh_token)).json;
    vi.useRealTimers();
    expect(claimsOf(renewed.access_token).iat).toBeGreaterThan(iat + 900);
    expect(claimsOf(renewed.refresh_token).exp).toBe(exp);
    expect(renewed.refresh_token === json.refresh_token).toBe(release !== 'next');
    expect(Object.hasOwn(renewed, 'id_token')).toBe(!['0.14', '0.15', '0.16'].includes(release));
    const again = await refresh(ready, json.refresh_token);
    expect(again.status).toBe(release === 'next' ? 400 : 200);
    // The token's ID is not a refresh token by itself.
    expect(await refresh(ready, claimsOf(json.refresh_token).jti)).toMatchObject({status: 400});
  });

  test('has the endpoints that were recorded, and tells of no others', async () => {
    for (const path of expected.absent) {
      expect(await send(`${authUrl}${path}`, {form: {}}), path).toMatchObject({status: 404});
    }
    const {json} = await send(`${authUrl}/.well-known/openid-configuration`);
    const told = Object.values(json).filter(one => typeof one === 'string') as string[];
    for (const path of expected.absent) expect(told).not.toContain(`${authUrl}${path}`);
    for (const url of told.filter(one => one !== authUrl)) {
      expect((await send(url, {method: 'POST'})).status, url).not.toBe(404);
    }
    expect(json.authorization_response_iss_parameter_supported).toBe(expected.iss ? true : undefined);
    expect(json.code_challenge_methods_supported).toContain('S256');
    for (const [path, status] of Object.entries(expected.portal)) {
      expect((await send(`${authUrl}${path}`)).status, path).toBe(status);
    }
  });

  test('registers and introspects for whom it was recorded', async () => {
    const register = {redirect_uris: ['http://127.0.0.1:1234/cb'], token_endpoint_auth_method: 'none'};
    const registered = await send(`${authUrl}/oauth2/dcr/register`, {json: register});
    expect([registered.status, registered.json.error].filter(Boolean).join(' ')).toBe(expected.dynamicRegistration);
    const introspected = await send(`${authUrl}/oauth2/introspect`, {form: {token: 'x'}});
    expect([introspected.status, introspected.json.error].filter(Boolean).join(' ')).toBe(expected.introspection);
  });

  test('names the error for an unknown client', async () => {
    const url = authorizationUrl(ready, {...cli, client_id: 'nobody', code_challenge: pkce().challenge});
    const location = new URL((await send(url)).headers.location ?? '');
    expect(location.searchParams.get('errorCode')).toBe(expected.unknownClient);
  });
});

test.each(releaseNames.filter(name => name !== 'next'))('in release %s a flow ends as recorded', async release => {
  const {ready} = await runningSandbox({release});
  const inputs: Readonly<Record<keyof (typeof recorded)[typeof release]['flows'], object>> = {
    'wrong password': {...ready.admin, password: 'x'},
    'unknown user': {username: 'nobody', password: 'x'},
    'nothing yet': {},
    'right password': ready.admin,
  };
  const outcomes = Object.entries(inputs).map(async ([name, given]) => {
    const json = {applicationId: ready.applicationId, flowType: 'AUTHENTICATION', inputs: given};
    const {flowStatus, failureReason, data} = (await send(`${ready.authUrl}/flow/execute`, {json})).json;
    expect(data.inputs?.length).toBe(flowStatus === 'INCOMPLETE' ? 2 : undefined);
    return [name, [flowStatus, failureReason].filter(Boolean).join(' ')];
  });
  expect(Object.fromEntries(await Promise.all(outcomes))).toEqual(recorded[release].flows);
});

test.each(releaseNames.filter(name => name !== 'next'))(
  'in release %s a literal plus is read as recorded',
  async release => {
    const {ready} = await runningSandbox({release});
    const json = (
      await send(`${ready.authUrl}/flow/execute`, {
        json: {
          applicationId: ready.applicationId,
          flowType: 'AUTHENTICATION',
          inputs: {...ready.admin, requested_permissions: 'system'},
        },
      })
    ).json;
    const config = {
      client_id: 'plus',
      client_secret: 'a+b',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
    };
    await send(`${ready.authUrl}/applications`, {
      headers: {authorization: `Bearer ${json.assertion}`},
      json: {name: 'Plus', inbound_auth_config: [{type: 'oauth2', config}]},
    });
    const answer = await send(`${ready.authUrl}/oauth2/token`, {
      headers: {authorization: literal('plus', 'a+b')},
      form: {grant_type: 'client_credentials'},
    });
    expect(inAWord(answer)).toBe(recorded[release].plusInSecret);
  },
);
