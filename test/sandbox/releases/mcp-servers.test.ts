import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {afterAll, describe, expect, test} from 'vitest';
import {redeem, signIn} from '../identity/browser.ts';
import {call} from '../mcp/mcp-client.ts';
import {bearer, clientOf, loopbackFetch, runningSandbox, send, serviceToken} from '../support.ts';
import {early, withRoles} from './recorded.ts';

const connected = async (url: string, token: string) => {
  const client = new Client({name: 'test', version: '1.0.0'});
  const options = {fetch: loopbackFetch, requestInit: {headers: bearer(token)}};
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  afterAll(() => client.close());
  return client;
};

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({name}) => name);

const insufficient = {error: 'insufficient permissions to perform this action'};

const namespace_name = 'default';

/** Creates a client without a role. */
const strangerIn = async ({ready}: Awaited<ReturnType<typeof runningSandbox>>) => {
  const {clientId, clientSecret} = clientOf(ready, 'service_account');
  const form = {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret};
  return String((await send(`${ready.authUrl}/oauth2/token`, {form})).json.access_token);
};

describe.each(withRoles)('the control plane MCP server of release %s', async release => {
  const sandbox = await runningSandbox({release, projects: [{name: 'shop', components: 1}]});
  const url = `${sandbox.ready.controlPlaneUrl}/mcp`;
  const hides = release === '1.2' || release === 'next';
  const hasToolSets = hides;

  test('takes names, and knows namespaces', async () => {
    const client = await connected(url, await serviceToken(sandbox.ready));
    const names = await namesOf(client);
    expect(names).toContain('list_namespaces');
    expect(names).not.toContain('list_organizations');
    expect((await call(client, 'list_namespaces')).namespaces).toMatchObject([{name: 'default'}]);
    const {components} = await call(client, 'list_components', {namespace_name, project_name: 'shop'});
    expect(components).toMatchObject([{name: 'shop-1'}]);
    const created = {namespace_name, project_name: 'shop', name: 'cart'};
    expect(await call(client, 'create_component', created)).toMatchObject({name: 'cart'});
    expect(await call(client, 'get_component', {...created, component_name: 'cart'})).toMatchObject({name: 'cart'});
    expect(await call(client, 'get_project', {namespace_name, project_name: 'nope'})).toEqual({
      error: 'project not found',
    });
  });

  // As 1.2.3 answered with every tool set on. Release 1.0 does not know the parameter.
  const namespaces = ['list_namespaces', 'get_namespace', 'create_namespace'];
  const projects = ['list_projects', 'get_project', 'create_project'];
  test.each<[string, readonly string[] | 'all']>([
    ['?toolsets=namespace', namespaces],
    ['?toolsets=namespace,project', [...namespaces, ...projects]],
    ['?toolsets=%20namespace%20,%20project', [...namespaces, ...projects]],
    ['?toolsets=deployment', ['list_environments']],
    ['?toolsets=pe', ['list_environments', 'list_dataplanes']],
    ['?toolsets=namespace,unheard-of', namespaces],
    ['?toolsets=unheard-of', []],
    ['?toolsets=NAMESPACE', []],
    ['?toolsets=namespace&toolsets=project', namespaces],
    ['?toolsets=', 'all'],
    ['?toolsets=,', 'all'],
  ])('lists for %s the sets of tools that are asked for', async (query, expected) => {
    const token = await serviceToken(sandbox.ready);
    const all = await namesOf(await connected(url, token));
    const names = await namesOf(await connected(`${url}${query}`, token));
    expect(names).toEqual(hasToolSets && expected !== 'all' ? all.filter(name => expected.includes(name)) : all);
  });

  test('lets a tool be called that is in no set that was asked for', async () => {
    const client = await connected(`${url}?toolsets=namespace`, await serviceToken(sandbox.ready));
    const {components} = await call(client, 'list_components', {namespace_name, project_name: 'shop'});
    expect(components[0]).toMatchObject({name: 'shop-1'});
    expect(await namesOf(client)).toHaveLength(hasToolSets ? namespaces.length : 11);
  });

  test('treats a client without a role as it was recorded', async () => {
    const token = await strangerIn(sandbox);
    for (const [query, hidden] of [
      ['', hides],
      ['?filterByAuthz=false', false],
    ] as const) {
      const client = await connected(`${url}${query}`, token);
      if (hidden) {
        expect(await namesOf(client)).toEqual([]);
        await expect(client.callTool({name: 'list_namespaces', arguments: {}})).rejects.toMatchObject({
          code: 0,
          message: expect.stringContaining(
            'not authorized to call tool "list_namespaces": missing permission "namespace:view"',
          ),
        });
      } else {
        expect(await namesOf(client)).toContain('list_namespaces');
        expect(await call(client, 'list_namespaces')).toEqual({namespaces: []});
        expect(await call(client, 'get_namespace', {namespace_name})).toEqual(insufficient);
        expect(await call(client, 'create_namespace', {name: 'mine'})).toEqual(insufficient);
      }
    }
  });

  test('shows a session what it may do once it has a role', async () => {
    const {json} = await redeem(
      sandbox.ready,
      await signIn(sandbox.ready, {username: 'developer', password: 'developer'}),
    );
    const client = await connected(url, json.access_token);
    expect((await namesOf(client)).length > 0).toBe(!hides);
    sandbox.bind({
      claim: 'groups',
      value: 'developers',
      role: early.includes(release) ? 'backstage-catalog-reader' : 'developer',
      project: 'shop',
    });
    const names = await namesOf(client);
    expect(names).toContain('list_components');
    expect(names.includes('create_project')).toBe(!hides);
    const inShop = await call(client, 'list_components', {namespace_name, project_name: 'shop'});
    expect(inShop.components.length).toBeGreaterThan(0);
    expect(await call(client, 'list_components', {namespace_name, project_name: 'default'})).toEqual({components: []});
    expect(await call(client, 'get_project', {namespace_name, project_name: 'default'})).toEqual(insufficient);
  });

  test('of the observer lists every tool, and refuses each call', async () => {
    const observer = `${sandbox.ready.observerUrl}/mcp`;
    const all = await namesOf(await connected(observer, await serviceToken(sandbox.ready)));
    const client = await connected(observer, await strangerIn(sandbox));
    expect(await namesOf(client)).toEqual(all);
    const service = await connected(url, await serviceToken(sandbox.ready));
    const {components} = await call(service, 'list_components', {namespace_name, project_name: 'default'});
    const input = {component_uid: components[0].uid};
    expect(await call(client, 'query_component_logs', input)).toEqual(insufficient);
  });
});

test('release 0.14 asks nobody for a role', async () => {
  const sandbox = await runningSandbox();
  const client = await connected(`${sandbox.ready.controlPlaneUrl}/mcp`, await strangerIn(sandbox));
  expect((await call(client, 'list_organizations')).organizations).toHaveLength(1);
});

test('clients without a session are refused in the same words', async () => {
  const sandbox = await runningSandbox({release: '1.2'});
  const client = new Client({name: 'test', version: '1.0.0'}, {versionNegotiation: {mode: {pin: '2026-07-28'}}});
  const options = {fetch: loopbackFetch, requestInit: {headers: bearer(await strangerIn(sandbox))}};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${sandbox.ready.controlPlaneUrl}/mcp`), options));
  expect(await namesOf(client)).toEqual([]);
  await expect(client.callTool({name: 'list_projects', arguments: {namespace_name}})).rejects.toMatchObject({code: 0});
  await client.close();
});
