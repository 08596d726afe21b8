import {describe, expect, test} from 'vitest';
import {authorizationUrl, cli, createBrowser, redeem, refresh, signIn} from '../identity/browser.ts';
import {applicationOf, basic, bearer, clientOf, pkce, runningSandbox, send} from '../support.ts';

const {ready} = await runningSandbox({release: 'next'});
const {authUrl, admin} = ready;
const {clientId, clientSecret} = clientOf(ready, 'sandbox_mcp_client');
const headers = {authorization: basic(clientId, clientSecret)};

const clientToken = (form: Record<string, string> | URLSearchParams, url = authUrl, given = headers) => {
  const body = new URLSearchParams(form);
  body.set('grant_type', 'client_credentials');
  return send(`${url}/oauth2/token`, {headers: given, form: body});
};

const unregistered = 'The resource parameter does not match any registered resource server';
const several = 'Only a single resource parameter is supported';
const noDefault = 'No resource parameter supplied and no default resource server is configured';
const invalidTarget = (error_description: string) => ({
  status: 400,
  json: {error: 'invalid_target', error_description},
});

describe('a resource', () => {
  test('has to be registered, at the token endpoint', async () => {
    const resource = `${ready.controlPlaneUrl}/mcp`;
    expect(await clientToken({resource})).toMatchObject(invalidTarget(unregistered));
    const two = new URLSearchParams([
      ['resource', resource],
      ['resource', `${ready.observerUrl}/mcp`],
    ]);
    expect(await clientToken(two)).toMatchObject(invalidTarget(several));
    expect(await clientToken({scope: 'openid'})).toMatchObject(invalidTarget(noDefault));
    expect(await clientToken({})).toMatchObject({status: 200});
  });

  test('has to be registered, at the authorization endpoint', async () => {
    const ask = async (...resources: string[]) => {
      const url = new URL(authorizationUrl(ready, {...cli, code_challenge: pkce().challenge}));
      for (const resource of resources) url.searchParams.append('resource', resource);
      const {searchParams} = new URL((await send(url)).headers.location ?? '');
      return [searchParams.get('error'), searchParams.get('error_description')];
    };
    const [one, other] = [`${ready.controlPlaneUrl}/mcp`, `${ready.observerUrl}/mcp`];
    expect(await ask(one)).toEqual(['invalid_target', unregistered]);
    expect(await ask(one, other)).toEqual(['invalid_target', several]);
    expect(await ask()).toEqual([null, null]);
  });
});

test('a person gets tokens without a resource, with scopes', async () => {
  const {json} = await redeem(ready, await signIn(ready, admin));
  expect(json.scope).toBe('openid profile email');
  const answer = await send(`${ready.controlPlaneUrl}/api/v1/namespaces`, {headers: bearer(json.access_token)});
  expect(answer).toMatchObject({status: 200, json: {items: [{metadata: {name: 'default'}}]}});
});

test('a refresh token ends its family when it comes twice, and can be revoked', async () => {
  const first = (await redeem(ready, await signIn(ready, admin))).json.refresh_token;
  const second = (await refresh(ready, first)).json.refresh_token;
  expect(await refresh(ready, first)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
  expect(await refresh(ready, second)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
  const {refresh_token: token} = (await redeem(ready, await signIn(ready, admin))).json;
  const form = {token, client_id: cli.client_id};
  expect(await send(`${authUrl}/oauth2/revoke`, {form})).toMatchObject({status: 200});
  expect(await refresh(ready, token)).toMatchObject({status: 400});
});

test('a request can be pushed first', async () => {
  const {challenge} = pkce();
  const form = {
    ...cli,
    response_type: 'code',
    scope: 'openid',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const pushed = await send(`${authUrl}/oauth2/par`, {form});
  expect(pushed).toMatchObject({status: 201, json: {request_uri: expect.any(String)}});
  const query = new URLSearchParams({client_id: cli.client_id, request_uri: pushed.json.request_uri});
  expect((await send(`${authUrl}/oauth2/authorize?${query}`)).headers.location).toContain('/gate/signin?');
});

describe('a sign-in in steps', () => {
  const begin = async () => {
    const url = authorizationUrl(ready, {...cli, code_challenge: pkce().challenge});
    const location = new URL((await send(url)).headers.location ?? '');
    return {location, executionId: location.searchParams.get('executionId') ?? ''};
  };
  const execute = (json: object) => send(`${authUrl}/flow/execute`, {json});

  test('is chained by challenges', async () => {
    const {location, executionId} = await begin();
    expect(location.searchParams.has('flowId')).toBe(false);
    const asked = (await execute({executionId})).json;
    expect(asked).toMatchObject({executionId, flowStatus: 'INCOMPLETE', challengeToken: expect.any(String)});
    const step = {executionId, action: 'action_001', inputs: admin};
    expect(await execute({...step, challengeToken: 'x'})).toMatchObject({status: 400});
    const wrong = {...step, inputs: {...admin, password: 'x'}, challengeToken: asked.challengeToken};
    const again = (await execute(wrong)).json;
    expect(again).toMatchObject({flowStatus: 'INCOMPLETE', error: {message: {defaultValue: expect.any(String)}}});
    expect(await execute({...step, challengeToken: asked.challengeToken})).toMatchObject({status: 400});
    const {json} = await execute({...step, challengeToken: again.challengeToken});
    expect(json).toMatchObject({executionId, flowStatus: 'COMPLETE', assertion: expect.any(String)});
  });

  test('is chained on the page too', async () => {
    const browser = createBrowser();
    const start = await browser.visit(authorizationUrl(ready, {...cli, code_challenge: pkce().challenge}));
    const gate = start.headers.location ?? '';
    const older = await browser.visit(gate);
    const newer = await browser.visit(gate);
    expect(await browser.submit(older, gate, admin)).toMatchObject({status: 400});
    expect(await browser.submit(newer, gate, admin)).toMatchObject({status: 303});
  });

  test('is not begun without an authorization request', async () => {
    const created = {
      name: 'Console',
      inboundAuthConfig: [
        {type: 'oauth2', config: {clientId: 'console', grantTypes: ['client_credentials'], responseTypes: []}},
      ],
    };
    const token = (await redeem(ready, await signIn(ready, admin, {scope: 'openid system'}))).json.access_token;
    const post = (json: object) => send(`${authUrl}/applications`, {json, headers: bearer(token)});
    const texts = {
      message: {key: expect.any(String), defaultValue: expect.any(String)},
      description: expect.anything(),
    };
    const refused = await post(applicationOf('Old', 'old'));
    expect(refused).toMatchObject({status: 400, json: {code: 'APP-1018', ...texts}});

    const {status, json} = await post(created);
    expect(status).toBe(201);
    expect(json.inboundAuthConfig[0].config).toMatchObject({
      clientId: 'console',
      clientSecret: expect.any(String),
      tokenEndpointAuthMethod: 'client_secret_basic',
    });
    const direct = (applicationId: string) => execute({applicationId, flowType: 'AUTHENTICATION', inputs: admin});
    expect(await direct(json.id)).toMatchObject({status: 403, json: {code: 'FES-1010', ...texts}});
    const {json: mobile} = await post({
      ...created,
      name: 'App',
      type: 'mobile',
      inboundAuthConfig: [{type: 'oauth2', config: {clientId: 'app', grantTypes: ['client_credentials']}}],
    });
    expect(await direct(mobile.id)).toMatchObject({status: 400, json: {code: 'FES-1016', ...texts}});
    expect(await direct('nobody')).toMatchObject({status: 400, json: {code: 'FES-1003', ...texts}});
  });
});

test('there is no sample application, and no password that everybody knows', async () => {
  expect(ready.applicationId).toBe('');
  expect(ready.clients.map(({clientId: id}) => id)).not.toContain('sample_app_client');
  expect(admin.password).not.toBe('admin');
  expect(await send(`${authUrl}/develop`)).toMatchObject({status: 401});
  expect(ready.portalUrl).toBe(`${authUrl}/console`);
});
