import {describe, expect, test} from 'vitest';
import {cli, redeem, signIn} from '../identity/browser.ts';
import {bearer, clientOf, runningSandbox, send, serviceToken} from '../support.ts';
import {early, releaseNames, twoFlavours, withRoles} from './recorded.ts';

const versions = {
  '0.14': '0.14.0',
  '0.15': '0.15.0',
  '0.16': '0.16.0',
  '0.17': '0.17.0',
  '1.0': '1.0.0',
  '1.2': '1.2.3',
  next: '1.3.0',
};

/** The header that selects the newer flavour of the API. */
const openApi = {'x-use-openapi': 'true'};

describe.each(releaseNames)('the control plane of release %s', async release => {
  const {ready} = await runningSandbox({release});
  const url = ready.controlPlaneUrl;

  test('says which release it is, in the ready line too', async () => {
    expect((await send(`${url}/version`)).json).toMatchObject({name: 'platform-api', version: versions[release]});
    expect(ready).toMatchObject({release, platform: 'bundled'});
  });

  test('tells people their client where the release does', async () => {
    const {json} = await send(`${url}/.well-known/oauth-protected-resource`);
    const scopes = ['1.2', 'next'].includes(release) ? ['openid', 'profile', 'email'] : [];
    const clients = [{client_id: cli.client_id, name: 'cli', scopes: ['openid', 'profile', 'email']}];
    expect(json).toEqual({
      resource_name: 'Platform MCP Server',
      resource: `${url}/mcp`,
      authorization_servers: [ready.authUrl],
      bearer_methods_supported: ['header'],
      scopes_supported: scopes,
      ...(twoFlavours.includes(release) ? {} : {external_clients: clients, security_enabled: true}),
    });
    const discovery = ['/api/v1/.well-known/openid-configuration', '/.well-known/openid-configuration'];
    const statuses = async (headers: Record<string, string>) =>
      Promise.all(discovery.map(async path => (await send(`${url}${path}`, {headers})).status));
    const expected = {'0.14': [200, 404], '0.15': [200, 404], '0.16': [404, 200]};
    expect(await statuses(openApi)).toEqual(expected[release as keyof typeof expected] ?? [404, 404]);
    expect(await statuses({})).toEqual([404, 404]);
    const challenge = (await send(`${url}/mcp`, {form: {}})).headers['www-authenticate'];
    const scope = scopes.length > 0 ? ', scope="openid profile email"' : '';
    expect(challenge).toBe(`Bearer resource_metadata="${url}/.well-known/oauth-protected-resource"${scope}`);
  });

  test('has the paths of its release, and not those of the others', async () => {
    const authorization = bearer(await serviceToken(ready));
    const statusOf = async (path: string, more = {}) =>
      (await send(`${url}${path}`, {headers: {...authorization, ...more}})).status;
    const older = '/api/v1/namespaces/default/projects/default/components';
    const newer = '/api/v1/namespaces/default/components?project=default';
    const isOlder = twoFlavours.includes(release);
    expect([await statusOf(older), await statusOf(newer)]).toEqual(isOlder ? [200, 404] : [404, 200]);
    const asked = [await statusOf(older, openApi), await statusOf(newer, openApi)];
    expect(asked).toEqual(['0.14', '0.15'].includes(release) ? [200, 404] : [404, 200]);
    expect(await statusOf('/api/v1/authz/profile')).toBe(withRoles.includes(release) ? 200 : 404);
  });

  test('has not all of it in the newer flavour, where there are two', async () => {
    const isOf = async (path: string) => (await send(`${url}${path}`, {headers: openApi})).status;
    const [unready, nowhere] = twoFlavours.includes(release) ? [500, 404] : [200, 401];
    expect(await isOf('/ready')).toBe(unready);
    expect(await isOf('/.well-known/oauth-protected-resource')).toBe(unready);
    expect(await isOf('/mcp')).toBe(nowhere);
    expect([await isOf('/health'), await isOf('/version')]).toEqual([200, 200]);
  });

  test('says OK with no more than its type in the newer flavour', async () => {
    const typeOf = async (headers: Record<string, string>) =>
      (await send(`${url}/health`, {headers})).headers['content-type'];
    expect(await typeOf(openApi)).toBe('text/plain');
    expect(await typeOf({})).toBe(twoFlavours.includes(release) ? 'text/plain; charset=utf-8' : 'text/plain');
  });

  test('leads from two slashes to one, whichever flavour is asked for', async () => {
    if (release === '0.14') return;
    for (const headers of [{}, openApi]) {
      expect(await send(new URL(`${url}//api/v1//namespaces?limit=1`), {headers})).toMatchObject({
        status: 301,
        headers: {location: '/api/v1/namespaces?limit=1', 'content-type': 'text/html; charset=utf-8'},
        text: '<a href="/api/v1/namespaces?limit=1">Moved Permanently</a>.\n\n',
      });
      expect(await send(`${url}/health/`, {headers})).toMatchObject({status: 404});
    }
  });
});

describe.each(['0.15', '0.16'] as const)('the older flavour of release %s', async release => {
  const sandbox = await runningSandbox({release, projects: [{name: 'shop', components: 2}]});
  const {ready} = sandbox;
  const get = async (path: string, token: string, headers = {}) =>
    (await send(`${ready.controlPlaneUrl}/api/v1${path}`, {headers: {...bearer(token), ...headers}})).json;
  const account = clientOf(ready, 'service_account');
  const form = {grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.clientSecret};
  const {access_token: stranger} = (await send(`${ready.authUrl}/oauth2/token`, {form})).json;

  test('shows nothing to a client without a role, and says who it is', async () => {
    const data = {items: [], totalCount: 0, page: 1, pageSize: 0};
    for (const path of ['', '/default/projects', '/default/projects/shop/components']) {
      expect(await get(`/namespaces${path}`, stranger), path).toEqual({success: true, data});
    }
    const user = {type: 'service_account', entitlement_claim: 'sub', entitlement_values: [account.clientId]};
    const profile = {capabilities: {}, evaluatedAt: expect.any(String), user};
    expect(await get('/authz/profile', stranger)).toEqual({success: true, data: profile});
    expect(await get('/authz/profile', stranger, openApi)).toEqual(profile);
  });

  test('shows a project to who has a role for it', async () => {
    sandbox.bind({claim: 'sub', value: account.subject, role: 'backstage-catalog-reader', project: 'shop'});
    const path = 'ns/default/project/shop';
    const {data} = await get('/authz/profile', stranger);
    expect(data.capabilities['component:view']).toEqual({allowed: [{path, constraints: null}], denied: []});
    const {capabilities} = await get('/authz/profile', stranger, openApi);
    expect(capabilities['component:view']).toEqual({allowed: [{path}], denied: []});
    expect((await get('/namespaces', stranger)).data.items).toEqual([]);
    expect((await get('/namespaces/default/projects', stranger)).data.items).toMatchObject([{name: 'shop'}]);
    expect((await get('/namespaces/default/projects/shop/components', stranger)).data.totalCount).toBe(2);
    expect((await get('/namespaces/default/projects/default/components', stranger)).data.items).toEqual([]);
  });
});

describe.each(['0.16', '0.17', '1.0', '1.2', 'next'] as const)('lists of a namespace in release %s', async release => {
  const sandbox = await runningSandbox({release, projects: [{name: 'shop', components: 130}]});
  const {ready} = sandbox;
  const headers = bearer(await serviceToken(ready));
  const flavour = release === '0.16' ? openApi : {};
  const get = (path: string, given = headers) =>
    send(`${ready.controlPlaneUrl}${path}`, {headers: {...given, ...flavour}});
  const namesIn = ({json}: Awaited<ReturnType<typeof get>>) =>
    json.items.map(({metadata}: {metadata: {name: string}}) => metadata.name);

  test('lists objects of the cluster', async () => {
    const {json} = await get('/api/v1/namespaces/default/components?project=default');
    expect(json).toEqual({
      items: [
        {
          apiVersion: 'openchoreo.dev/v1alpha1',
          kind: 'Component',
          metadata: expect.objectContaining({
            name: 'greeter-service',
            namespace: 'default',
            uid: expect.any(String),
            creationTimestamp: '2026-02-07T08:00:00Z',
          }),
          spec: {
            owner: {projectName: 'default'},
            componentType: {kind: 'ComponentType', name: 'deployment/service'},
            autoDeploy: true,
          },
          status: expect.anything(),
        },
        expect.objectContaining({kind: 'Component'}),
      ],
      pagination: {},
    });
    expect(namesIn(await get('/api/v1/namespaces'))).toEqual(['default']);
    expect(namesIn(await get('/api/v1/namespaces/default/projects'))).toEqual(['default', 'shop']);
    expect((await get('/api/v1/namespaces/default/components/shop-1')).json.metadata.name).toBe('shop-1');
  });

  test('gives 20 at a time, and never more than 100', async () => {
    const shop = '/api/v1/namespaces/default/components?project=shop';
    const first = await get(shop);
    expect(first.json.items).toHaveLength(20);
    const most = await get(`${shop}&limit=1000`);
    expect(most.json.items).toHaveLength(100);
    const rest = await get(`${shop}&limit=1000&cursor=${most.json.pagination.nextCursor}`);
    expect(rest.json).toMatchObject({items: {length: 30}, pagination: {}});
    expect(rest.json.pagination.nextCursor).toBeUndefined();
    expect(new Set([...namesIn(most), ...namesIn(rest)]).size).toBe(130);
    for (const query of ['limit=0', 'limit=x', 'cursor=x']) {
      expect(await get(`${shop}&${query}`), query).toMatchObject({status: 400, json: {code: 'BAD_REQUEST'}});
    }
  });

  test('knows what is not there', async () => {
    const missing = {status: 404, json: {code: 'NOT_FOUND', error: 'Project not found'}};
    expect(await get('/api/v1/namespaces/default/components?project=nope')).toMatchObject(missing);
    expect(await get('/api/v1/namespaces/nope/components?project=default')).toMatchObject(missing);
    for (const path of ['nope/components', 'nope/projects', 'nope/projects?project=default']) {
      expect((await get(`/api/v1/namespaces/${path}`)).json, path).toEqual({items: [], pagination: {}});
    }
    expect((await get('/api/v1/namespaces/default/projects?project=nope')).json.items).toHaveLength(2);
    const nowhere = await get('/api/v1/nope');
    expect(nowhere).toMatchObject({status: 404, text: '404 page not found\n'});
    expect(nowhere.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('refuses a foreign host at /mcp from 1.0 on', async () => {
    if (early.includes(release)) return;
    const answer = await send(`${ready.controlPlaneUrl}/mcp`, {headers: {host: 'evil.example'}, form: {}});
    expect(answer).toMatchObject({status: 403, text: 'Forbidden: invalid Host header "evil.example"\n'});
  });

  test('shows nothing to a client without a role', async () => {
    const account = clientOf(ready, 'service_account');
    const form = {grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.clientSecret};
    const {json} = await send(`${ready.authUrl}/oauth2/token`, {form});
    const stranger = bearer(json.access_token);
    for (const path of ['', '/default/projects', '/default/components', '/default/components?project=shop']) {
      expect((await get(`/api/v1/namespaces${path}`, stranger)).json, path).toEqual({items: [], pagination: {}});
    }
    const isNew = release === '1.2' || release === 'next';
    const what = isNew ? 'perform this operation' : 'access this resource';
    const forbidden = {code: 'FORBIDDEN', error: `You do not have permission to ${what}`};
    for (const path of ['', '/projects/shop', '/components/shop-1']) {
      const answer = await get(`/api/v1/namespaces/default${path}`, stranger);
      expect([answer.status, answer.json], path).toEqual([403, forbidden]);
    }
  });

  test('tells people and clients who they are', async () => {
    const profile = async (token: string) => (await get('/api/v1/authz/profile', bearer(token))).json;
    const service = await profile(await serviceToken(ready));
    expect(service.capabilities['component:view']).toEqual({allowed: [{path: '*'}], denied: []});
    const person = {username: 'developer', password: 'developer'};
    const {json} = await redeem(ready, await signIn(ready, person));
    expect(await profile(json.access_token)).toEqual({
      capabilities: {},
      evaluatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      user: {type: 'user', entitlement_claim: 'groups', entitlement_values: ['developers']},
    });
  });
});

describe('a role', async () => {
  const sandbox = await runningSandbox({release: '1.2', projects: [{name: 'shop', components: 2}]});
  const {ready} = sandbox;
  const account = clientOf(ready, 'service_account');
  const form = {grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.clientSecret};
  const {json} = await send(`${ready.authUrl}/oauth2/token`, {form});
  const get = (path: string, token = json.access_token) =>
    send(`${ready.controlPlaneUrl}/api/v1${path}`, {headers: bearer(token)});

  test('of one project shows that project, at the next request', async () => {
    expect((await get('/namespaces/default/components?project=shop')).json.items).toEqual([]);
    sandbox.bind({claim: 'sub', value: 'service_account', role: 'developer', project: 'shop'});
    expect((await get('/namespaces/default/components?project=shop')).json.items).toHaveLength(2);
    expect((await get('/namespaces/default/components')).json.items).toHaveLength(2);
    expect((await get('/namespaces/default/components?project=default')).json.items).toEqual([]);
    expect(await get('/namespaces/default/components/greeter-service')).toMatchObject({status: 403});
    expect((await get('/namespaces')).json.items).toEqual([]);
    const {capabilities, user} = (await get('/authz/profile')).json;
    expect(capabilities['component:view']).toEqual({allowed: [{path: 'ns/default/project/shop'}], denied: []});
    expect(capabilities['project:create']).toBeUndefined();
    expect(user).toEqual({
      type: 'service_account',
      entitlement_claim: 'sub',
      entitlement_values: ['service_account'],
    });
    expect((await get('/authz/profile?namespace=other')).json.capabilities).toEqual({});
  });

  test('counts for people by their groups only', async () => {
    const person = {username: 'developer', password: 'developer'};
    const tokens = (await redeem(ready, await signIn(ready, person))).json;
    const sub = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString()).sub;
    for (const [claim, value] of Object.entries({sub, username: 'developer', email: 'developer@platform.example'})) {
      sandbox.bind({claim, value, role: 'admin'});
    }
    expect((await get('/namespaces', tokens.access_token)).json.items).toEqual([]);
    sandbox.bind({claim: 'groups', value: 'developers', role: 'namespace-reader'});
    expect((await get('/namespaces', tokens.access_token)).json.items).toHaveLength(1);
  });

  test.each(withRoles)('that may do everything in release %s is the one that is given unasked', async release => {
    const {ready, bind} = await runningSandbox({release});
    const owned = clientOf(ready, 'service_account');
    const token = (
      await send(`${ready.authUrl}/oauth2/token`, {
        form: {grant_type: 'client_credentials', client_id: owned.clientId, client_secret: owned.clientSecret},
      })
    ).json.access_token;
    bind({claim: 'sub', value: owned.subject});
    const {json} = await send(`${ready.controlPlaneUrl}/api/v1/authz/profile`, {headers: bearer(token)});
    const {capabilities} = json.data ?? json;
    const key = early.includes(release) ? 'rolemapping:create' : 'clusterauthzrolebinding:create';
    expect(capabilities[key]).toMatchObject({allowed: [{path: '*'}], denied: []});
    const other = early.includes(release) ? 'admin' : 'super-admin';
    expect(() => bind({claim: 'sub', value: 'x', role: other})).toThrow(`There is no role ${other}.`);
  });

  test('has to exist', () => {
    expect(() => sandbox.bind({claim: 'sub', value: 'x', role: 'king'})).toThrow('There is no role king.');
  });
});

test('a client of the development line is bound by the ID of its application', async () => {
  const sandbox = await runningSandbox({release: 'next'});
  const account = clientOf(sandbox.ready, 'service_account');
  const form = {grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.clientSecret};
  const {access_token} = (await send(`${sandbox.ready.authUrl}/oauth2/token`, {form})).json;
  const items = async () =>
    (await send(`${sandbox.ready.controlPlaneUrl}/api/v1/namespaces`, {headers: bearer(access_token)})).json.items;
  sandbox.bind({claim: 'sub', value: account.clientId, role: 'admin'});
  expect(await items()).toEqual([]);
  const {sub} = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString());
  sandbox.bind({claim: 'sub', value: sub, role: 'admin'});
  expect(await items()).toHaveLength(1);
});
