import {describe, expect, test} from 'vitest';
import {findDeployment} from '../../../src/flows/deployment/find-deployment.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import type {GivenAddresses} from '../../../src/platform/addresses.ts';
import type {Layout, Platform} from '../../../src/platform/platform.ts';
import {bundled, openchoreo} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../../support/place.ts';
import {addressesOf, sandboxPlatform} from '../../support/platform.ts';
import {tellsLayouts, versionUnderTest} from '../../support/release.ts';
import {closedOrigin, type Handler, json, serve, serveRoutes, text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {withPrograms} from './support/programs.ts';

type Given = {baseDomain?: string; addresses?: GivenAddresses; layout?: Layout | 'auto'; platform?: Platform};

const find = async ({baseDomain, addresses = {}, layout = 'auto', platform = bundled}: Given, ports?: Ports) => {
  const input = {platforms: [platform], addresses, layout, ...(baseDomain === undefined ? {} : {baseDomain})};
  const {result, events} = await collect(findDeployment, input, ports ?? (await temporaryPorts()));
  if (!('deployment' in result)) throw new Error('There was more than one platform.');
  return {result: result.deployment, events};
};

const portOf = (url: string) => Number(new URL(url).port);

/** The bundled platform with the ports of a sandbox instead of the well-known ones. */
const onPorts = (gateway: number, single: number, multi: number): Platform => ({
  ...bundled,
  localBaseDomain: 'acme.localhost',
  ports: {gateway, observer: {single, multi}},
});

/** The evidence by which the layout was recognised. */
const evidenceOf = {
  single: /in one cluster/,
  multi: /cluster of its own, and not next/,
  unknown: /^$/,
};

describe('a deployment by its base domain', () => {
  test.each(['single', 'multi'] as const)('%s-cluster, by which observer answers', async layout => {
    const ready = await sandboxPlatform(layout);
    const seen = layout === 'multi' || tellsLayouts ? layout : 'unknown';
    const closed = portOf(await closedOrigin());
    const observer = portOf(ready.observerUrl);
    const gateway = portOf(ready.controlPlaneUrl);
    const platform = layout === 'single' ? onPorts(gateway, observer, closed) : onPorts(gateway, closed, observer);

    const {result, events} = await find({baseDomain: 'acme.localhost', platform});

    expect(result).toMatchObject({
      baseDomain: 'acme.localhost',
      layout: seen,
      ...addressesOf(ready),
      issuer: ready.authUrl,
      version: versionUnderTest,
      evidence: expect.stringMatching(evidenceOf[seen]),
    });
    const answered = events.filter(event => event.type === 'probe-answered');
    expect(answered.map(({outcome}) => outcome).toSorted()).toEqual(['down', 'up', 'up', 'up']);
  });

  test('the observer’s address is not one where only the gateway answers', async () => {
    // Both observer ports lead to a gateway that does not know the host.
    const ready = await sandboxPlatform();
    const gateway = portOf(ready.controlPlaneUrl);
    await expect(
      find({baseDomain: 'acme.localhost', platform: onPorts(gateway, gateway, gateway)}),
    ).rejects.toMatchObject({
      code: 'platform-observer-missing',
      message: expect.stringContaining(`http://observer.observability.acme.localhost:${gateway}`),
    });
  });

  test('another platform’s observer at the usual port is not taken for that of a gateway at another one', async () => {
    const [usual, other] = await Promise.all([sandboxPlatform(), sandboxPlatform()]);
    const closed = portOf(await closedOrigin());
    const platform = onPorts(portOf(usual.controlPlaneUrl), portOf(usual.observerUrl), closed);
    const baseDomain = `acme.localhost:${portOf(other.controlPlaneUrl)}`;
    await expect(find({baseDomain, platform})).rejects.toMatchObject({
      code: 'platform-observer-missing',
      message: `${usual.observerUrl} is another platform’s observer: it trusts ${usual.authUrl}, not ${other.authUrl}.`,
    });
    const {result} = await find({baseDomain, platform, addresses: {observerUrl: usual.observerUrl}});
    expect(result).toMatchObject({observerUrl: usual.observerUrl});
  });

  test('a layout that is given is not looked for', async () => {
    const ready = await sandboxPlatform();
    const platform = onPorts(portOf(ready.controlPlaneUrl), portOf(ready.observerUrl), 1);
    const {events} = await find({baseDomain: 'acme.localhost', layout: 'single', platform});
    expect(events.filter(event => event.type === 'probe-started')).toHaveLength(3);
  });

  test('without an observer, where the person said so', async () => {
    const {controlPlaneUrl, authUrl} = await sandboxPlatform();
    const {result} = await find({addresses: {controlPlaneUrl, authUrl, observerUrl: 'none'}});
    expect(result.observerUrl).toBeUndefined();
    expect(result.layout).toBe('unknown');
  });
});

describe('a platform on this machine that speaks TLS', () => {
  const secure = async () => {
    const ready = await sandboxPlatform('single', {faults: ['self-signed']});
    const platform = onPorts(portOf(ready.controlPlaneUrl), portOf(ready.observerUrl), portOf(await closedOrigin()));
    return {ready, platform};
  };

  test.each([
    ['by its base domain', {baseDomain: 'acme.localhost'}],
    ['where nobody says where it is', {}],
  ])('is found %s, and its certificate is what fails', async (_, given) => {
    const {ready, platform} = await secure();
    await expect(find({...given, platform})).rejects.toMatchObject({
      code: 'network-tls',
      about: {untrusted: ready.controlPlaneUrl},
    });
  });

  test('is found whole where its certificate is trusted', async () => {
    const {ready, platform} = await secure();
    const ports = await temporaryPorts();
    const {anchor} = await ports.network.certificate(new URL(ready.controlPlaneUrl), noSignal);
    const trusting = ports.withRoute({settings: {authority: {pem: anchor.pem}}, passwords: {}});
    const {result} = await find({baseDomain: 'acme.localhost', platform}, trusting);
    expect(result).toMatchObject({...addressesOf(ready), baseDomain: 'acme.localhost'});
  });

  test('is not taken for one that hangs up where the file of its authority cannot be read', async () => {
    const {platform} = await secure();
    const ports = await temporaryPorts();
    const without = ports.withRoute({settings: {authority: {file: '/nowhere/ca.pem'}}, passwords: {}});
    await expect(find({baseDomain: 'acme.localhost', platform}, without)).rejects.toMatchObject({
      code: 'input-invalid',
      about: {flag: 'ca-file', path: '/nowhere/ca.pem'},
    });
  });

  test('is not asked so where the person said http', async () => {
    const {ready, platform} = await secure();
    const baseDomain = `http://acme.localhost:${portOf(ready.controlPlaneUrl)}`;
    await expect(find({baseDomain, platform})).rejects.toMatchObject({code: 'network-reset'});
  });
});

describe('a control plane that was built from its sources', () => {
  const unversioned: Wrap = inner => (request, response) =>
    request.url === '/version' ? json({version: 'not-set'})(request, response) : inner(request, response);
  const foundAt = async (release: '0.14' | '0.16') => {
    const ready = await sandboxPlatform('single', {release, inFront: {'control-plane': unversioned}});
    const platform = onPorts(portOf(ready.controlPlaneUrl), portOf(ready.observerUrl), portOf(await closedOrigin()));
    return find({baseDomain: 'acme.localhost', platform});
  };

  test('is told by its paths, and its layout by the observer’s address', async () => {
    const {result, events} = await foundAt('0.14');
    expect(result).toMatchObject({version: '0.14', versionByPaths: true, layout: 'single'});
    expect(events.filter(event => event.type === 'warning').map(({message}) => message)).toEqual([
      expect.stringContaining('reports “not-set”, which is not a release. Its paths are those of 0.14.'),
    ]);
  });

  test('has no layout that is told where none is by the address', async () => {
    const {result} = await foundAt('0.16');
    expect(result).toMatchObject({version: '0.16', layout: 'unknown', evidence: ''});
  });
});

describe('the time to the verdict', () => {
  /** Returns a platform whose observers behave as the test says. Everything else answers at once. */
  const platformWith = async (single: Handler, multi: Handler) => {
    const observers = await Promise.all([serve(single), serve(multi)]);
    const gateway = await controlPlane();
    return onPorts(portOf(gateway), portOf(observers[0] ?? ''), portOf(observers[1] ?? ''));
  };

  test('a dead host does not hold up a live one', async () => {
    const platform = await platformWith(json({status: 'healthy'}), () => {});
    const {result, events} = await find({baseDomain: 'acme.localhost', platform});
    expect(result.layout).toBe('single');
    // The verdict comes before the dead host's timeout of two seconds: of that host only the start of the probe was
    // told.
    expect(events.filter(isAbout(`:${platform.ports.observer.multi}`)).map(({type}) => type)).not.toContain(
      'probe-answered',
    );
  });

  test('two observers that both live are both seen', async () => {
    const platform = await platformWith(json({status: 'healthy'}), json({status: 'unhealthy'}, 503));
    const {result} = await find({baseDomain: 'acme.localhost', platform});
    expect(result).toMatchObject({layout: 'multi', evidence: expect.stringContaining('Both observers answer')});
  });
});

describe('the identity provider', () => {
  test('that the control plane names comes before the derived one', async () => {
    const ready = await sandboxPlatform();
    const {result} = await find({
      baseDomain: 'other.localhost',
      addresses: {controlPlaneUrl: ready.controlPlaneUrl, observerUrl: ready.observerUrl},
    });
    expect(result.authUrl).toBe(ready.authUrl);
  });

  test('that identifies itself as something else is not used, and its own name is the remedy', async () => {
    const authUrl = await serveRoutes({'/.well-known/openid-configuration': json({issuer: 'https://idp.example.com'})});
    const {controlPlaneUrl, observerUrl} = await sandboxPlatform();
    await expect(worded(find({addresses: {controlPlaneUrl, observerUrl, authUrl}}))).rejects.toMatchObject({
      code: 'auth-issuer-mismatch',
      remedy: expect.stringContaining('--auth-url https://idp.example.com'),
    });
  });
});

describe('a control plane that is not well', () => {
  const routes = (health: Handler, metadata: Handler) =>
    serveRoutes({'/health': health, '/.well-known/oauth-protected-resource': metadata, '/version': json({})});
  const good = json({resource: 'x', authorization_servers: []});

  test.each([
    ['HTML instead of JSON', text('OK'), text('<html>Sign in</html>', 200, 'text/html'), 'network-portal'],
    ['a truncated document', text('OK'), text('{"resource": "x', 200, 'application/json'), 'platform-invalid-answer'],
    ['a document that is a list', text('OK'), json([]), 'platform-invalid-answer'],
    ['401', text('no', 401), good, 'platform-error'],
    ['403', text('no', 403), good, 'platform-error'],
    ['404', text('no', 404), good, 'platform-no-such-endpoint'],
    ['500', text('no', 500), good, 'platform-error'],
    ['503', text('no', 503), good, 'platform-unhealthy'],
  ])('%s', async (_name, health, metadata, code) => {
    const origin = await routes(health, metadata);
    const error = await find({addresses: {controlPlaneUrl: origin, observerUrl: 'none', authUrl: origin}}).catch(
      caught => caught,
    );
    expect(worded(error)).toMatchObject({
      code,
      message: expect.stringContaining(origin),
      remedy: expect.stringMatching(/\.$/),
    });
  });

  test('nothing there, nothing named: the guess is told apart from an address that was given', async () => {
    const closed = portOf(await closedOrigin());
    await expect(find({platform: onPorts(closed, closed, closed)})).rejects.toMatchObject({code: 'platform-not-found'});
    await expect(find({baseDomain: 'acme.localhost', platform: onPorts(closed, closed, closed)})).rejects.toMatchObject(
      {
        code: 'network-refused',
      },
    );
  });
});

test('what a server says of itself is cleaned before it is shown', async () => {
  const {authUrl, observerUrl} = await sandboxPlatform();
  const controlPlaneUrl = await serveRoutes({
    '/health': text('OK'),
    '/version': json({version: '0.14\u001B]52;c;aGFjaw==\u0007\u009B31m\u202E'}),
    '/.well-known/oauth-protected-resource': json({authorization_servers: [authUrl]}),
  });
  const {result} = await find({addresses: {controlPlaneUrl, observerUrl, authUrl}});
  expect(result.version).toBe('0.14 ]52;c;aGFjaw== 31m');
});

test('stopping ends it at once, whatever is under way', async () => {
  const origin = await serve(() => {});
  const controller = new AbortController();
  const input = {
    platforms: [bundled],
    addresses: {controlPlaneUrl: origin, observerUrl: origin, authUrl: origin},
    layout: 'auto',
  } as const;
  const run = collect(findDeployment, input, await temporaryPorts(), controller.signal);
  controller.abort();
  await expect(run).rejects.toMatchObject({code: 'cancelled'});
});

const isAbout = (part: string) => (event: FlowEvent) => 'url' in event && event.url.includes(part);

const controlPlane = () =>
  serve((request, response) => {
    const {host = ''} = request.headers;
    const issuer = `http://${host.replace('api.', 'idp.')}`;
    const path = request.url ?? '';
    if (path === '/health') response.end('OK');
    else if (path === '/.well-known/openid-configuration') response.end(JSON.stringify({issuer}));
    else response.end(JSON.stringify({authorization_servers: [issuer], version: '0.14.0'}));
  });

describe('the kind of platform', () => {
  /** Starts a whole platform at one address, with the name and metadata that the test says. */
  const platformCalling = (name: string | undefined, metadata: object = {}) =>
    serve((request, response) => {
      const origin = `http://${request.headers.host}`;
      const path = request.url ?? '';
      if (path === '/health') response.end(JSON.stringify({status: 'healthy'}));
      else if (path === '/.well-known/openid-configuration') json({issuer: origin})(request, response);
      else if (path === '/version') json({name, version: '1.2.3'})(request, response);
      else json({authorization_servers: [origin], ...metadata})(request, response);
    });

  const local = (platform: Platform, origin: string): Platform => {
    const port = portOf(origin);
    return {...platform, ports: {gateway: port, observer: {single: port, multi: port}}};
  };
  const search = async (platforms: readonly Platform[], ports?: Ports, baseDomain?: string) => {
    const input = {platforms, addresses: {}, layout: 'single', ...(baseDomain ? {baseDomain} : {})} as const;
    return (await collect(findDeployment, input, ports ?? (await temporaryPorts()))).result;
  };

  test('is found without a flag by which local address answers', async () => {
    const here = await platformCalling('openchoreo-api');
    const result = await search([local(bundled, await closedOrigin()), local(openchoreo, here)]);
    expect(result).toMatchObject({
      deployment: {platform: 'openchoreo', controlPlaneUrl: `http://api.openchoreo.localhost:${portOf(here)}`},
    });
  });

  test('is what answers, also at another kind’s local address', async () => {
    const here = await platformCalling('openchoreo-api');
    const result = await search([local(bundled, here), local(openchoreo, here)]);
    expect(result).toMatchObject({deployment: {platform: 'openchoreo', baseDomain: 'openchoreo.localhost'}});
  });

  test('is told by what answers below a base domain that was given', async () => {
    const here = await platformCalling(undefined, {openchoreo_clients: []});
    const result = await search([local(bundled, here), local(openchoreo, here)], undefined, 'acme.localhost');
    expect(result).toMatchObject({deployment: {platform: 'openchoreo', baseDomain: 'acme.localhost'}});
  });

  test('is what the person says, whatever answers', async () => {
    const here = await platformCalling('openchoreo-api');
    const result = await search([local(bundled, here)], undefined, 'acme.localhost');
    expect(result).toMatchObject({deployment: {platform: 'bundled'}});
  });

  test('is a question where the cluster names one platform and another one answers here', async () => {
    const here = await platformCalling('openchoreo-api');
    const home = await temporaryDirectory();
    const routes = {
      items: [
        {
          metadata: {name: 'openchoreo-api', namespace: 'openchoreo-control-plane'},
          spec: {hostnames: ['api.acme.example.com']},
        },
      ],
    };
    const ports = withPrograms(portsIn(home), {kubectl: () => ({stdout: JSON.stringify(routes)})});
    const platforms = [local(bundled, await closedOrigin()), local(openchoreo, here)];
    expect(await search(platforms, ports)).toEqual({
      choices: [
        {source: 'gateway-route', name: 'OpenChoreo', controlPlaneUrl: 'https://api.acme.example.com'},
        {
          source: 'local-address',
          name: 'OpenChoreo',
          controlPlaneUrl: `http://api.openchoreo.localhost:${portOf(here)}`,
        },
      ],
    });
  });

  test('and the layout is not told by an address that both layouts have', async () => {
    const here = await platformCalling('openchoreo-api');
    const result = await search([local(openchoreo, here)], undefined, 'acme.localhost');
    expect(result).toMatchObject({deployment: {layout: 'unknown', evidence: ''}});
  });

  test('is no question where the cluster and this machine name the same platform', async () => {
    const here = await platformCalling('openchoreo-api');
    const home = await temporaryDirectory();
    const metadata = {name: 'openchoreo-api', namespace: 'openchoreo-control-plane'};
    const routes = {items: [{metadata, spec: {hostnames: ['api.openchoreo.localhost']}}]};
    const ports = withPrograms(portsIn(home), {kubectl: () => ({stdout: JSON.stringify(routes)})});
    const result = await search([local(openchoreo, here)], ports);
    expect(result).toMatchObject({deployment: {platform: 'openchoreo'}});
  });

  test('is that of a saved context, or of the one that is named', async () => {
    const origins = await Promise.all([platformCalling('openchoreo-api'), platformCalling('openchoreo-api')]);
    const ports = await temporaryPorts();
    for (const [index, origin] of origins.entries()) {
      const observer = {observerUrl: origin, baseDomain: 'acme.localhost', platform: 'openchoreo'};
      await ports.config.saveContext({...contextAt(origin), ...observer, name: ['one', 'two'][index] ?? ''});
    }
    const input = {platforms: [bundled, openchoreo], addresses: {}, layout: 'auto'} as const;
    const at = async (context?: string) =>
      (await collect(findDeployment, {...input, ...(context === undefined ? {} : {context})}, ports)).result;
    const found = await Promise.all(['one', 'two'].map(at));
    expect(found.map(one => 'deployment' in one && one.deployment.controlPlaneUrl)).toEqual(origins);
    expect(origins).toContainEqual(await at().then(one => 'deployment' in one && one.deployment.controlPlaneUrl));
  });

  test('is told with what its layout was seen by', async () => {
    const here = await platformCalling('platform-api');
    const addresses = {controlPlaneUrl: `${here}/`, observerUrl: ` ${here}/`, authUrl: `${here}/`};
    const {result, events} = await find({addresses});
    expect(result).toMatchObject({controlPlaneUrl: here, observerUrl: here, authUrl: here});
    const {baseDomain, layout, evidence} = result;
    expect(events).toContainEqual({type: 'layout-decided', baseDomain, layout, evidence});
  });

  /** Starts a gateway whose control plane is ready from the given health check on, and counts the checks. */
  const gatewayBefore = async (readyAfter: number) => {
    let asked = 0;
    const origin = await serve((request, response) => {
      const own = `http://${request.headers.host}`;
      if (request.url === '/health') asked += 1;
      if (asked < readyAfter) return text('no healthy upstream', 503)(request, response);
      if (request.url === '/health') return json({status: 'healthy'})(request, response);
      if (request.url === '/version') return json({name: 'openchoreo-api', version: '1.2.3'})(request, response);
      return json({issuer: own, authorization_servers: [own]})(request, response);
    });
    const ports = await temporaryPorts();
    const paused: number[] = [];
    const sleep = async (ms: number) => void paused.push(ms);
    const platform = local(openchoreo, origin);
    return {paused, found: search([platform], {...ports, clock: {...ports.clock, sleep}}), port: portOf(origin)};
  };

  test('that is there and not ready is asked again, without a flag', async () => {
    const {found, paused} = await gatewayBefore(3);
    expect(await found).toMatchObject({deployment: {platform: 'openchoreo'}});
    expect(paused).toContain(1_000);
  });

  test('that does not get ready is told as such, and not as nowhere', async () => {
    const {found, port} = await gatewayBefore(Number.POSITIVE_INFINITY);
    await expect(found).rejects.toMatchObject({
      code: 'platform-unhealthy',
      message: `http://api.openchoreo.localhost:${port}/health is unhealthy (503): no healthy upstream.`,
    });
  });

  test('that is nowhere is said with each address that was tried', async () => {
    const port = portOf(await closedOrigin());
    const gone = [bundled, openchoreo].map(one => ({
      ...one,
      ports: {gateway: port, observer: {single: port, multi: port}},
    }));
    const tried = gone.map(one => `http://api.${one.localBaseDomain}:${port}`);
    await expect(search(gone)).rejects.toMatchObject({
      code: 'platform-not-found',
      message: `No platform found yet. Neither your settings nor your cluster names one, and ${tried.join(' and ')} do not answer.`,
    });
    await expect(search(gone.slice(0, 1))).rejects.toMatchObject({
      message: `No platform found yet. Neither your settings nor your cluster names one, and ${tried[0]} does not answer.`,
    });
  });
});
