import {describe, expect, test} from 'vitest';
import {lookAtPlatform} from '../../../src/flows/deployment/examine-platform.ts';
import {findDeployment} from '../../../src/flows/deployment/find-deployment.ts';
import type {PlatformLocation} from '../../../src/flows/deployment/platform-locations.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import type {GivenAddresses} from '../../../src/platform/addresses.ts';
import type {Platform} from '../../../src/platform/platform.ts';
import {bundled, openchoreo} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, type Handler, json, serve, serveRoutes, text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

const portOf = (origin: string) => Number(new URL(origin).port);

/** Starts a control plane with its identity provider, at names below one base domain. */
const gateway = () =>
  serve((request, response) => {
    const issuer = `http://${(request.headers.host ?? '').replace('api.', 'idp.')}`;
    if (request.url === '/health') response.end('OK');
    else json({issuer, authorization_servers: [issuer], version: '0.14.0'})(request, response);
  });

test('an observer that answers gives the other layout’s a moment, so that two that live are both seen', async () => {
  const ports = await temporaryPorts();
  // The second observer answers after the first one's answer has arrived and the search waits for another.
  const {promise: waitedFor, resolve: wait} = Promise.withResolvers<void>();
  const healthy = json({status: 'healthy'});
  const [single, multi, front] = await Promise.all([
    serve(healthy),
    serve(async (request, response) => {
      await waitedFor;
      healthy(request, response);
    }),
    gateway(),
  ]);
  const sleep: Ports['clock']['sleep'] = async (ms, signal) => {
    wait();
    // Only a wait longer than 0 ms leaves the server time to answer.
    if (ms > 0) await new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const platform = {
    ...bundled,
    ports: {gateway: portOf(front), observer: {single: portOf(single), multi: portOf(multi)}},
  };
  const input = {platforms: [platform], baseDomain: 'acme.localhost', addresses: {}, layout: 'auto'} as const;
  const {result} = await collect(findDeployment, input, {...ports, clock: {...ports.clock, sleep}});
  expect(result).toMatchObject({
    deployment: {layout: 'multi', evidence: expect.stringContaining('Both observers answer')},
  });
});

describe('a platform whose addresses are known', () => {
  const METADATA = '/.well-known/oauth-protected-resource';
  type Routes = Readonly<Record<string, Handler>>;

  const observing = (routes: Routes) => serveRoutes({'/health': json({status: 'healthy'}), ...routes});

  /** Looks at a platform whose services answer by path. With `none` there is no observer. */
  const look = async (
    {
      controlPlane = {},
      idp = {},
      observer = {},
      given = {},
    }: {
      controlPlane?: Routes | ((authUrl: string) => Routes);
      idp?: Routes;
      observer?: Routes | 'none' | 'gone' | 'unnamed';
      given?: GivenAddresses;
    },
    platforms: readonly Platform[] = [bundled],
    more: Partial<PlatformLocation> = {},
  ) => {
    const authUrl: string = await serve((request, response) => {
      const {[request.url ?? '']: handler = text('404 page not found', 404)} = {
        '/.well-known/openid-configuration': json({issuer: authUrl}),
        ...idp,
      } as Routes;
      handler(request, response);
    });
    const controlPlaneUrl = await serveRoutes({
      '/health': text('OK'),
      [METADATA]: json({authorization_servers: [authUrl]}),
      '/version': json({version: '0.14.0'}),
      ...(typeof controlPlane === 'function' ? controlPlane(authUrl) : controlPlane),
    });
    const observerUrl =
      observer === 'none' || observer === 'unnamed'
        ? 'none'
        : observer === 'gone'
          ? await closedOrigin()
          : await observing(observer);
    const events: FlowEvent[] = [];
    const tell = (event: FlowEvent) => void events.push(event);
    const location = {source: 'given', platforms, baseDomain: {name: 'acme.localhost'}, ...more} as const;
    const search = {
      layout: 'auto',
      addresses: {controlPlaneUrl, ...(observer === 'unnamed' ? {authUrl} : {observerUrl}), ...given},
      ports: await temporaryPorts(),
      signal: noSignal,
      tell,
    } as const;
    const found = lookAtPlatform(location, search);
    return {
      found,
      controlPlaneUrl,
      authUrl,
      observerUrl,
      warnings: () => events.filter(({type}) => type === 'warning'),
    };
  };

  test('is put together of what each of them says', async () => {
    const {found, controlPlaneUrl, authUrl, observerUrl, warnings} = await look({});
    expect(await found).toStrictEqual({
      platform: 'bundled',
      baseDomain: 'acme.localhost',
      layout: expect.any(String),
      evidence: expect.any(String),
      controlPlaneUrl,
      observerUrl,
      authUrl,
      issuer: authUrl,
      version: '0.14.0',
      identityProvider: 'standard',
      withoutRecipe: true,
      device: false,
    });
    expect(warnings()).toEqual([]);
  });

  test('is not signed in to at another identity provider than it trusts, unless the person has decided', async () => {
    const other: string = await serve((request, response) => json({issuer: other})(request, response));
    const {found, authUrl} = await look({given: {authUrl: other}});
    const issuers = {trusted: authUrl, given: other};
    await expect(found).rejects.toMatchObject({code: 'auth-issuer-mismatch', about: {issuers}});
    const {found: decided} = await look({given: {authUrl: other, issuer: other}});
    expect(await decided).toMatchObject({issuer: other});
  });

  test('does not lead into a network that it is not in', async () => {
    const controlPlane = {[METADATA]: json({authorization_servers: ['http://169.254.169.254/latest']})};
    const {found} = await look({controlPlane});
    await expect(worded(found)).rejects.toMatchObject({
      code: 'auth-endpoint-foreign',
      message: expect.stringContaining('names http://169.254.169.254, which is a link-local address'),
      remedy: expect.stringContaining('--auth-url http://169.254.169.254/latest'),
    });
  });

  test('has its metadata where its MCP server says, before the usual place', async () => {
    const {controlPlaneUrl, found, authUrl} = await look({
      controlPlane: own => ({
        [METADATA]: json({authorization_servers: ['http://nobody.localhost:1']}),
        '/mcp': (request, response) => {
          const address = `http://${request.headers.host}/elsewhere`;
          response.setHeader('WWW-Authenticate', `Bearer realm="x", resource_metadata="${address}"`);
          response.writeHead(401).end();
        },
        '/elsewhere': json({authorization_servers: [own]}),
      }),
    });
    expect(await found).toMatchObject({controlPlaneUrl, issuer: authUrl});
  });

  test('says what its identity provider offers, and what it has closed', async () => {
    const {found} = await look({idp: {'/health/readiness': json({serviceStatus: []})}});
    expect(await found).toMatchObject({withoutRecipe: true});
  });

  test('is of the kind that its control plane says', async () => {
    const {found} = await look({controlPlane: {'/version': json({name: 'openchoreo-api', version: '1.0.0'})}}, [
      bundled,
      openchoreo,
    ]);
    expect(await found).toMatchObject({platform: 'openchoreo', version: '1.0.0'});
    const {found: unnamed} = await look({controlPlane: {'/version': json({})}}, [openchoreo, bundled]);
    expect(await unnamed).toMatchObject({platform: 'openchoreo'});
    expect(await unnamed).not.toHaveProperty('version');
  });

  test('has an observer that may be another platform’s: that is said', async () => {
    const other = 'https://other.example';
    const {found, warnings, observerUrl} = await look({observer: {[METADATA]: json({authorization_servers: [other]})}});
    await found;
    expect(warnings()).toEqual([
      {
        type: 'warning',
        message: `${observerUrl} trusts another identity provider, ${other}. It may be the observer of another platform: check its address.`,
      },
    ]);
  });

  test('has an observer with the placeholder of the chart, which is no other platform', async () => {
    const placeholder = 'http://thunder.openchoreo.invalid:8080';
    const {found, warnings} = await look({observer: {[METADATA]: json({authorization_servers: [placeholder]})}});
    await found;
    expect(warnings()).toEqual([]);
  });

  test('has none where the person says so', async () => {
    const {found} = await look({observer: 'none'});
    expect(await found).not.toHaveProperty('observerUrl');
    expect(await found).toMatchObject({layout: 'unknown', evidence: 'You chose to go without the observer.'});
  });

  test.each([
    ['may lack', 'gone', undefined],
    ['finds', {}, true],
    ['does not take another platform’s for', {[METADATA]: json({authorization_servers: ['http://other']})}, undefined],
  ] as const)('%s the observer without which the person went on before', async (_what, observer, isFound) => {
    const observerUrl = observer === 'gone' ? await closedOrigin() : await observing(observer);
    const baseDomain = {name: 'acme.localhost', observerUrl};
    const {found} = await look({observer: 'unnamed'}, [bundled], {baseDomain, isObserverOptional: true});
    const {observerUrl: used, ...others} = await found;
    expect(used).toBe(isFound && observerUrl);
    if (!isFound) expect(others).toMatchObject({evidence: 'No observer answers.'});
  });

  test('lacks its observer where that does not answer', async () => {
    const {found, observerUrl} = await look({observer: 'gone'});
    await expect(worded(found)).rejects.toMatchObject({
      code: 'network-refused',
      message: `Nothing listens at ${observerUrl}.`,
      remedy: expect.stringContaining('--observer-url none'),
      about: {isObserver: true},
    });
  });

  test('has somebody before its observer where a page answers in its place', async () => {
    const page = text('<html><title>Sign in to the Wi-Fi', 200, 'text/html');
    const {found, observerUrl} = await look({observer: {'/health': page}});
    await expect(found).rejects.toMatchObject({
      code: 'network-portal',
      message: expect.stringContaining(observerUrl),
      about: {isObserver: true, url: expect.stringContaining(observerUrl)},
    });
  });

  test.each([
    ['its control plane', {controlPlane: {'/health': text('no', 500)}}, 'platform-error'],
    ['its identity provider', {idp: {'/.well-known/openid-configuration': text('no', 503)}}, 'platform-unhealthy'],
  ])('is none without %s, whose failure it is', async (_what, services, code) => {
    const {found} = await look(services);
    await expect(found).rejects.toMatchObject({code});
  });
});
