import {describe, expect, test} from 'vitest';
import {
  adminToken,
  applicationOf,
  basic,
  bearer,
  type Call,
  runningSandbox,
  send,
  serviceToken,
} from '../../support.ts';

const {ready} = await runningSandbox();
const url = `${ready.authUrl}/applications`;
const admin = bearer(await adminToken(ready));
const create = (json: unknown) => send(url, {headers: admin, json});

const unauthorized = {
  error: 'unauthorized',
  error_description: 'Authentication is required to access this resource',
};
const forbidden = {
  error: 'forbidden',
  error_description: 'You do not have sufficient permissions to access this resource',
};

const tokenFor = (id: string, secret: string) =>
  send(`${ready.authUrl}/oauth2/token`, {
    headers: {authorization: basic(id, secret)},
    form: {grant_type: 'client_credentials'},
  });

describe('who may not', () => {
  test.each<[string, Call]>([
    ['nobody', {}],
    ['a made-up token', {headers: bearer('garbage')}],
    ['an empty token', {headers: {authorization: 'Bearer '}}],
    ['an unsigned token', {headers: bearer('eyJhbGciOiJub25lIn0.eyJzY29wZSI6InN5c3RlbSJ9.')}],
  ])('%s is asked to authenticate', async (_, call) => {
    for (const path of ['', '/', `/${ready.applicationId}`]) {
      const answer = await send(`${url}${path}`, {...call, method: 'POST'});
      expect(answer).toMatchObject({status: 401, json: unauthorized});
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('a person without the permission is refused', async () => {
    const inputs = {username: 'developer', password: 'developer', requested_permissions: 'system'};
    const flow = {applicationId: ready.applicationId, flowType: 'AUTHENTICATION', inputs};
    const {assertion} = (await send(`${ready.authUrl}/flow/execute`, {json: flow})).json;
    expect(await send(url, {headers: bearer(assertion)})).toMatchObject({status: 403, json: forbidden});
  });

  test('a service is refused unless it asked for the permission', async () => {
    expect(await send(url, {headers: bearer(await serviceToken(ready))})).toMatchObject({status: 403});
    const token = await serviceToken(ready, {scope: 'system'});
    expect(await send(url, {headers: bearer(token)})).toMatchObject({status: 200});
  });
});

describe('creating', () => {
  test('shows the whole application', async () => {
    const token = {issuer: ready.authUrl, access_token: {validity_period: 1800}};
    const answer = await create(applicationOf('Shown', 'shown', {token}));
    expect(answer.status).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Shown',
      description: 'MCP client application',
      client_id: 'shown',
      auth_flow_id: expect.any(String),
      registration_flow_id: expect.any(String),
      is_registration_flow_enabled: false,
      assertion: {issuer: ready.authUrl, validity_period: 3600},
      certificate: {type: 'NONE'},
      inbound_auth_config: [
        {
          type: 'oauth2',
          config: {
            client_id: 'shown',
            client_secret: 'a-secret',
            redirect_uris: [],
            grant_types: ['client_credentials'],
            response_types: [],
            token_endpoint_auth_method: 'client_secret_basic',
            pkce_required: false,
            public_client: false,
            token: {
              issuer: ready.authUrl,
              access_token: {validity_period: 1800},
              id_token: {validity_period: 3600},
            },
          },
        },
      ],
    });
  });

  test('makes up what is left out', async () => {
    const config = {client_id: undefined, client_secret: undefined};
    const answer = await create(applicationOf('Made up', '', config));
    const [{config: made}] = answer.json.inbound_auth_config;
    expect(made.client_id).toMatch(/^[\w-]{22}$/);
    expect(made.client_secret).toMatch(/^[\w-]{43}$/);
    expect(await tokenFor(made.client_id, made.client_secret)).toMatchObject({status: 200});
  });

  test('a public client has no secret', async () => {
    const config = {
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://127.0.0.1:8765/cb'],
      token_endpoint_auth_method: 'none',
    };
    const [{config: made}] = (await create(applicationOf('Loop', 'loop', config))).json.inbound_auth_config;
    expect(made).toMatchObject({pkce_required: true, public_client: true, response_types: ['code']});
    expect(made).not.toHaveProperty('client_secret');
  });

  const code = {grant_types: ['authorization_code'], token_endpoint_auth_method: 'none'};
  test.each<[string, unknown, string]>([
    ['a taken name', applicationOf('Sample App', 'other'), 'APP-1020'],
    ['a taken name and client ID', applicationOf('Sample App', 'sample_app_client'), 'APP-1020'],
    ['a taken client ID', applicationOf('Other', 'sample_app_client'), 'APP-1021'],
    ['an empty name', applicationOf('', 'other'), 'APP-1004'],
    ['an unknown grant', applicationOf('Other', 'other', {grant_types: ['foo']}), 'APP-1010'],
    ['an unknown method', applicationOf('Other', 'other', {token_endpoint_auth_method: 'foo'}), 'APP-1013'],
    ['a service without a secret', applicationOf('Other', 'other', {token_endpoint_auth_method: 'none'}), 'APP-1024'],
    ['codes without a redirect URI', applicationOf('Other', 'other', code), 'APP-1024'],
    ['a bad redirect URI', applicationOf('Other', 'other', {...code, redirect_uris: ['/cb']}), 'APP-1018'],
    ['no client', {name: 'Other'}, 'APP-1018'],
    ['a wrong type', {...applicationOf('Other', 'other'), name: 7}, 'APP-1018'],
    ['JSON null', null, 'APP-1018'],
  ])('refuses %s', async (_, body, code) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      json: {code, message: expect.any(String), description: expect.any(String)},
    });
  });

  test('refuses bad JSON', async () => {
    const answer = await send(url, {headers: admin, body: '{"name":'});
    expect(answer).toMatchObject({
      status: 400,
      json: {
        code: 'APP-1018',
        message: 'Invalid request format',
        description: 'The request body is malformed or contains invalid data',
      },
    });
  });
});

test('create, use, change the secret, delete', async () => {
  const {id} = (await create(applicationOf('Short life', 'short'))).json;
  expect(await tokenFor('short', 'a-secret')).toMatchObject({status: 200});

  const shown = await send(`${url}/${id}`, {headers: admin});
  expect(shown).toMatchObject({status: 200, json: {id, name: 'Short life'}});
  expect(shown.text).not.toContain('secret"');

  const change = (secret?: string) =>
    send(`${url}/${id}`, {
      method: 'PUT',
      headers: admin,
      json: applicationOf('Short life', 'short', {client_secret: secret}),
    });
  const kept = await change();
  expect(kept.status).toBe(200);
  expect(kept.json.inbound_auth_config[0].config).not.toHaveProperty('client_secret');
  expect(await tokenFor('short', 'a-secret')).toMatchObject({status: 200});

  const changed = await change('another-secret');
  expect(changed.json.inbound_auth_config[0].config.client_secret).toBe('another-secret');
  expect(await tokenFor('short', 'a-secret')).toMatchObject({status: 401});
  expect(await tokenFor('short', 'another-secret')).toMatchObject({status: 200});

  const remove = () => send(`${url}/${id}`, {method: 'DELETE', headers: admin});
  expect(await remove()).toMatchObject({status: 204, text: ''});
  expect(await remove()).toMatchObject({status: 204});
  expect(await tokenFor('short', 'another-secret')).toMatchObject({status: 401, json: {error: 'invalid_client'}});
  const notFound = {
    code: 'APP-1001',
    message: 'Application not found',
    description: 'The requested application could not be found',
  };
  expect(await send(`${url}/${id}`, {headers: admin})).toMatchObject({status: 404, json: notFound});
  expect(await change('x')).toMatchObject({status: 404, json: notFound});
});

test('the list shows every application once, in the order of creation, without secrets', async () => {
  const answer = await send(url, {headers: admin});
  const {totalResults, count, applications} = answer.json;
  expect(totalResults).toBe(applications.length);
  expect(count).toBe(applications.length);
  expect(applications[0]).toEqual({
    id: ready.applicationId,
    name: 'Sample App',
    description: expect.any(String),
    client_id: 'sample_app_client',
    auth_flow_id: expect.any(String),
    registration_flow_id: expect.any(String),
    is_registration_flow_enabled: false,
  });
  expect(answer.text).not.toContain('secret');
});

test.each([
  ['POST', '/applications/', 405, 'OPTIONS'],
  ['PATCH', '/applications', 405, 'GET, HEAD, OPTIONS, POST'],
  ['POST', `/applications/${ready.applicationId}`, 405, 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['OPTIONS', '/applications', 204, 'GET, HEAD, OPTIONS, POST'],
])('%s %s is %i', async (method, path, status, allow) => {
  expect(await send(`${ready.authUrl}${path}`, {method, headers: admin})).toMatchObject({status, headers: {allow}});
});

test.each([
  ['/health/liveness', 200, ''],
  ['/health', 404, '404 page not found\n'],
  ['/oauth2/nope', 404, '404 page not found\n'],
  ['/.well-known/openid-configuration/x', 404, '404 page not found\n'],
  ['/', 401, JSON.stringify(unauthorized)],
  ['/nope', 401, JSON.stringify(unauthorized)],
  ['/.well-known/jwks.json', 401, JSON.stringify(unauthorized)],
])('a stranger gets from %s a %i', async (path, status, text) => {
  const answer = await send(`${ready.authUrl}${path}`);
  expect(answer).toMatchObject({status, text});
  expect(answer.headers['x-correlation-id']).toBeTruthy();
});

test('readiness names the stores behind it', async () => {
  const stores = ['IdentityDB', 'RuntimeDB', 'UserDB'].map(service_name => ({service_name, status: 'UP'}));
  const answer = await send(`${ready.authUrl}/health/readiness`);
  expect(answer).toMatchObject({status: 200, json: {status: 'UP', service_status: stores}});
});
