import {describe, expect, test} from 'vitest';
import {checksOf} from '../../../src/flows/diagnosis/all-checks.ts';
import type {Subject} from '../../../src/flows/diagnosis/check.ts';
import {diagnose} from '../../../src/flows/diagnosis/diagnose.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import type {Context, Credentials} from '../../../src/ports/storage.ts';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {closedPort, reservedPort} from '../../e2e/support/ports.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {clientOf, sandboxPlatform} from '../../support/platform.ts';

/** Who asks: a person who has not signed in yet, one who has, or an MCP client. */
type Who = 'nobody' | 'person' | 'client';

const examine = async (faults: readonly FaultName[], who: Who, kept: Partial<Credentials> = {}) => {
  const redirectUri = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
  const ready = await sandboxPlatform('single', {redirectUri, faults});
  const ports = portsIn(await temporaryDirectory());
  const {controlPlaneUrl, observerUrl, authUrl} = ready;
  const addresses = {controlPlaneUrl, observerUrl, authUrl, issuer: authUrl};
  const {clientId, secret} =
    who === 'client' ? clientOf(ready, 'client_secret_basic') : {clientId: 'platform-cli', secret: undefined};
  const context: Context = {
    ...{name: 'acme', platform: 'bundled', baseDomain: ready.baseDomain, layout: 'single', ...addresses},
    ...{signIn: who === 'client' ? 'mcp-client' : 'browser', clientId, redirectUri},
  };
  if (who !== 'nobody') {
    await ports.config.saveContext(context);
    const secrets =
      who === 'client' ? {clientSecret: secret ?? ''} : {refreshToken: 'refresh-0', accessToken: 'a', expiresAt: 1};
    await ports.credentials.replace(context, {issuer: authUrl, clientId, ...secrets, ...kept});
  }
  const subject: Subject = {platform: bundled, ...addresses, ...(who === 'nobody' ? {} : {context})};
  const machine = {
    ...{node: '24.0.0', version: '0.1.0', proxies: {}, distrusts: false, assistants: [], redirectUri},
    place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
    own: {command: 'node', args: []},
  } as const;
  const checks = checksOf(subject);
  const {result} = await collect(diagnose({subject, machine, checks}, ports, noSignal));
  const of = (verdict: string) => result.outcomes.filter(one => one.verdict === verdict);
  return {
    failed: of('fail'),
    warned: of('warning'),
    skipped: of('skipped'),
    ready,
    ports,
    context,
  };
};

describe('a healthy platform', () => {
  test.each(['nobody', 'client'] as const)('passes everything: %s', async who => {
    const {failed, warned} = await examine([], who);
    expect(failed).toEqual([]);
    // A machine for tests has no display to open a browser on.
    expect(warned.filter(({id}) => id !== 'browser')).toEqual([]);
  });

  test('is the same after a diagnosis, and after a second one', async () => {
    const {ports, context} = await examine([], 'client');
    const before = await ports.credentials.get(context);
    const journal = await ports.journal.list();
    const subject: Subject = {...context, platform: bundled, context};
    const machine = {
      ...{
        node: '24.0.0',
        version: '0.1.0',
        proxies: {},
        distrusts: false,
        assistants: [],
        redirectUri: context.redirectUri ?? '',
      },
      place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
      own: {command: 'node', args: []},
    } as const;
    await collect(diagnose({subject, machine, checks: checksOf(subject)}, ports, noSignal));
    expect(await ports.credentials.get(context)).toEqual(before);
    expect(await ports.journal.list()).toEqual(journal);
  });
});

/** The first check that fails, and a word of what it says. */
const causes: readonly (readonly [FaultName, Who, id: string, sentence: RegExp])[] = [
  ['idp-down', 'nobody', 'discovery', /idp\..* closed the connection/],
  ['control-plane-503', 'client', 'health-control-plane', /not healthy \(503\)/],
  ['observer-missing', 'client', 'tcp-observer', /Nothing listens at http:\/\/observer\./],
  ['expired-certificate', 'nobody', 'tls-control-plane', /has expired/],
  ['self-signed', 'nobody', 'tls-control-plane', /self-signed/],
  ['clock-ahead', 'client', 'clock', /1 h 30 min ahead of the server’s/],
  ['idp-html', 'nobody', 'discovery', /web page/],
  ['wrong-issuer', 'nobody', 'issuer', /calls itself/],
  ['no-pkce', 'nobody', 'grants', /PKCE with S256/],
  ['unknown-client', 'nobody', 'redirect-url', /knows no client platform-cli/],
  ['missing-redirect', 'nobody', 'redirect-url', /127\.0\.0\.1:\d+\/auth-callback/],
  ['port-taken', 'nobody', 'callback-port', /taken|held|in use/],
  ['no-refresh', 'person', 'token', /./],
  ['refresh-refused', 'person', 'token', /refused to renew/],
  ['opaque-tokens', 'client', 'claims', /opaque/],
  ['wrong-audience', 'client', 'mcp-control-plane', /it wants one for/],
  ['mcp-html', 'client', 'challenge-control-plane', /web page/],
  ['mcp-401', 'client', 'mcp-control-plane', /refuses a token that is good/],
  ['mcp-403', 'client', 'mcp-control-plane', /not for this \(403\)/],
];

describe('alone', () => {
  test.each(causes)('%s is named by its cause: %s, %s', async (fault, who, id, sentence) => {
    const {failed, skipped} = await examine([fault], who);
    expect(failed[0]).toMatchObject({
      id,
      sentence: expect.stringMatching(sentence),
      remedy: expect.stringMatching(/\S/),
    });
    // What rests on it is not called broken as well, and names what did.
    expect(skipped.filter(({because}) => because !== undefined && !failed.some(one => one.id === because))).toEqual([]);
  });

  test('old-control-plane is a warning', async () => {
    const {failed, warned} = await examine(['old-control-plane'], 'client');
    expect(failed).toEqual([]);
    expect(warned).toContainEqual(
      expect.objectContaining({id: 'versions', sentence: expect.stringContaining('older')}),
    );
  });

  test('slow-idp is given up, and named by what did not answer', async () => {
    const {failed} = await examine(['slow-idp'], 'client');
    expect(failed.map(({id, code}) => [id, code])).toEqual([['token', 'network-timeout']]);
  });
});

describe('in pairs, the one that stands lower comes first', () => {
  test.each<readonly [readonly [FaultName, FaultName], Who, readonly string[]]>([
    [['idp-down', 'mcp-401'], 'client', ['discovery']],
    [['idp-html', 'control-plane-503'], 'client', ['health-control-plane', 'discovery']],
    [['wrong-issuer', 'observer-missing'], 'client', ['tcp-observer', 'issuer']],
    [['no-pkce', 'port-taken'], 'nobody', ['grants', 'callback-port']],
    [['opaque-tokens', 'mcp-403'], 'client', ['claims']],
    [['mcp-html', 'clock-ahead'], 'client', ['clock', 'challenge-control-plane', 'challenge-observability']],
    [['expired-certificate', 'idp-html'], 'nobody', ['tls-control-plane', 'tls-identity-provider', 'tls-observer']],
  ])('%j: %s', async (faults, who, ids) => {
    const {failed} = await examine(faults, who);
    expect(failed.map(({id}) => id)).toEqual(ids);
  });
});

test('where nothing is there at all, the connections fail and everything else says that it waits for them', async () => {
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}`;
  const subject: Subject = {platform: bundled, controlPlaneUrl: url, observerUrl: url, authUrl: url, issuer: url};
  const machine = {
    ...{node: '24.0.0', version: '0.1.0', proxies: {}, distrusts: false, assistants: []},
    redirectUri: `http://127.0.0.1:${await reservedPort()}/cb`,
    place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
    own: {command: 'node', args: []},
  } as const;
  const flow = diagnose({subject, machine, checks: checksOf(subject)}, portsIn(await temporaryDirectory()), noSignal);
  const {outcomes} = (await collect(flow)).result;
  expect(outcomes.filter(({verdict}) => verdict === 'fail').map(({id}) => id)).toEqual([
    'tcp-control-plane',
    'tcp-identity-provider',
    'tcp-observer',
  ]);
  expect(outcomes.find(({id}) => id === 'mcp-control-plane')).toMatchObject({
    verdict: 'skipped',
    because: 'tcp-control-plane',
  });
});
