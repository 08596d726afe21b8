import {describe, expect, test} from 'vitest';
import {
  adminToken,
  applicationOf,
  basic,
  bearer,
  type Call,
  claimsOf,
  clientOf,
  runningSandbox,
  send,
} from '../../support.ts';

const {ready} = await runningSandbox();
const url = `${ready.authUrl}/oauth2/token`;
const mcp = clientOf(ready, 'sandbox_mcp_client');
const account = clientOf(ready, 'service_account');
const authorization = basic(mcp.clientId, mcp.clientSecret);
const grant = {grant_type: 'client_credentials'};

const invalidClient = {error: 'invalid_client', error_description: 'Invalid client credentials'};
const wrongMethod = {
  error: 'unauthorized_client',
  error_description: 'Client is not allowed to use the specified token endpoint authentication method',
};
const both = {
  error: 'invalid_request',
  error_description: 'Authorization information is provided in both header and body',
};
const missing = (name: string) => ({error: 'invalid_client', error_description: `Missing ${name} parameter`});
const noGrant = {error: 'invalid_request', error_description: 'Missing grant_type parameter'};
const badGrant = {error: 'unsupported_grant_type', error_description: 'Invalid grant_type parameter'};
const notAllowed = {
  error: 'unauthorized_client',
  error_description: 'The client is not authorized to use this grant type',
};

const post = (id: string, secret: string) => ({...grant, client_id: id, client_secret: secret});

const refusals: readonly [name: string, call: Call, status: number, body: object][] = [
  ['a wrong secret by header', {headers: {authorization: basic(mcp.clientId, 'x')}, form: grant}, 401, invalidClient],
  ['a wrong secret in the body', {form: post(account.clientId, 'x')}, 401, invalidClient],
  ['an unknown client by header', {headers: {authorization: basic('nobody', 'x')}, form: grant}, 401, invalidClient],
  ['an unknown client in the body', {form: post('nobody', 'x')}, 401, invalidClient],
  ['an unknown client without a secret', {form: {...grant, client_id: 'nobody'}}, 401, invalidClient],
  ['a body secret from a header client', {form: post(mcp.clientId, mcp.clientSecret)}, 401, wrongMethod],
  [
    'a header secret from a body client',
    {headers: {authorization: basic(account.clientId, account.clientSecret)}, form: grant},
    401,
    wrongMethod,
  ],
  ['a secret from a public client', {form: post('platform-cli', 'x')}, 401, wrongMethod],
  ['a wrong secret by the wrong method', {form: post(mcp.clientId, 'x')}, 401, invalidClient],
  ['header and body', {headers: {authorization}, form: post(mcp.clientId, mcp.clientSecret)}, 400, both],
  ['header of one and ID of another', {headers: {authorization}, form: {...grant, client_id: 'other'}}, 400, both],
  ['no client', {form: grant}, 401, missing('client_id')],
  ['a client ID only', {form: {...grant, client_id: mcp.clientId}}, 401, missing('client_secret')],
  ['an empty secret', {form: post(mcp.clientId, '')}, 401, missing('client_secret')],
  ['no grant type', {headers: {authorization}, form: {a: 'b'}}, 400, noGrant],
  ['a JSON body', {headers: {authorization}, json: grant}, 400, noGrant],
  ['no content type', {headers: {authorization}, body: 'grant_type=client_credentials'}, 400, noGrant],
  ['an empty body', {method: 'POST', headers: {authorization}}, 400, noGrant],
  ['an unknown grant', {headers: {authorization}, form: {grant_type: 'foo'}}, 400, badGrant],
  ['the password grant', {headers: {authorization}, form: {grant_type: 'password'}}, 400, badGrant],
  ['a grant of others', {headers: {authorization}, form: {grant_type: 'refresh_token'}}, 401, notAllowed],
  ['a service grant for a public client', {form: {...grant, client_id: 'platform-cli'}}, 401, notAllowed],
  [
    'a repeated parameter',
    {headers: {authorization}, form: new URLSearchParams('grant_type=client_credentials&scope=a&scope=b')},
    400,
    {error: 'invalid_request', error_description: 'Parameter scope is repeated'},
  ],
  [
    'refreshing with nothing',
    {form: {grant_type: 'refresh_token', client_id: 'platform-cli'}},
    400,
    {error: 'invalid_request', error_description: 'Refresh token is required'},
  ],
  [
    'a made-up refresh token',
    {form: {grant_type: 'refresh_token', client_id: 'platform-cli', refresh_token: 'x'}},
    400,
    {error: 'invalid_grant', error_description: 'Invalid refresh token'},
  ],
  [
    'a made-up code',
    {
      form: {
        grant_type: 'authorization_code',
        client_id: 'platform-cli',
        code: 'x',
        redirect_uri: 'http://127.0.0.1:55152/auth-callback',
        code_verifier: 'x'.repeat(43),
      },
    },
    400,
    {error: 'invalid_grant', error_description: 'Invalid authorization code'},
  ],
];

test.each(refusals)('refuses %s', async (_, call, status, body) => {
  const answer = await send(url, call);
  expect(answer).toMatchObject({status, json: body});
  expect(answer.headers).toMatchObject({'cache-control': 'no-store', pragma: 'no-cache'});
  expect(answer.headers['www-authenticate']).toBeUndefined();
});

test.each([
  ['not base64', 'Basic !!!'],
  ['no colon', `Basic ${Buffer.from('mcp').toString('base64')}`],
  ['no credentials', 'Basic '],
  ['another scheme', 'Bearer abc'],
])('challenges a bad Basic header: %s', async (_, value) => {
  const answer = await send(url, {headers: {authorization: value}, form: grant});
  expect(answer).toMatchObject({status: 401, json: invalidClient});
  expect(answer.headers['www-authenticate']).toBe('Basic');
});

test('other methods and paths are not there', async () => {
  expect(await send(url)).toMatchObject({status: 405, text: 'Method Not Allowed\n', headers: {allow: 'POST'}});
  expect(await send(`${url}/`, {form: grant})).toMatchObject({status: 404, text: '404 page not found\n'});
});

describe('a good request', () => {
  test('by header gets a JWT for its client', async () => {
    const answer = await send(url, {headers: {authorization}, form: grant});
    expect(answer).toMatchObject({status: 200, json: {token_type: 'Bearer', expires_in: 3600}});
    expect(answer.headers).toMatchObject({'cache-control': 'no-store', pragma: 'no-cache'});
    const claims = claimsOf(answer.json.access_token);
    expect(claims).toEqual({
      iss: ready.authUrl,
      aud: mcp.clientId,
      client_id: mcp.clientId,
      sub: mcp.clientId,
      grant_type: 'client_credentials',
      jti: expect.any(String),
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: claims.iat + 3600,
    });
  });

  test('in the body works for a client that is registered so', async () => {
    expect(await send(url, {form: post(account.clientId, account.clientSecret)})).toMatchObject({status: 200});
  });

  test('may name any resource', async () => {
    for (const resource of [`${ready.observerUrl}/mcp`, 'https://elsewhere.example/mcp']) {
      const answer = await send(url, {headers: {authorization}, form: {...grant, resource}});
      expect(claimsOf(answer.json.access_token).aud).toBe(resource);
    }
  });

  test('shows the scope that it asked for', async () => {
    const answer = await send(url, {headers: {authorization}, form: {...grant, scope: 'openid profile'}});
    expect(answer.json.scope).toBe('openid profile');
    expect(claimsOf(answer.json.access_token).scope).toBe('openid profile');
  });

  test('may have any character that a secret can have', async () => {
    const id = 'team-mcp';
    const secret = 'a%2Fb+c/d ~:&=';
    const create = applicationOf('Odd one', id, {
      client_secret: secret,
      token: {access_token: {validity_period: 120}},
    });
    await send(`${ready.authUrl}/applications`, {headers: bearer(await adminToken(ready)), json: create});
    // This release compares the credentials as sent, without decoding.
    const literal = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const answer = await send(url, {headers: {authorization: literal}, form: grant});
    expect(answer).toMatchObject({status: 200, json: {expires_in: 120}});
  });
});
