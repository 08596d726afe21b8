import {generateKeyPair, SignJWT} from 'jose';
import {describe, expect, test, vi} from 'vitest';
import {redeem, signIn} from './identity/browser.ts';
import {adminToken, applicationOf, basic, bearer, runningSandbox, send, serviceToken} from './support.ts';

const {ready} = await runningSandbox({layout: 'multi', resources: 'each'});

/** Gets a token for one of the two servers. */
const tokenFor = (url: string) => serviceToken(ready, {resource: `${url}/mcp`});
const components = '/api/v1/namespaces/default/projects/default/components';

const missing = {error: 'MISSING_TOKEN', message: 'missing or invalid authentication token'};
const invalid = {error: 'INVALID_TOKEN', message: 'invalid or expired token'};
const wrongClaims = {error: 'INVALID_CLAIMS', message: 'token claims validation failed'};

const ping = {jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: '2025-06-18', capabilities: {}}};
const initialize = {...ping, params: {...ping.params, clientInfo: {name: 'test', version: '1'}}};

const mcp = (serviceUrl: string, headers: Record<string, string> = {}) =>
  send(`${serviceUrl}/mcp`, {headers, json: initialize});

/** Creates a token that is correct except for its signer. */
const forged = async () => {
  const {privateKey} = await generateKeyPair('RS256');
  const [genuine = ''] = (await serviceToken(ready)).split('.');
  const {kid} = JSON.parse(Buffer.from(genuine, 'base64url').toString());
  return new SignJWT({aud: `${ready.controlPlaneUrl}/mcp`, iss: ready.authUrl, sub: 'x'})
    .setProtectedHeader({alg: 'RS256', kid})
    .setExpirationTime('1h')
    .sign(privateKey);
};

const tampered = async () => {
  const [header, payload = '', signature] = (await serviceToken(ready)).split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const changed = Buffer.from(JSON.stringify({...claims, sub: 'admin'})).toString('base64url');
  return [header, changed, signature].join('.');
};

describe.each([
  ['control plane', ready.controlPlaneUrl],
  ['observer', ready.observerUrl],
])('the MCP server of the %s', (_, url) => {
  const challenge = `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource"`;
  const refused = (json: object) => ({status: 401, json, headers: {'www-authenticate': challenge}});

  test.each(['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT'])('asks a stranger for a token: %s', async method => {
    expect(await send(`${url}/mcp`, {method})).toMatchObject(refused(missing));
  });

  test.each(['Basic eDp5', 'Bearer', 'Bearer a b', 'abc'])('does not take "%s" for a token', async authorization => {
    expect(await mcp(url, {authorization})).toMatchObject(refused(missing));
  });

  test.each<[string, () => Promise<string>]>([
    ['garbage', async () => 'garbage'],
    ['dots', async () => '..'],
    ['a forged one', forged],
    ['a changed one', tampered],
    ['an unsigned one', async () => `eyJhbGciOiJub25lIn0.${(await serviceToken(ready)).split('.')[1]}.`],
  ])('refuses %s', async (_, tokenOf) => {
    expect(await mcp(url, bearer(await tokenOf()))).toMatchObject(refused(invalid));
  });

  test('refuses an expired one', async () => {
    const token = await tokenFor(url);
    expect(await mcp(url, bearer(token))).toMatchObject({status: 200});
    vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 3_601_000});
    const late = await mcp(url, bearer(token));
    vi.useRealTimers();
    expect(late).toMatchObject(refused(invalid));
  });

  test('refuses one that is meant for somebody else', async () => {
    expect(await mcp(url, bearer(await adminToken(ready)))).toMatchObject(refused(wrongClaims));
    const resource = `${url}/mcp`;
    const session = await signIn(ready, {username: 'admin', password: 'admin'}, {resource});
    const {json} = await redeem(ready, session, {resource});
    expect(await mcp(url, bearer(json.id_token))).toMatchObject(refused(wrongClaims));
    expect(await mcp(url, bearer(json.access_token))).toMatchObject({status: 200});
  });

  test('refuses one of another issuer, as an application with such an issuer gets them', async () => {
    const id = `issuer-${new URL(url).hostname}`;
    const create = applicationOf(id, id, {token: {issuer: 'elsewhere'}});
    await send(`${ready.authUrl}/applications`, {headers: bearer(await adminToken(ready)), json: create});
    const token = await send(`${ready.authUrl}/oauth2/token`, {
      headers: {authorization: basic(id, 'a-secret')},
      form: {grant_type: 'client_credentials'},
    });
    expect(token.status).toBe(200);
    expect(await mcp(url, bearer(token.json.access_token))).toMatchObject(refused(wrongClaims));
  });

  test('says where tokens come from', async () => {
    expect(await send(`${url}/.well-known/oauth-protected-resource`)).toMatchObject({
      status: 200,
      json: {
        resource_name: expect.any(String),
        resource: `${url}/mcp`,
        authorization_servers: [ready.authUrl],
        bearer_methods_supported: ['header'],
        scopes_supported: [],
      },
    });
  });

  test('has no other path', async () => {
    const headers = bearer(await tokenFor(url));
    expect(await send(`${url}/mcp/`, {headers, json: initialize})).toMatchObject({status: 404});
  });
});

test('a token for the observer alone is good there and nowhere else', async () => {
  const headers = bearer(await tokenFor(ready.observerUrl));
  expect(await mcp(ready.observerUrl, headers)).toMatchObject({status: 200});
  expect(await mcp(ready.controlPlaneUrl, headers)).toMatchObject({status: 401, json: wrongClaims});
  expect(await send(`${ready.controlPlaneUrl}${components}`, {headers})).toMatchObject({
    status: 401,
    json: wrongClaims,
  });
});

test('the REST API needs a token too, and does not say where to get one', async () => {
  for (const [headers, json] of [
    [{}, missing],
    [bearer('garbage'), invalid],
    [bearer(await adminToken(ready)), wrongClaims],
  ] as const) {
    const answer = await send(`${ready.controlPlaneUrl}${components}`, {headers});
    expect(answer).toMatchObject({status: 401, json});
    expect(answer.headers['www-authenticate']).toBeUndefined();
  }
});

test('introspection knows good tokens from bad ones', async () => {
  const introspect = (token: string) => send(`${ready.authUrl}/oauth2/introspect`, {form: {token}});
  expect(await introspect(await serviceToken(ready))).toMatchObject({
    status: 200,
    json: {active: true, client_id: 'sandbox_mcp_client', iss: ready.authUrl, token_type: 'Bearer'},
  });
  expect((await introspect('garbage')).json).toEqual({active: false});
  expect((await introspect(await forged())).json).toEqual({active: false});
});

test('UserInfo is for people', async () => {
  const userinfo = (headers = {}) => send(`${ready.authUrl}/oauth2/userinfo`, {headers});
  expect(await userinfo()).toMatchObject({status: 401, json: {error: 'invalid_request'}});
  expect(await userinfo(bearer('garbage'))).toMatchObject({status: 401, json: {error: 'invalid_token'}});
  expect(await userinfo(bearer(await serviceToken(ready)))).toMatchObject({
    status: 401,
    json: {
      error: 'invalid_token',
      error_description: 'UserInfo endpoint is not applicable for client_credentials grant type',
    },
  });
});
