import {describe, expect, test} from 'vitest';
import type {Subject} from '../../../src/flows/diagnosis/check.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {clientOf} from '../../support/platform.ts';
import {diagnosed, sceneOf, type Who} from './scene.ts';

/** Diagnoses a sandbox with these faults. The details of the sign-in are left out. */
const examine = async (faults: readonly FaultName[], who: Who) => {
  const scene = await sceneOf(who, faults);
  if (who === 'client') await scene.keep({clientSecret: clientOf(scene.ready, 'client_secret_basic').secret});
  if (who === 'person') await scene.keep({refreshToken: 'refresh-0', accessToken: 'a', expiresAt: 1});
  return {...(await scene.diagnose()), scene};
};

describe('a healthy platform', () => {
  test.each(['nobody', 'client'] as const)('passes everything: %s', async who => {
    const {failed, warned} = await examine([], who);
    expect(failed).toEqual([]);
    // A test machine has no display for a browser.
    expect(warned.filter(({id}) => id !== 'browser')).toEqual([]);
  });

  test('challenges at more length than there is room for, which is marked', async () => {
    const {outcomes} = await examine([], 'nobody');
    const {saw = ''} = outcomes.find(({id}) => id === 'challenge-control-plane') ?? {};
    expect(saw).toMatch(/^401, Bearer .{40,}…$/);
  });

  test('is the same after a diagnosis, and after a second one', async () => {
    const {scene} = await examine([], 'client');
    const ports = scene.newPorts();
    const before = await ports.credentials.get(scene.context);
    const journal = await ports.journal.list();
    await scene.diagnose();
    expect(await ports.credentials.get(scene.context)).toEqual(before);
    expect(await ports.journal.list()).toEqual(journal);
  });
});

/** The first check that fails for each fault, and words of its sentence. */
const causes: readonly (readonly [FaultName, Who, id: string, sentence: RegExp])[] = [
  ['idp-down', 'nobody', 'discovery', /idp\..* closed the connection/],
  ['control-plane-503', 'client', 'health-control-plane', /unhealthy \(503\)/],
  ['observer-missing', 'client', 'tcp-observer', /Nothing listens at http:\/\/observer\./],
  ['expired-certificate', 'nobody', 'tls-control-plane', /has expired/],
  ['self-signed', 'nobody', 'tls-control-plane', /self-signed/],
  ['clock-ahead', 'client', 'clock', /1 h 30 min fast/],
  ['idp-html', 'nobody', 'discovery', /web page/],
  ['idp-busy', 'client', 'token', /gets too many requests \(429/],
  ['lost-answer', 'client', 'token', /closed the connection before its answer/],
  ['wrong-issuer', 'nobody', 'issuer', /identifies itself as/],
  ['no-pkce', 'nobody', 'grants', /PKCE with S256/],
  ['unknown-client', 'nobody', 'redirect-url', /has no client platform-cli/],
  ['missing-redirect', 'nobody', 'redirect-url', /127\.0\.0\.1:\d+\/auth-callback/],
  ['port-taken', 'nobody', 'callback-port', /taken|held|in use/],
  ['no-refresh', 'person', 'token', /./],
  ['refresh-refused', 'person', 'token', /refused to renew/],
  ['opaque-tokens', 'client', 'claims', /not JWTs/],
  [
    'wrong-audience',
    'client',
    'claims',
    /is for https:\/\/api\.other\.example\/mcp, but the server identifies itself as http:/,
  ],
  ['mcp-busy', 'client', 'challenge-control-plane', /is too busy \(503/],
  ['mcp-html', 'client', 'challenge-control-plane', /web page/],
  [
    'mcp-401',
    'client',
    'mcp-control-plane',
    /refuses the token.*\. The token is for sandbox_mcp_client, but the server/,
  ],
  ['mcp-403', 'client', 'mcp-control-plane', /denied access \(403\)/],
  [
    'missing-scope',
    'client',
    'mcp-control-plane',
    /\/mcp requires the scope platform:mcp, but the token names none \(403\)\./,
  ],
];

describe('alone', () => {
  test.each(causes)('%s is named by its cause: %s, %s', async (fault, who, id, sentence) => {
    const {failed, skipped} = await examine([fault], who);
    expect(failed[0]).toMatchObject({
      id,
      sentence: expect.stringMatching(sentence),
      remedy: expect.stringMatching(/\S/),
    });
    // A check that rests on a failed one is skipped, and names the failed one.
    expect(skipped.filter(({because}) => because !== undefined && !failed.some(one => one.id === because))).toEqual([]);
  });

  test('old-control-plane is a warning', async () => {
    const {failed, warned} = await examine(['old-control-plane'], 'client');
    expect(failed).toEqual([]);
    expect(warned).toContainEqual(
      expect.objectContaining({id: 'versions', sentence: expect.stringContaining('older')}),
    );
  });
});

describe('from a run of which nothing is kept yet, its token is looked at', () => {
  test.each<readonly [FaultName, id: string]>([
    ['opaque-tokens', 'claims'],
    ['wrong-audience', 'claims'],
    ['mcp-401', 'mcp-control-plane'],
    ['mcp-403', 'mcp-control-plane'],
    ['missing-scope', 'mcp-control-plane'],
  ])('%s: %s', async (fault, id) => {
    const {outcomes, failed, token} = await (await sceneOf('nobody', [fault])).diagnoseUnderWay();
    expect(failed[0]?.id).toBe(id);
    expect(outcomes.find(one => one.id === 'sign-in')?.verdict).toBe('pass');
    expect(token).not.toBe('');
    expect(JSON.stringify(outcomes)).not.toContain(token);
  });

  test('and what only a browser needs is beside the point for a client with a secret', async () => {
    const {failed, skipped} = await (await sceneOf('nobody', ['no-pkce', 'port-taken'])).diagnoseUnderWay();
    expect(failed).toEqual([]);
    expect(
      skipped.filter(({saw}) => /signs in with its secret, without a browser/.test(saw)).map(({id}) => id),
    ).toEqual(['redirect-url', 'callback-port', 'browser']);
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
  const port = await reservedPort();
  const url = `http://127.0.0.1:${port}`;
  const subject: Subject = {platform: bundled, controlPlaneUrl: url, observerUrl: url, authUrl: url, issuer: url};
  const redirectUri = `http://127.0.0.1:${await reservedPort()}/cb`;
  const {outcomes} = await diagnosed(subject, redirectUri, portsIn(await temporaryDirectory()));
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
