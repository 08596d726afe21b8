import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {refresh} from '../../sandbox/identity/browser.ts';
import {claimsOf} from '../../sandbox/support.ts';
import {rowsOfTable} from '../../support/tables.ts';

import {filesBelow} from '../support/files.ts';
import {type SignInWay, threeWays} from '../support/three-ways.ts';

const ways: readonly SignInWay[] = ['service-account', 'mcp-client', 'browser'];

test.each(rowsOfTable(ways, 1))('a login by %s keeps a token for each, and so does the next one', async way => {
  const {platform, login, store, run} = await threeWays(way, {resources: 'each', extras: ['revocation']});
  const observer = `${platform.ready.observerUrl}/mcp`;
  for (const round of ['first', 'second']) {
    const former = store.exists() ? store.credentials() : [];
    const {code, stderr, signIns} = await login();
    expect({round, code, stderr}).toEqual({round, code: 0, stderr: ''});
    expect(signIns).toBe(way === 'browser' ? 2 : 0);
    expect(store.contexts()).toMatchObject([{resources: {observability: observer}}]);
    expect(store.credentials().map(({audience}) => audience)).toEqual([undefined, observer]);
    for (const {refreshToken} of former) {
      if (refreshToken === undefined) continue;
      expect(await refresh(platform.ready, refreshToken)).toMatchObject({status: 400});
    }
    expect(await run('mcp', 'tools', 'observability')).toMatchObject({code: 0});
  }
  store.expireAll();
  expect(claimsOf((await run('token', '--server', 'observability')).stdout).aud).toBe(observer);
  expect(claimsOf((await run('token')).stdout).aud).toBe(`${platform.ready.controlPlaneUrl}/mcp`);
});

test('undo leaves nothing of either sign-in', async () => {
  const {setUp, run, surroundings, files} = await threeWays('browser', {resources: 'each'});
  expect(await setUp()).toMatchObject({code: 0});
  const undone = await run('undo', '--yes');
  expect(undone).toMatchObject({code: 0, stderr: ''});
  expect(undone.stdout).toMatch(/Signed out of platform: its secrets are removed\.\n$/);
  expect(() => files()).toThrow('ENOENT');
  expect(existsSync(surroundings.setupHome) ? filesBelow(surroundings.setupHome) : []).toEqual([]);
});

test('a platform that gives each server its own resource later: the diagnosis says what helps, and it does', async () => {
  const {platform, setUp, login, run, store} = await threeWays('service-account', {resources: 'each'});
  expect(await setUp()).toMatchObject({code: 0});
  // The state of an earlier sign-in: no token for the second server.
  const [context] = store.contexts();
  if (!context) throw new Error('It was set up.');
  const {resources: _, ...before} = context;
  store.putContexts([before], before.name);
  const sick = await run('doctor');
  expect(sick.code).toBe(4);
  const said = `${sick.stdout}${sick.stderr}`.replaceAll(/\s+/g, ' ');
  expect(said).toContain(`${platform.ready.observerUrl}/mcp accepts only tokens issued for it`);
  expect(said).toContain(`Sign in again to get a token for it: npx setup login --context ${before.name}`);
  expect(await login('--context', before.name)).toMatchObject({code: 0, stderr: ''});
  const healthy = await run('doctor');
  expect(healthy).toMatchObject({code: 0, stderr: ''});
});
