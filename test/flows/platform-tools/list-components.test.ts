import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {listComponents} from '../../../src/flows/platform-tools/components.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {type ReleaseName, releases} from '../../../src/sandbox/releases/releases.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {addressesOf, runningPlatform} from '../../support/platform.ts';
import {versionUnderTest} from '../../support/release.ts';
import {type Handler, json, serve, text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {signedIn} from '../support/signed-in.ts';

const list = async (controlPlaneUrl: string, token: string, wanted: object = {}) => {
  const input = {platform: bundled, controlPlaneUrl, token, ...wanted};
  return (await collect(listComponents, input, await temporaryPorts())).result.components;
};

const releaseNames = Object.keys(releases) as ReleaseName[];
const withRoles = releaseNames.filter(name => releases[name].authorization !== undefined);

describe.each(withRoles)('an account of %s', release => {
  const begin = async () => {
    const sandbox = await runningPlatform('single', {release, projects: [{name: 'shop', components: 3}]});
    const {ready} = sandbox;
    const client = ready.clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_post');
    if (!client?.clientSecret) throw new Error('There is a service account.');
    const ports = await temporaryPorts();
    const {clientId, subject} = client;
    const secret = new Secret(client.clientSecret);
    const input = {issuer: ready.authUrl, clientId, method: 'service-account', secret} as const;
    const {result} = await collect(obtainToken, input, ports);
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
    sandbox.bind({claim: 'sub', value: subject, namespace: 'default', project: 'shop'});
    const components = await list(url, token);
    expect(components.map(({project}) => project)).toEqual(['shop', 'shop', 'shop']);
    expect(await list(url, token, {project: 'shop'})).toHaveLength(3);
    expect(await list(url, token, {namespace: 'other'})).toEqual([]);
  });

  test('asks for a role for what it wanted to see', async () => {
    const {url, token} = await begin();
    await expect(worded(list(url, token, {namespace: 'default', project: 'shop'}))).rejects.toMatchObject({
      remedy: expect.stringContaining('RoleBinding'),
    });
  });
});

/** A control plane of 1.2 with two namespaces. Its lists answer as the test says. */
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
    code: 'input-invalid',
    message: 'There is no project shop in namespace team-b.',
  });
});

describe.each(releaseNames)('what is not there on %s', release => {
  const begin = async () => {
    const projects = ['shop', ...Array.from({length: 11}, (_, at) => `team-${at}`)];
    const options = {release, projects: projects.map(name => ({name, components: 1}))};
    const {ready} = await runningPlatform('single', options);
    const client = ready.clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_basic');
    const {clientId, clientSecret = ''} = client ?? {clientId: ''};
    const ports = await temporaryPorts();
    const secret = new Secret(clientSecret);
    const input = {issuer: ready.authUrl, clientId, method: 'mcp-client', secret} as const;
    const {result} = await collect(obtainToken, input, ports);
    return (wanted: object) => list(ready.controlPlaneUrl, result.access.reveal(), wanted);
  };
  const most = 'default, shop, team-0, team-1, team-10, team-2, team-3, team-4, team-5, team-6, and 3 more';

  test('is said: a project of a namespace, or of any, and a namespace', async () => {
    const find = await begin();
    expect(await find({namespace: 'default', project: 'shop'})).toHaveLength(1);
    const about = (flag: string) => ({code: 'input-invalid', about: {flag}});
    await expect(worded(find({namespace: 'default', project: 'nope'}))).rejects.toMatchObject({
      ...about('project'),
      message: 'There is no project nope in namespace default.',
      remedy: `Choose another one (${most}), or leave out --project.`,
    });
    await expect(worded(find({project: 'shpo'}))).rejects.toMatchObject({
      ...about('project'),
      message: 'There is no project shpo in any namespace that this account can see.',
      remedy: 'Did you mean shop?',
    });
    for (const wanted of [{namespace: 'nope'}, {namespace: 'nope', project: 'shop'}]) {
      await expect(worded(find(wanted))).rejects.toMatchObject({
        ...about('namespace'),
        message: 'This account cannot see a namespace called nope.',
        remedy: 'Choose another one (default), or leave out --namespace.',
      });
    }
  });
});

test('where nobody says what there is instead, the flag is to be left out', async () => {
  const url = await serve((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://any');
    if (pathname === '/version') return json({version: '1.2.3'})(request, response);
    if (pathname.endsWith('/components')) return json({code: 'NOT_FOUND', error: 'gone'}, 404)(request, response);
    return text('no', 500)(request, response);
  });
  await expect(worded(list(url, 'x', {namespace: 'default', project: 'nope'}))).rejects.toMatchObject({
    message: 'There is no project nope in namespace default.',
    remedy: 'Leave out --project to see everything.',
  });
});

test('a project that goes while it is listed leaves the others', async () => {
  const url = await serve((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://any');
    const items = (...names: string[]) => json({data: {items: names.map(name => ({name}))}})(request, response);
    if (pathname === '/version') return json({version: '0.14.0'})(request, response);
    if (pathname === '/api/v1/namespaces') return items('default');
    if (pathname.endsWith('/projects')) return items('gone', 'shop');
    if (pathname.endsWith('/shop/components')) return items('cart');
    return json({success: false, error: 'Project not found', code: 'PROJECT_NOT_FOUND'}, 404)(request, response);
  });
  expect(await list(url, 'x')).toMatchObject([{name: 'cart', project: 'shop'}]);
});

test('a path that a server does not know is no project that is missing', async () => {
  const url = await controlPlane(text('404 page not found', 404));
  await expect(list(url, 'x', {project: 'shop'})).rejects.toMatchObject({code: 'platform-no-such-endpoint'});
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
    const {result} = await collect(listComponents, {platform: bundled, controlPlaneUrl, token}, ports);
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
    const run = collect(listComponents, {platform: bundled, controlPlaneUrl: ready.controlPlaneUrl, token: 'x'}, ports);
    await expect(run).rejects.toMatchObject({code: 'auth-token-refused'});
  });
});

describe('of a control plane', () => {
  type Answers = Readonly<Record<string, Handler | object>>;

  /** Starts a control plane that answers by path and query (without the page size), and records the requests. */
  const plane = async (version: string | undefined, answers: Answers) => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      const address = new URL(request.url ?? '/', 'http://any');
      const {limit} = Object.fromEntries(address.searchParams);
      if (request.headers.authorization !== 'Bearer access-0') return text('who?', 401)(request, response);
      if (address.pathname === '/version') return json(version === undefined ? {} : {version})(request, response);
      address.searchParams.delete('limit');
      const path = `${address.pathname}${address.search}`.replace('/api/v1', '');
      asked.push(limit === '100' ? path : `${path} without a limit`);
      const answer = answers[path] ?? text('no such path', 404);
      return (typeof answer === 'function' ? (answer as Handler) : json(answer))(request, response);
    });
    const find = async (wanted: object = {}) => {
      const input = {platform: bundled, controlPlaneUrl: url, token: 'access-0', ...wanted};
      return (await collect(listComponents, input, await temporaryPorts())).result;
    };
    return {asked, find};
  };

  const items = (...names: readonly string[]) => ({items: names.map(name => ({metadata: {name}}))});
  const flat = (...names: readonly string[]) => ({data: {items: names.map(name => ({name}))}});
  const namesOf = ({components}: Awaited<ReturnType<Awaited<ReturnType<typeof plane>>['find']>>) =>
    components.map(({namespace, project, name}) => [namespace, project, name].join('/'));

  test('of the first releases each project has a list', async () => {
    const {find, asked} = await plane('0.14.0', {
      '/namespaces': flat('default', 'team b'),
      '/namespaces/default/projects': flat('shop', 'bank'),
      '/namespaces/default/projects/shop/components': flat('cart'),
      '/namespaces/default/projects/bank/components': flat('ledger'),
      '/namespaces/team%20b/projects': flat(),
      '/namespaces/team%20b/projects/shop/components': json({code: 'PROJECT_NOT_FOUND', error: 'no'}, 404),
      '/namespaces/default/projects/a%2Fb/components': flat('odd'),
    });
    const all = await find();
    expect([all.serverVersion, namesOf(all)]).toEqual(['0.14.0', ['default/shop/cart', 'default/bank/ledger']]);
    expect(asked).toHaveLength(5);
    expect(asked.join()).not.toContain('without a limit');
    expect(namesOf(await find({namespace: 'default', project: 'bank'}))).toEqual(['default/bank/ledger']);
    expect(namesOf(await find({namespace: 'default', project: 'a/b'}))).toEqual(['default/a/b/odd']);
    // A component may be missing from some namespaces if no namespace was named.
    expect(namesOf(await find({project: 'shop'}))).toEqual(['default/shop/cart']);
    await expect(find({namespace: 'team b', project: 'shop'})).rejects.toMatchObject({code: 'input-invalid'});
    await expect(find({namespace: 'team b', project: 'x'})).rejects.toMatchObject({code: 'platform-no-such-endpoint'});
  });

  test('of later ones each namespace has one, of as many pages as it says', async () => {
    const cart = {...component, metadata: {name: 'cart 2'}};
    const {find, asked} = await plane('1.2.0', {
      '/namespaces': {...items('team b'), pagination: {nextCursor: 'next one'}},
      '/namespaces?cursor=next+one': items('default'),
      '/namespaces/team%20b/components': {items: [component], pagination: {nextCursor: '2'}},
      '/namespaces/team%20b/components?cursor=2': {items: [cart]},
      '/namespaces/default/components': {items: 'none'},
      '/namespaces/default/components?project=shop': {items: [component]},
    });
    expect(namesOf(await find())).toEqual(['team b/shop/cart', 'team b/shop/cart 2']);
    expect(asked).toHaveLength(5);
    expect(namesOf(await find({namespace: 'default', project: 'shop'}))).toEqual(['default/shop/cart']);
  });

  test('that does not tell its release is asked as one of today', async () => {
    const {find} = await plane(undefined, {
      '/namespaces': items('default'),
      '/namespaces/default/components': {items: [component]},
    });
    expect(await find()).toMatchObject({serverVersion: 'unknown', components: [{name: 'cart'}]});
  });

  test('that refuses an account with a role for everything is not taken for an empty one', async () => {
    const {find} = await plane('1.2.0', {
      [bundled.paths.profile.replace('/api/v1', '')]: {
        user: {type: 'user', entitlement_claim: 'groups', entitlement_values: ['cooks']},
        capabilities: {see: {allowed: [{path: '*'}]}},
      },
      '/namespaces': text('not today', 403),
    });
    await expect(find()).rejects.toMatchObject({
      code: 'auth-permission-missing',
      message: expect.stringContaining('not today'),
    });
  });

  describe('where an account has a role for some projects', () => {
    const user = {type: 'user', entitlement_claim: 'groups', entitlement_values: ['cooks']};
    const refused = text('not yours', 403);
    const some = (...paths: readonly string[]): Answers => ({
      [bundled.paths.profile.replace('/api/v1', '')]: {
        user,
        capabilities: {see: {allowed: paths.map(path => ({path}))}},
      },
      '/namespaces': refused,
      '/namespaces/default/components': refused,
      '/namespaces/default/components?project=bank': refused,
      '/namespaces/other/components': refused,
      '/namespaces/default/components?project=shop': {items: [component]},
      '/namespaces/team-b/components': {items: [{...component, metadata: {name: 'oven'}}]},
      '/namespaces/team-b/components?project=shop': {items: []},
    });
    const paths = ['ns/default/project/shop', 'ns/team-b', 'cluster/x', 'xns/default/project/no'];

    test.each([
      [{}, ['default/shop/cart', 'team-b/shop/oven']],
      [{namespace: 'default'}, ['default/shop/cart']],
      [{namespace: 'team-b'}, ['team-b/shop/oven']],
      [{project: 'shop'}, ['default/shop/cart']],
      [{namespace: 'other'}, []],
      [{namespace: 'default', project: 'bank'}, []],
    ])('those are looked into (%j)', async (wanted, expected) => {
      const {find} = await plane('1.2.0', some(...paths));
      expect(namesOf(await find(wanted))).toEqual(expected);
    });

    test('and what may not be seen there after all is an error', async () => {
      const {find} = await plane('1.2.0', some('ns/default'));
      await expect(find()).rejects.toMatchObject({code: 'auth-permission-missing'});
    });

    test('and an empty list is the truth where everything may be seen', async () => {
      const {find} = await plane('1.2.0', {...some('*'), '/namespaces': items()});
      expect(await find()).toEqual({serverVersion: '1.2.0', components: []});
    });
  });

  test.each([
    ['the namespaces', {'/namespaces': text('no', 500)}],
    ['the components', {'/namespaces': items('default'), '/namespaces/default/components': text('no', 500)}],
    ['a project', {'/namespaces': items('default'), '/namespaces/default/components?project=shop': text('no', 500)}],
  ])('a failure of %s is no list', async (what, answers) => {
    const {find} = await plane('1.2.0', answers);
    await expect(find(what === 'a project' ? {project: 'shop'} : {})).rejects.toMatchObject({code: 'platform-error'});
  });

  test('a namespace that is not there is said', async () => {
    const {find} = await plane('1.2.0', {'/namespaces': items('default')});
    await expect(find()).rejects.toMatchObject({code: 'platform-no-such-endpoint'});
  });
});
