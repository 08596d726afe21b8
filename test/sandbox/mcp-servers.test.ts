import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {afterAll, describe, expect, test} from 'vitest';
import {seeded} from '../../src/sandbox/resources/seed.ts';
import {basic, bearer, clientOf, loopbackFetch, runningSandbox, send, serviceToken} from './support.ts';

const {ready} = await runningSandbox();
const token = await serviceToken(ready);

const connect = async (serviceUrl: string, options: ConstructorParameters<typeof Client>[1] = {}) => {
  const client = new Client({name: 'test', version: '1.0.0'}, options);
  const requestInit = {headers: bearer(token)};
  const url = new URL(`${serviceUrl}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, {fetch: loopbackFetch, requestInit}));
  afterAll(() => client.close());
  return client;
};

const controlPlane = await connect(ready.controlPlaneUrl);
const observer = await connect(ready.observerUrl);

/** What a tool answers, with its text and its structure held to be the same. */
const call = async (client: Client, name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({name, arguments: input});
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  if (result.isError) return {error: text};
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  // biome-ignore lint/suspicious/noExplicitAny: Each tool has a structure of its own.
  return result.structuredContent as any;
};

describe('the control plane', () => {
  test('offers five tools for each kind, all described', async () => {
    const {tools} = await controlPlane.listTools();
    expect(tools.map(tool => tool.name)).toEqual(
      [
        ['organizations', 'organization'],
        ['projects', 'project'],
        ['components', 'component'],
        ['deployments', 'deployment'],
        ['infrastructure', 'infrastructure'],
      ].flatMap(([plural, kind]) => [
        `list_${plural}`,
        `get_${kind}`,
        `create_${kind}`,
        `update_${kind}`,
        `delete_${kind}`,
      ]),
    );
    for (const {description, inputSchema, annotations} of tools) {
      expect(description?.length).toBeGreaterThan(30);
      expect(inputSchema.type).toBe('object');
      expect(annotations?.readOnlyHint).toBeTypeOf('boolean');
    }
  });

  test('shows what is there, with the UIDs and names of all that it is part of', async () => {
    const {components} = await call(controlPlane, 'list_components', {project_uid: seeded.project});
    expect(components).toContainEqual({
      uid: seeded.greeter,
      name: 'greeter-service',
      displayName: 'Greeter Service',
      type: 'deployment/service',
      autoDeploy: true,
      projectUid: seeded.project,
      projectName: 'default',
      organizationUid: seeded.organization,
      organizationName: 'default',
      createdAt: '2026-02-07T08:00:00Z',
      status: 'Created',
    });
    const {deployment} = await call(controlPlane, 'get_deployment', {uid: seeded.greeterInProduction.toUpperCase()});
    expect(deployment).toMatchObject({
      environmentUid: seeded.production,
      componentName: 'greeter-service',
      replicas: 3,
    });
  });

  test('creates, changes and deletes, and the REST API sees the same', async () => {
    const {organization} = await call(controlPlane, 'create_organization', {name: 'acme', display_name: 'Acme'});
    const {project} = await call(controlPlane, 'create_project', {name: 'shop', organization_uid: organization.uid});
    const input = {name: 'cart', project_uid: project.uid, description: 'Keeps what people want'};
    const {component} = await call(controlPlane, 'create_component', input);
    expect(component).toMatchObject({name: 'cart', projectName: 'shop', type: 'deployment/service', autoDeploy: true});

    const change = {uid: component.uid, display_name: 'Cart', auto_deploy: false};
    const updated = (await call(controlPlane, 'update_component', change)).component;
    expect(updated).toEqual({...component, displayName: 'Cart', autoDeploy: false});

    const path = '/api/v1/namespaces/acme/projects/shop/components';
    const listed = await send(`${ready.controlPlaneUrl}${path}`, {headers: bearer(token)});
    expect(listed.json.data.items).toMatchObject([{uid: component.uid, displayName: 'Cart', namespaceName: 'acme'}]);

    const used = await call(controlPlane, 'delete_organization', {uid: organization.uid});
    expect(used.error).toBe('The organization acme is still used by the project shop. Delete that first.');
    for (const [kind, {uid}] of [
      ['component', component],
      ['project', project],
      ['organization', organization],
    ] as const) {
      expect(await call(controlPlane, `delete_${kind}`, {uid})).toEqual({deleted: {kind, uid}});
      expect((await call(controlPlane, `get_${kind}`, {uid})).error).toContain('There is no');
    }
  });

  const nowhere = '00000000-0000-4000-8000-000000000000';
  const deployment = {name: 'x', component_uid: seeded.greeter, image: 'x:1'};
  test.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown UID', 'get_project', {uid: nowhere}, `There is no project with the UID ${nowhere}.`],
    ['a UID of another kind', 'get_project', {uid: seeded.greeter}, 'There is no project with the UID'],
    ['an unknown parent', 'create_project', {name: 'x', organization_uid: nowhere}, 'There is no organization'],
    ['a list of an unknown parent', 'list_projects', {organization_uid: nowhere}, 'There is no organization'],
    [
      'an unknown environment',
      'create_deployment',
      {...deployment, environment_uid: nowhere},
      'There is no infrastructure',
    ],
    [
      'a taken name',
      'create_organization',
      {name: 'default'},
      'The name default is taken by another organization there.',
    ],
    ['an environment in use', 'delete_infrastructure', {uid: seeded.development}, 'is still used by the deployment'],
    ['a bad name', 'create_organization', {name: 'No Spaces'}, 'name'],
    ['no UID', 'get_project', {}, 'uid'],
    ['something that is no UID', 'get_project', {uid: 'default'}, 'uid'],
    ['a wrong type', 'create_component', {name: 'x', project_uid: seeded.project, type: 'x'}, 'type'],
  ])('says what is wrong with %s', async (_, tool, input, message) => {
    expect((await call(controlPlane, tool, input)).error).toContain(message);
  });
});

describe('the observer', () => {
  const hour = {start_time: '2026-02-07T08:00:00Z', end_time: '2026-02-07T09:00:00Z'};

  test('offers logs, metrics and traces of components and projects', async () => {
    const {tools} = await observer.listTools();
    expect(tools.map(tool => tool.name)).toEqual([
      'query_component_logs',
      'query_project_logs',
      'query_component_metrics',
      'query_project_metrics',
      'query_component_traces',
      'query_project_traces',
    ]);
  });

  test('says the same of the same time', async () => {
    const query = {component_uid: seeded.greeter, ...hour};
    const {logs} = await call(observer, 'query_component_logs', query);
    expect(logs).toHaveLength(60);
    expect(logs[0]).toMatchObject({componentUid: seeded.greeter, componentName: 'greeter-service'});
    const times = logs.map((entry: {timestamp: string}) => entry.timestamp);
    expect(times).toEqual(times.toSorted());
    expect(await call(observer, 'query_component_logs', query)).toEqual({logs});
    const other = await call(observer, 'query_component_logs', {...query, component_uid: seeded.storefront});
    const messages = (entries: {message: string}[]) => entries.map(entry => entry.message);
    expect(messages(other.logs)).not.toEqual(messages(logs));
  });

  test('narrows logs down', async () => {
    const query = {project_uid: seeded.project, ...hour};
    const {logs} = await call(observer, 'query_project_logs', {...query, levels: ['ERROR'], limit: 3});
    expect(logs).toHaveLength(3);
    expect(new Set(logs.map((entry: {level: string}) => entry.level))).toEqual(new Set(['ERROR']));
    const slow = await call(observer, 'query_project_logs', {...query, search: 'SLOW query'});
    expect(slow.logs.length).toBeGreaterThan(0);
    for (const {message} of slow.logs) expect(message).toContain('Slow query');
  });

  test('measures at each step', async () => {
    const query = {component_uid: seeded.greeter, step_seconds: 600, ...hour};
    const {metrics} = await call(observer, 'query_component_metrics', query);
    expect(metrics).toHaveLength(6);
    expect(metrics[0]).toMatchObject({timestamp: '2026-02-07T08:00:00.000Z', cpuCores: expect.any(Number)});
  });

  test('finds traces that failed', async () => {
    const day = {start_time: '2026-02-07T00:00:00Z', end_time: '2026-02-08T00:00:00Z'};
    const query = {project_uid: seeded.project, errors_only: true, ...day};
    const {traces} = await call(observer, 'query_project_traces', query);
    expect(traces.length).toBeGreaterThan(0);
    for (const {status, spans} of traces) {
      expect(status).toBe('ERROR');
      expect(spans.length).toBeGreaterThan(0);
    }
  });

  test('shows the last hour when no time is given', async () => {
    const {logs} = await call(observer, 'query_component_logs', {component_uid: seeded.greeter});
    expect(logs.length).toBeGreaterThanOrEqual(59);
  });

  test('knows components that were made a moment ago', async () => {
    const {component} = await call(controlPlane, 'create_component', {name: 'new-one', project_uid: seeded.project});
    const {logs} = await call(observer, 'query_component_logs', {component_uid: component.uid, ...hour});
    expect(logs[0].componentName).toBe('new-one');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown component', {component_uid: crypto.randomUUID()}, 'There is no component with the UID'],
    ['a project for a component', {component_uid: seeded.project}, 'There is no component with the UID'],
    [
      'an end before the start',
      {component_uid: seeded.greeter, ...hour, end_time: hour.start_time},
      'not before its end',
    ],
    ['a whole year', {component_uid: seeded.greeter, ...hour, start_time: '2025-02-07T08:00:00Z'}, 'at most 24 hours'],
    ['a name for a UID', {component_uid: 'greeter-service'}, 'component_uid'],
  ])('says what is wrong with %s', async (_, input, message) => {
    expect((await call(observer, 'query_component_logs', input)).error).toContain(message);
  });
});

describe.each([
  ['control plane', ready.controlPlaneUrl],
  ['observer', ready.observerUrl],
])('the transport of the %s', (_, url) => {
  const headers = {...bearer(token), accept: 'application/json, text/event-stream'};
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
  };
  const post = (json: unknown, extra: Record<string, string> = {}) =>
    send(`${url}/mcp`, {headers: {...headers, ...extra}, json});

  test('serves the 2026 era without a session', async () => {
    const client = await connect(url, {versionNegotiation: {mode: {pin: '2026-07-28'}}});
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  });

  test('serves the 2025 era with a session that can be ended', async () => {
    const begun = await post(initialize);
    expect(begun.status).toBe(200);
    expect(begun.headers['content-type']).toBe('text/event-stream');
    const session = {'mcp-session-id': String(begun.headers['mcp-session-id'])};
    const notification = {jsonrpc: '2.0', method: 'notifications/initialized'};
    expect(await post(notification, session)).toMatchObject({status: 202});
    const list = {jsonrpc: '2.0', id: 2, method: 'tools/list'};
    expect(await post(list, session)).toMatchObject({status: 200});

    const end = await send(`${url}/mcp`, {method: 'DELETE', headers: {...headers, ...session}});
    expect(end.status).toBe(200);
    expect(await post(list, session)).toMatchObject({status: 404, text: 'session not found\n'});
  });

  test('answers a client that does not say what it accepts', async () => {
    expect(await send(`${url}/mcp`, {headers: bearer(token), json: initialize})).toMatchObject({status: 200});
  });

  test("a session is its owner's only", async () => {
    const begun = await post(initialize);
    const {clientId, clientSecret} = clientOf(ready, 'service_account');
    const other = await send(`${ready.authUrl}/oauth2/token`, {
      form: {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret},
    });
    const session = {'mcp-session-id': String(begun.headers['mcp-session-id'])};
    const stolen = {...session, ...bearer(other.json.access_token)};
    expect(await post({jsonrpc: '2.0', id: 2, method: 'tools/list'}, stolen)).toMatchObject({status: 404});
  });

  test('has no stream without a session, and no session that it did not begin', async () => {
    const get = await send(`${url}/mcp`, {headers});
    expect(get).toMatchObject({status: 405, text: 'GET requires an active session\n'});
    expect(await post(initialize, {'mcp-session-id': 'nope'})).toMatchObject({status: 404});
  });

  test.each<[string, string, number]>([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['null', 'null', 400],
    ['no message', '{"a":1}', 400],
    ['a call before the beginning', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400],
    ['too much', `"${'x'.repeat(1_100_000)}"`, 413],
  ])('survives %s', async (_, body, status) => {
    const answer = await send(`${url}/mcp`, {
      method: 'POST',
      headers: {...headers, 'content-type': 'application/json'},
      body,
    });
    expect(answer).toMatchObject({status, json: {jsonrpc: '2.0', error: {code: expect.any(Number)}}});
    expect(await post(initialize)).toMatchObject({status: 200});
  });
});

test('the secret of a client never reaches a page or list', async () => {
  const {clientId, clientSecret} = clientOf(ready, 'sandbox_mcp_client');
  const admin = await send(`${ready.authUrl}/oauth2/token`, {
    headers: {authorization: basic(clientId, clientSecret)},
    form: {grant_type: 'client_credentials', scope: 'system'},
  });
  const list = await send(`${ready.authUrl}/applications`, {headers: bearer(admin.json.access_token)});
  expect(list.text).not.toContain(clientSecret);
});
