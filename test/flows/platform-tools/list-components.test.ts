import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {listComponents} from '../../../src/flows/platform-tools/list-components.ts';
import {obtainToken} from '../../../src/flows/sign-in/obtain-token.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {addressesOf, runningPlatform} from '../../support/platform.ts';
import {versionUnderTest} from '../../support/release.ts';
import {type Handler, json, serve, text} from '../../support/server.ts';
import {signedIn} from '../support/signed-in.ts';

const list = async (controlPlaneUrl: string, token: string, wanted: object = {}) => {
  const input = {platform: bundled, controlPlaneUrl, token, ...wanted};
  return (await collect(listComponents(input, await temporaryPorts(), noSignal))).result.components;
};

describe('an account of 1.2', () => {
  const begin = async () => {
    const sandbox = await runningPlatform('single', {release: '1.2', projects: [{name: 'shop', components: 3}]});
    const {ready} = sandbox;
    const client = ready.clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_post');
    if (!client?.clientSecret) throw new Error('There is a service account.');
    const ports = await temporaryPorts();
    const {clientId, subject} = client;
    const secret = new Secret(client.clientSecret);
    const input = {issuer: ready.authUrl, clientId, method: 'service-account', secret} as const;
    const {result} = await collect(obtainToken(input, ports, noSignal));
    return {sandbox, subject, url: ready.controlPlaneUrl, token: result.access.reveal()};
  };

  test('without a role is told so: an empty list would be taken for the truth', async () => {
    const {url, token, subject} = await begin();
    await expect(list(url, token)).rejects.toMatchObject({
      code: 'auth-no-role',
      message: expect.stringContaining(subject),
    });
  });

  test('with a role for one project sees that project', async () => {
    const {sandbox, subject, url, token} = await begin();
    sandbox.bind({claim: 'sub', value: subject, role: 'admin', namespace: 'default', project: 'shop'});
    const components = await list(url, token);
    expect(components.map(({project}) => project)).toEqual(['shop', 'shop', 'shop']);
    expect(await list(url, token, {project: 'shop'})).toHaveLength(3);
    expect(await list(url, token, {namespace: 'other'})).toEqual([]);
  });

  test('asks for a role for what it wanted to see', async () => {
    const {url, token} = await begin();
    await expect(list(url, token, {namespace: 'default', project: 'shop'})).rejects.toMatchObject({
      remedy: expect.stringMatching(/kind: AuthzRoleBinding[\s\S]*scope:\s+project: shop/),
    });
  });
});

/** A control plane of 1.2 with two namespaces, whose lists answer as the test says. */
const controlPlane = (components: Handler) =>
  serve((request, response) => {
    const path = new URL(request.url ?? '/', 'http://any').pathname;
    if (path === '/version') return json({version: '1.2.3'})(request, response);
    if (path === '/api/v1/namespaces') {
      return json({items: [{metadata: {name: 'default'}}, {metadata: {name: 'team-b'}}], pagination: {}})(
        request,
        response,
      );
    }
    components(request, response);
  });

const component = {metadata: {name: 'cart'}, spec: {owner: {projectName: 'shop'}, componentType: {name: 'service'}}};

test('a project is looked for in every namespace, and is not missed where it is not', async () => {
  const url = await controlPlane((request, response) =>
    (request.url ?? '').includes('/team-b/')
      ? json({code: 'NOT_FOUND', error: 'Project not found'}, 404)(request, response)
      : json({items: [component], pagination: {}})(request, response),
  );
  expect(await list(url, 'x', {project: 'shop'})).toMatchObject([
    {name: 'cart', project: 'shop', namespace: 'default'},
  ]);
  await expect(list(url, 'x', {namespace: 'team-b', project: 'shop'})).rejects.toMatchObject({
    code: 'platform-no-such-endpoint',
    message: expect.stringContaining('Project not found'),
  });
});

test('a list that never ends is not followed for ever', async () => {
  const url = await controlPlane(json({items: [], pagination: {nextCursor: 'again'}}));
  await expect(list(url, 'x')).rejects.toMatchObject({code: 'platform-invalid-answer'});
});

test('a host name that the server does not take is no permission that is missing', async () => {
  const url = await controlPlane(text('Forbidden: invalid Host header "api.acme.localhost"', 403));
  await expect(list(url, 'x')).rejects.toMatchObject({
    code: 'platform-rejected',
    message: expect.stringContaining('invalid Host header'),
  });
});

test('what is said of readiness by conditions is said in a word', async () => {
  const status = (conditions: object[]) => ({...component, status: {conditions}});
  const items = [
    status([{type: 'Ready', status: 'True'}]),
    status([{type: 'Ready', status: 'False', reason: 'BuildFailed'}]),
    component,
  ];
  const url = await controlPlane(json({items, pagination: {}}));
  const found = await list(url, 'x', {namespace: 'default'});
  expect(found.map(one => one.status)).toEqual(['Ready', 'BuildFailed', '']);
});

describe('the components', () => {
  test('are listed with the server’s version', async () => {
    const {ready, ports, token} = await signedIn();
    const {controlPlaneUrl} = addressesOf(ready);
    const {result} = await collect(listComponents({platform: bundled, controlPlaneUrl, token}, ports, noSignal));
    expect(result.serverVersion).toBe(versionUnderTest);
    expect(result.components.length).toBeGreaterThan(0);
    expect(result.components[0]).toMatchObject({
      namespace: expect.any(String),
      project: expect.any(String),
      name: expect.any(String),
    });
  });

  test('are not listed with a token that is none', async () => {
    const {ready, ports} = await signedIn();
    const run = collect(
      listComponents({platform: bundled, controlPlaneUrl: ready.controlPlaneUrl, token: 'x'}, ports, noSignal),
    );
    await expect(run).rejects.toMatchObject({code: 'auth-token-refused'});
  });
});
