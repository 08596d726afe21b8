import {describe, expect, test} from 'vitest';
import type {Learned, Subject} from '../../../../src/flows/diagnosis/check.ts';
import {clock, health, resource, versions} from '../../../../src/flows/diagnosis/checks/platform-checks.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import {type Handler, json, serveRoutes, text} from '../../../support/server.ts';
import {worded} from '../../../support/worded.ts';
import {look} from './support/look.ts';

const addresses = {controlPlaneUrl: 'http://api', observerUrl: 'http://observer', authUrl: 'http://idp'} as Subject;

describe('the health of a service', () => {
  const {health: path} = bundled.paths;
  const busy: Handler = (_request, response) => response.writeHead(503, {'Retry-After': '90'}).end();

  test('is what it says, with the time that it took', async () => {
    const origin = await serveRoutes({[path]: text('OK')});
    const learned: Learned = {};
    expect(await look(health('control-plane', 'x'), {origin, learned})).toEqual({
      ...{verdict: 'pass', saw: expect.stringMatching(/^200, \d+ ms: OK$/)},
    });
    // The server's clock in whole seconds, beside the time here.
    const {server, here} = learned.clock ?? expect.fail('There is no time.');
    expect(Math.abs(server - here)).toBeLessThan(5_000);
    expect(server % 1000).toBe(0);
    const silent = await serveRoutes({[path]: text('')});
    expect((await look(health('control-plane', 'x'), {origin: silent})).saw).toMatch(/^200, \d+ ms$/);
  });

  test('of the observer is asked for at the observer, whose clock is not the one that counts', async () => {
    const observerUrl = await serveRoutes({[path]: json({status: 'healthy'})});
    const learned: Learned = {};
    const {saw} = await look(health('observer', 'x'), {learned, subject: {observerUrl}});
    expect([saw.startsWith('200'), learned]).toEqual([true, {}]);
  });

  test.each([
    ['that it is not healthy', text('db is down', 503), 'platform-unhealthy', /unhealthy \(503\): db is down\.$/],
    ['nothing but a status', text('', 503), 'platform-unhealthy', /unhealthy \(503\)\.$/],
    ['another failure', text('no', 500), 'platform-error', /answered 500/],
  ])('is told where it says %s', async (_what, handler, code, message) => {
    const origin = await serveRoutes({[path]: handler});
    const about = expect.objectContaining({url: `${origin}${path}`});
    await expect(look(health('control-plane', 'x'), {origin})).rejects.toMatchObject({
      ...{code, message: expect.stringMatching(message), about},
    });
  });

  test.each([
    ['a web page', 'control-plane', text('<html><title>Sign in', 200, 'text/html'), 'network-portal'],
    ['a web page', 'observer', text('<html><title>Sign in', 200, 'text/html'), 'network-portal'],
    ['nothing of an observer’s', 'observer', json({}), 'platform-no-such-endpoint'],
    ['text where an observer has JSON', 'observer', text('OK'), 'platform-not-json'],
    ['how long it is to be left alone', 'control-plane', busy, 'platform-busy'],
  ] as const)('is not well where it says %s: %s', async (_what, service, handler, code) => {
    const origin = await serveRoutes({[path]: handler});
    const about = expect.objectContaining({url: `${origin}${path}`});
    const subject = service === 'observer' ? {observerUrl: origin} : {};
    await expect(look(health(service, 'x'), {origin, subject})).rejects.toMatchObject({code, about});
  });

  test('is asked for at the service that it is of', () => {
    const [ours, theirs] = [health('control-plane', 'tcp-api'), health('observer', 'tcp-observer')];
    expect([ours, theirs]).toMatchObject([
      {id: 'health-control-plane', title: 'Health of the control plane', needs: ['tcp-api']},
      {id: 'health-observer', title: 'Health of the observer', needs: ['tcp-observer']},
    ]);
    expect([ours, theirs].map(check => check.address?.(addresses))).toEqual(['http://api', 'http://observer']);
  });

  test('gives no time where the server tells none', async () => {
    const dateless: Handler = (_request, response) => {
      response.sendDate = false;
      response.writeHead(200).end('OK');
    };
    const learned: Learned = {};
    await look(health('control-plane', 'x'), {origin: await serveRoutes({[path]: dateless}), learned});
    expect(learned).toEqual({});
  });
});

describe('the clock', () => {
  const off = (ms: number) => ({learned: {clock: {server: 1_000_000, here: 1_000_000 + ms}}});

  test.each([9_999, -9_999, 0])('that is off by %i ms is right', async ms => {
    expect(await look(clock, off(ms))).toEqual({verdict: 'pass', saw: 'the same as the server’s'});
  });

  test.each([
    [10_000, '10 s ahead of the server’s', '10 s fast'],
    [-59_999, '1 min behind the server’s', '1 min slow'],
  ])('that is off by %i ms is a warning', async (ms, saw, words) => {
    expect(await look(clock, off(ms))).toMatchObject({
      verdict: 'warning',
      saw,
      sentence: expect.stringContaining(words),
    });
  });

  test.each([
    [20_000, '20 s fast. That does no harm yet, but with a larger difference valid tokens look expired.'],
    [-20_000, '20 s slow. That does no harm yet, but with a larger difference valid tokens seem not to be valid yet.'],
  ])('that is off by %i ms does no harm yet', async (ms, words) => {
    expect(await look(clock, off(ms))).toMatchObject({sentence: expect.stringContaining(words)});
  });

  test.each([60_000, -60_000])('that is off by %i ms is a failure', async ms => {
    await expect(worded(look(clock, off(ms)))).rejects.toMatchObject({
      code: 'auth-clock',
      remedy: expect.stringMatching(/operators\.$/),
    });
  });

  test('is not known where the server does not tell the time', async () => {
    expect((await look(clock)).verdict).toBe('skipped');
  });
});

describe('the versions', () => {
  const at = async (handler: Handler) => {
    const learned: Learned = {};
    const origin = await serveRoutes({[bundled.paths.version]: handler});
    return {found: await look(versions, {origin, learned}), version: learned.version};
  };
  const [oldest, newest] = [bundled.releases[0]?.line, bundled.releases.at(-1)?.line];

  test.each([
    [`${oldest}.0`, 'pass', undefined],
    [`${newest}.7`, 'pass', undefined],
    ['0.1.0', 'warning', `older than ${oldest}`],
    ['99.0.0', 'warning', `newer than ${newest}`],
  ])('of which the control plane’s is %s: %s', async (version, verdict, sentence) => {
    const {found, version: learned} = await at(json({version}));
    const saw = `platform-setup 0.1.0, control plane ${version}`;
    expect(found).toMatchObject({verdict, saw, ...(sentence ? {sentence: expect.stringContaining(sentence)} : {})});
    expect(learned).toBe(version);
  });

  test('are told by its paths where it says none', async () => {
    const there = text('who are you?', 401);
    const origin = await serveRoutes({
      [bundled.paths.version]: json({version: 'not-set'}),
      [bundled.paths.namespaces]: there,
      '/api/v1/clusterdataplanes': there,
    });
    const learned: Learned = {};
    const saw = 'platform-setup 0.1.0, control plane not-set (its paths are those of 0.15)';
    expect(await look(versions, {origin, learned})).toMatchObject({verdict: 'pass', saw});
    expect(learned.version).toBe('0.15');
  });

  test.each([
    ['none', json({})],
    ['a refusal', text('no', 403)],
  ])('are not known by %s', async (_what, handler) => {
    expect(await at(handler)).toMatchObject({found: {verdict: 'skipped'}, version: undefined});
  });
});

describe('what the control plane identifies itself as', () => {
  const {protectedResource, mcp} = bundled.paths;
  const at = async (metadata: (origin: string) => object) => {
    const origin: string = await serveRoutes({
      [protectedResource]: (request, response) => json(metadata(origin))(request, response),
    });
    const learned: Learned = {};
    return {origin, learned, found: await look(resource, {origin, learned}).catch(error => error)};
  };

  test.each<[what: string, metadata: (origin: string) => object, saw: (origin: string) => string]>([
    ['its MCP server', origin => ({resource: `${origin}${mcp}`}), origin => `${origin}${mcp}`],
    ['itself', origin => ({resource: origin, authorization_servers: ['x', origin]}), origin => origin],
    [
      'itself, and trusts a name with a slash more',
      origin => ({resource: origin, authorization_servers: [`${origin}/`]}),
      origin => origin,
    ],
    [
      'itself, and trusts what is no address',
      origin => ({resource: origin, authorization_servers: [7, origin]}),
      origin => origin,
    ],
    ['nothing', () => ({authorization_servers: []}), () => 'no resource named'],
    ['nothing, and trusts nobody that could be read', () => ({authorization_servers: 'x'}), () => 'no resource named'],
  ])('may be %s', async (_what, metadata, saw) => {
    const {found, origin, learned} = await at(metadata);
    expect(found).toEqual({verdict: 'pass', saw: saw(origin)});
    expect(learned.resource).toEqual(metadata(origin));
  });

  test.each([
    ['another', 'https://other.example/mcp', 'https://other.example/mcp'],
    ['no text', 7, 'no resource named'],
  ])('that is %s is told', async (_what, name, saw) => {
    const {found, origin} = await at(() => ({resource: name}));
    const sentence = `The control plane identifies itself as a resource other than ${origin}${mcp}.`;
    expect(found).toMatchObject({verdict: 'warning', saw, sentence});
  });

  test('is no matter where it trusts another identity provider', async () => {
    const {found} = await at(() => ({authorization_servers: ['https://idp.other.example']}));
    expect(worded(found)).toMatchObject({
      code: 'auth-issuer-mismatch',
      message: expect.stringContaining('trusts https://idp.other.example'),
      remedy: expect.stringContaining('--auth-url https://idp.other.example'),
    });
  });

  test('need not be said, and a failure is none', async () => {
    expect(await look(resource, {origin: await serveRoutes({})})).toMatchObject({verdict: 'skipped'});
    const broken = await serveRoutes({[protectedResource]: text('no', 500)});
    await expect(look(resource, {origin: broken})).rejects.toMatchObject({code: 'platform-error'});
    // The metadata is public, so a refusal is not about a token.
    const closed = await serveRoutes({[protectedResource]: text('no', 401)});
    await expect(look(resource, {origin: closed})).rejects.toMatchObject({
      code: 'platform-error',
      message: expect.stringContaining('requires its own sign-in'),
    });
  });
});

test('what needs the control plane waits for its health, and asks there', () => {
  for (const check of [clock, versions, resource]) expect(check.needs).toEqual(['health-control-plane']);
  for (const check of [versions, resource]) expect(check.address?.(addresses)).toBe('http://api');
  expect(clock.address).toBeUndefined();
});
