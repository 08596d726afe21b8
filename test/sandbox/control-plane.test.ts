import {expect, test} from 'vitest';
import {seeded} from '../../src/sandbox/seed.ts';
import {bearer, runningSandbox, send, serviceToken} from './support.ts';

const {ready} = await runningSandbox();
const headers = bearer(await serviceToken(ready));
const openApi = {'x-use-openapi': 'true'};

const get = (path: string, extra: Record<string, string> = {}) =>
  send(`${ready.controlPlaneUrl}${path}`, {headers: {...headers, ...extra}});

test('health, readiness and version', async () => {
  expect(await get('/health')).toMatchObject({status: 200, text: 'OK'});
  expect(await get('/ready')).toMatchObject({status: 200, text: 'Ready'});
  expect(await get('/version')).toMatchObject({
    status: 200,
    json: {name: 'platform-api', version: '0.14.0', gitRevision: expect.any(String), goOS: 'linux'},
  });
  const head = await send(`${ready.controlPlaneUrl}/health`, {method: 'HEAD'});
  expect(head).toMatchObject({status: 200, text: '', headers: {'content-length': '2'}});
});

test.each(['/health', '/version', '/api/v1/namespaces'])('only GET %s is there', async path => {
  const answer = await send(`${ready.controlPlaneUrl}${path}`, {method: 'POST', headers});
  expect(answer).toMatchObject({status: 405, text: 'Method Not Allowed\n', headers: {allow: 'GET, HEAD'}});
});

test.each([
  '/',
  '/nope',
  '//health',
  '/health/',
  '/HEALTH',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource/mcp',
  '/api/v1/.well-known/openid-configuration',
  '/api/v1/namespaces/default/components',
])('%s is not there', async path => {
  const answer = await send(`${ready.controlPlaneUrl}/`.replace(/\/$/, path), {headers});
  expect(answer).toMatchObject({status: 404, text: '404 page not found\n'});
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test('a CLI finds its client', async () => {
  expect(await get('/api/v1/.well-known/openid-configuration', openApi)).toMatchObject({
    status: 200,
    json: {
      authorization_endpoint: `${ready.authUrl}/oauth2/authorize`,
      external_clients: [{client_id: 'platform-cli', name: 'cli', scopes: ['openid', 'profile', 'email']}],
      issuer: ready.authUrl,
      security_enabled: true,
      token_endpoint: `${ready.authUrl}/oauth2/token`,
    },
  });
});

const component = {
  uid: seeded.greeter,
  name: 'greeter-service',
  displayName: 'Greeter Service',
  type: 'deployment/service',
  autoDeploy: true,
  projectName: 'default',
  namespaceName: 'default',
  createdAt: '2026-02-07T08:00:00Z',
  status: 'Created',
};

const listed = (items: readonly object[]) => ({
  success: true,
  data: {items, totalCount: items.length, page: 1, pageSize: items.length},
});

test('components, projects and namespaces are listed in the older shape', async () => {
  const components = await get('/api/v1/namespaces/default/projects/default/components');
  expect(components.json).toEqual(listed([component, expect.objectContaining({name: 'storefront'})]));
  expect((await get('/api/v1/namespaces/default/projects')).json).toEqual(
    listed([
      {
        uid: seeded.project,
        name: 'default',
        namespaceName: 'default',
        displayName: 'Default project',
        deploymentPipeline: 'default',
        createdAt: '2026-02-07T08:00:00Z',
        status: 'Unknown',
      },
    ]),
  );
  expect((await get('/api/v1/namespaces')).json).toMatchObject(listed([{name: 'default', status: 'Ready'}]));
});

test('and in the newer one, by name of the field', async () => {
  const answer = await get('/api/v1/namespaces/default/projects/default/components', openApi);
  expect(answer.json).toEqual({items: [component, expect.anything()], pagination: {}});
  expect(Object.keys(answer.json.items[0])).toEqual(Object.keys(component).sort());
});

test.each([
  ['/api/v1/namespaces/default/projects/nope/components', 'Project not found', 'PROJECT_NOT_FOUND'],
  ['/api/v1/namespaces/nope/projects/default/components', 'Project not found', 'PROJECT_NOT_FOUND'],
])('%s names what is not there', async (path, error, code) => {
  expect(await get(path)).toMatchObject({status: 404, json: {success: false, error, code}});
  const internal = {code: 'INTERNAL_ERROR', error: 'Internal server error'};
  expect(await get(path, openApi)).toMatchObject({status: 500, json: internal});
});
