import {describe, expect, test} from 'vitest';
import {startSandbox} from '../../../src/sandbox/sandbox.ts';
import {redeem, signIn} from '../identity/browser.ts';
import {basic, bearer, runningSandbox, send} from '../support.ts';
import {early, releaseNames, twoFlavours} from './recorded.ts';

const cli = {client_id: 'openchoreo-cli', redirect_uri: 'http://127.0.0.1:55152/auth-callback'};
const options = {platform: 'openchoreo', baseDomain: 'openchoreo.localhost'} as const;

describe.each(releaseNames)('OpenChoreo %s', async release => {
  const {ready} = await runningSandbox({...options, release});
  const url = ready.controlPlaneUrl;
  const isFirst = release === '0.14';
  const isOlder = twoFlavours.includes(release);
  const byTask = !(isFirst || early.includes(release));

  test('is called so everywhere', async () => {
    expect(ready).toMatchObject({release, platform: 'openchoreo', baseDomain: 'openchoreo.localhost'});
    expect(ready.authUrl).toMatch(/^http:\/\/thunder\.openchoreo\.localhost:\d+$/);
    expect((await send(`${url}/version`)).json.name).toBe('openchoreo-api');
    const {json} = await send(`${url}/.well-known/oauth-protected-resource`);
    expect(json.resource_name).toBe('OpenChoreo MCP Server');
    const clients = [{client_id: 'openchoreo-cli', name: 'cli', scopes: ['openid', 'profile', 'email']}];
    expect(json.openchoreo_clients).toEqual(isOlder ? undefined : clients);
    expect(json.openchoreo_security_enabled).toBe(isOlder ? undefined : true);
  });

  test('has an observer that knows its address from 0.17 on only', async () => {
    const base = isOlder ? 'http://localhost:11080' : ready.observerUrl;
    const {json} = await send(`${ready.observerUrl}/.well-known/oauth-protected-resource`);
    expect(json).toMatchObject({resource_name: 'OpenChoreo Observer MCP Server', resource: `${base}/mcp`});
    // The charts of these releases have a placeholder, which only an installation in several clusters replaces.
    const isPlaceholder = release === '0.15' || release === '0.16';
    expect(json.authorization_servers).toEqual([
      isPlaceholder ? 'http://thunder.openchoreo.invalid:8080' : ready.authUrl,
    ]);
    expect(json.openchoreo_security_enabled).toBe(isOlder ? undefined : false);
    const {headers} = await send(`${ready.observerUrl}/mcp`, {form: {}});
    expect(headers['www-authenticate']).toContain(`resource_metadata="${base}/.well-known/oauth-protected-resource"`);
  });

  test('comes with its clients', async () => {
    const ids = ready.clients.map(({clientId}) => clientId);
    expect(ids).toEqual(expect.arrayContaining(['openchoreo-cli', 'customer-portal-client', 'openchoreo-system-app']));
    expect(ids.includes('service_mcp_client')).toBe(!isFirst);
    expect(ids.includes('user_mcp_client')).toBe(!isFirst);
    const form = {
      grant_type: 'client_credentials',
      client_id: 'customer-portal-client',
      client_secret: 'supersecret',
    };
    const token = (await send(`${ready.authUrl}/oauth2/token`, {form})).json.access_token;
    const items = async (given: string) => {
      const {json} = await send(`${url}/api/v1/namespaces`, {headers: bearer(given)});
      return (json.items ?? json.data.items).length;
    };
    expect(await items(token)).toBe(isFirst ? 1 : 0);
    if (isFirst) return;
    const service = await send(`${ready.authUrl}/oauth2/token`, {
      headers: {authorization: basic('service_mcp_client', 'service_mcp_client_secret')},
      form: {grant_type: 'client_credentials'},
    });
    expect(service.json.expires_in).toBe(86_400);
    expect(await items(service.json.access_token)).toBe(1);
  });

  test('lets people in, by the groups of the release', async () => {
    const person = ready.people.find(({username}) => username === 'admin@openchoreo.dev');
    expect(person).toMatchObject({password: 'Admin@123', groups: [byTask ? 'admins' : 'platformEngineer']});
    if (!person) return;
    const {json} = await redeem(ready, await signIn(ready, person, cli), cli);
    const answer = await send(`${url}/api/v1/namespaces`, {headers: bearer(json.access_token)});
    expect((answer.json.items ?? answer.json.data.items).length).toBe(1);
  });
});

test.each(releaseNames.filter(name => name !== '0.14'))(
  'a person whom release %s finds in no group is known as clients are, by the subject',
  async release => {
    const {ready, bind} = await runningSandbox({...options, release});
    const person = ready.people.find(({groups}) => groups.length === 0) ?? {username: '', password: ''};
    const {json} = await redeem(ready, await signIn(ready, person, cli), cli);
    const claims = JSON.parse(Buffer.from(json.access_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({username: 'admin', grant_type: 'authorization_code'});
    expect(claims).not.toHaveProperty('groups');
    const profile = async () => {
      const headers = bearer(json.access_token);
      const {json: answer} = await send(`${ready.controlPlaneUrl}/api/v1/authz/profile`, {headers});
      return answer.data ?? answer;
    };
    const user = {type: 'service_account', entitlement_claim: 'sub', entitlement_values: [claims.sub]};
    expect(await profile()).toMatchObject({capabilities: {}, user});
    bind({claim: 'sub', value: claims.sub});
    expect((await profile()).capabilities).toMatchObject({'component:view': {allowed: [{path: '*'}]}});
  },
);

test.each([
  ['0.14', false],
  ['0.15', true],
  ['0.16', true],
] as const)('where there are several clusters, the observer of %s knows its address: %j', async (release, knows) => {
  const {ready} = await runningSandbox({...options, release, layout: 'multi'});
  const {json} = await send(`${ready.observerUrl}/.well-known/oauth-protected-resource`);
  expect(json.resource === `${ready.observerUrl}/mcp`).toBe(knows);
  expect(json.authorization_servers).toEqual([ready.authUrl]);
});

test('a system application of releases to 1.2 administers the provider without anybody', async () => {
  const {ready} = await runningSandbox({...options, release: '1.2'});
  const form = {
    grant_type: 'client_credentials',
    scope: 'system',
    client_id: 'openchoreo-system-app',
    client_secret: 'openchoreo-system-app-secret',
  };
  const {json} = await send(`${ready.authUrl}/oauth2/token`, {form});
  expect(json.scope).toBe('system');
  const listed = await send(`${ready.authUrl}/applications`, {headers: bearer(json.access_token)});
  expect(listed.status).toBe(200);
  const names = listed.json.applications.map(({name}: {name: string}) => name);
  expect(names).toEqual([...names].sort());
});

test('what does not exist is refused before anything opens', async () => {
  const start = (wrong: object) =>
    startSandbox({layout: 'single', baseDomain: 'platform.localhost', port: 0, ...wrong});
  await expect(start({release: '9'})).rejects.toThrow('There is no release 9.');
  await expect(start({platform: 'x'})).rejects.toThrow('There is no platform x.');
});
