import {describe, expect, test} from 'vitest';
import {cancelled} from '../../../src/errors/errors.ts';
import {probe} from '../../../src/flows/deployment/probe.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {PROBE_TIMEOUT} from '../../../src/flows/time-limits.ts';
import type {Service} from '../../../src/platform/platform.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, type Handler, json, serve, text} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

const METADATA = '/.well-known/oauth-protected-resource';
const DISCOVERY = '/.well-known/openid-configuration';

type Routes = (own: string) => Readonly<Record<string, Handler>>;

/** Looks at an address that answers by path, and returns the result and what the flow told. */
const look = async (service: Service, routes: Routes, path = '') => {
  const url: string = await serve((request, response) => {
    (routes(url)[request.url ?? ''] ?? text('404 page not found', 404))(request, response);
  });
  const events: FlowEvent[] = [];
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: (event: FlowEvent) => void events.push(event)};
  const {ms, ...found} = await probe({service, url: `${url}${path}`}, bundled, run);
  const [answered] = events.flatMap(event => (event.type === 'probe-answered' ? [event] : []));
  expect(answered?.ms).toBe(ms);
  expect(ms).toBeGreaterThanOrEqual(0);
  return {url, found, events, told: answered && [answered.outcome, answered.detail]};
};

describe('a control plane', () => {
  const routes =
    (more: Readonly<Record<string, Handler>> = {}): Routes =>
    () => ({
      '/health': text('OK'),
      [METADATA]: json({authorization_servers: ['https://idp.example', 'https://other.example']}),
      '/version': json({name: 'platform-api', version: '1.2.3'}),
      ...more,
    });

  test('tells its release, its name and whom it trusts', async () => {
    const {found, told, events, url} = await look('control-plane', routes());
    const metadata = {authorization_servers: ['https://idp.example', 'https://other.example']};
    expect(found).toEqual({
      candidate: {service: 'control-plane', url},
      up: true,
      healthy: true,
      version: '1.2.3',
      authUrl: 'https://idp.example',
      self: {name: 'platform-api', metadata},
    });
    expect(told).toEqual(['up', '1.2.3']);
    expect(events).toContainEqual({type: 'probe-started', service: 'control-plane', url, atMost: PROBE_TIMEOUT});
  });

  test.each([
    ['is not there', text('no', 404)],
    ['is none', text('v1.2.3')],
    ['came with an error', json({name: 'platform-api', version: '1.2.3'}, 500)],
  ])('is one also where its version %s', async (_what, version) => {
    const {found} = await look('control-plane', routes({'/version': version}));
    expect(found).toMatchObject({up: true, self: {metadata: expect.any(Object)}});
    expect(found).not.toHaveProperty('version');
    expect(found).not.toHaveProperty('self.name');
  });

  test.each([[[]], ['https://idp.example'], [['idp']], [[7]]])('trusts nobody by %j', async servers => {
    const {found} = await look('control-plane', routes({[METADATA]: json({authorization_servers: servers})}));
    expect(found).toMatchObject({up: true});
    expect(found).not.toHaveProperty('authUrl');
  });

  test('has words of its own shown without what could steer a terminal', async () => {
    const {told} = await look('control-plane', routes({'/version': json({version: '1\u001B[2J'})}));
    expect(told?.[1]).not.toMatch(/\u001B/);
  });

  test.each([
    ['health', {'/health': text('no', 503)}, '/health'],
    ['metadata', {[METADATA]: json({}, 404)}, METADATA],
    ['metadata that can be read', {[METADATA]: text('no')}, METADATA],
  ])('is none without %s', async (_what, more, path) => {
    const {found, told, url} = await look('control-plane', routes(more));
    expect(found).toMatchObject({up: false, error: {message: expect.stringContaining(`${url}${path}`)}});
    expect(told).toEqual(['down', expect.stringContaining(`${url}${path}`)]);
  });
});

describe('an identity provider', () => {
  /** Endpoints by which the bundled identity provider is recognised. */
  const bundledEndpoints = (own: string) => ({
    token_endpoint: `${own}/oauth2/token`,
    jwks_uri: `${own}/oauth2/jwks`,
    registration_endpoint: `${own}/oauth2/dcr/register`,
  });

  const routes =
    (metadata: object = {}, readiness: Handler = json({service_status: []})): Routes =>
    own => ({[DISCOVERY]: json({issuer: own, ...bundledEndpoints(own), ...metadata}), '/health/readiness': readiness});

  test('tells its name, and what it offers', async () => {
    const {found, told, url} = await look('identity-provider', routes());
    expect(found).toEqual({
      candidate: {service: 'identity-provider', url},
      up: true,
      healthy: true,
      issuer: url,
      kind: 'thunderid',
      device: false,
      self: {},
    });
    expect(told).toEqual(['up', 'ready']);
    const device = await look(
      'identity-provider',
      routes({device_authorization_endpoint: 'https://idp.example/device'}),
    );
    expect(device.found).toMatchObject({device: true});
  });

  test.each([
    ['that has closed the documented way', json({serviceStatus: []}), true],
    ['that leaves it open', json({service_status: []}), undefined],
    ['that is no JSON', text('UP'), undefined],
    ['that is not there', text('no', 404), undefined],
    ['that is cut off', ((_, response) => response.destroy()) as Handler, undefined],
  ])('is known by its readiness %s', async (_what, readiness, closed) => {
    const {found} = await look('identity-provider', routes({}, readiness));
    expect(found).toMatchObject({up: true});
    expect('withoutRecipe' in found ? found.withoutRecipe : undefined).toBe(closed);
  });

  test('that does not say its name is none', async () => {
    const {found, url} = await look('identity-provider', routes({issuer: ''}));
    expect(found).toMatchObject({
      up: false,
      error: {
        code: 'platform-invalid-answer',
        message: `${url}${DISCOVERY} names no issuer.`,
        about: {url: `${url}${DISCOVERY}`},
      },
    });
  });

  test('of another name is another one, and the way there is told', async () => {
    const {found, url} = await look('identity-provider', routes({issuer: 'https://idp.example'}));
    const error = 'error' in found ? worded(found.error) : undefined;
    expect({...found, error}).toMatchObject({
      up: false,
      error: {
        code: 'auth-issuer-mismatch',
        message: `${url} identifies itself as https://idp.example, but ${url} was expected.`,
        remedy:
          'Ask its operators to correct its external address, then try again. If they say that the other address is right, pass --auth-url https://idp.example.',
        about: {url, flag: 'auth-url'},
      },
    });
  });

  test('whose name has a slash at its end, and nothing else of another, is taken with that', async () => {
    const {found, url} = await look('identity-provider', own => ({[DISCOVERY]: json({issuer: `${own}/`})}));
    expect(found).toMatchObject({up: true, issuer: `${url}/`});
  });

  test.each([
    ['/realms/dev/.well-known/openid-configuration'],
    ['/.well-known/oauth-authorization-server/realms/dev'],
    ['/.well-known/openid-configuration/realms/dev'],
    ['/realms/dev/.well-known/oauth-authorization-server'],
  ])('of a name with a path is found at %s', async path => {
    const routes: Routes = own => ({[path]: json({issuer: `${own}/realms/dev`})});
    const {found, url} = await look('identity-provider', routes, '/realms/dev');
    expect(found).toMatchObject({up: true, issuer: `${url}/realms/dev`});
  });

  test('is none without its metadata', async () => {
    const {found} = await look('identity-provider', () => ({[DISCOVERY]: json({issuer: 'x'}, 500)}));
    expect(found).toMatchObject({up: false, error: {code: 'platform-error'}});
  });
});

describe('an observer', () => {
  test.each([
    [200, 'healthy', 'up', 'OK'],
    [503, 'unhealthy', 'unhealthy', 'unhealthy'],
  ])('answers %i, healthy or not', async (status, words, outcome, detail) => {
    const {found, told} = await look('observer', () => ({'/health': json({status: words}, status)}));
    expect(found).toMatchObject({up: true, healthy: status === 200, self: {}});
    expect(found).not.toHaveProperty('authUrl');
    expect(told).toEqual([outcome, detail]);
  });

  test.each([
    ['whom it trusts', json({authorization_servers: ['https://idp.example']}), 'https://idp.example'],
    ['nobody by an error', json({authorization_servers: ['https://idp.example']}, 500), undefined],
    ['nobody by what is no JSON', text('no'), undefined],
    ['nobody where that is cut off', ((_, response) => response.destroy()) as Handler, undefined],
  ])('tells %s', async (_what, metadata, authUrl) => {
    const {found} = await look('observer', () => ({'/health': json({status: 'healthy'}), [METADATA]: metadata}));
    expect(found).toMatchObject({up: true});
    expect('authUrl' in found ? found.authUrl : undefined).toBe(authUrl);
  });

  test('is none that says nothing of how it is', async () => {
    const {found, url} = await look('observer', () => ({'/health': json({})}));
    const error = {
      code: 'platform-no-such-endpoint',
      message: `${url} is not an observer.`,
      about: {url: `${url}/health`},
    };
    expect(found).toMatchObject({up: false, error});
  });

  test('is none that answers with another error', async () => {
    const {found} = await look('observer', () => ({'/health': json({status: 'healthy'}, 500)}));
    expect(found).toMatchObject({up: false, error: {code: 'platform-error'}});
  });
});

test('nobody who answers is down, and who stops hears that', async () => {
  const candidate = {service: 'observer', url: await closedOrigin()} as const;
  const run = {ports: await temporaryPorts(), tell: () => {}};
  const gone = await probe(candidate, bundled, {...run, signal: noSignal});
  expect(gone).toMatchObject({candidate, up: false, error: {code: 'network-refused'}});
  const stopped = probe(candidate, bundled, {...run, signal: AbortSignal.abort(cancelled())});
  await expect(stopped).rejects.toMatchObject({code: 'cancelled'});
});

test('a look may take its time', async () => {
  const started: unknown[] = [];
  const tell = (event: FlowEvent) => void (event.type === 'probe-started' && started.push(event.atMost));
  const candidate = {service: 'observer', url: await closedOrigin()} as const;
  const run = {ports: await temporaryPorts(), signal: noSignal, tell};
  await probe(candidate, bundled, run, {timeout: 10_000, isQuick: false});
  expect(started).toEqual([10_000]);
});
