import {expect, test} from 'vitest';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {lastLine} from '../support/run.ts';

test('status --live says whether all of it works, and what the account sees', async () => {
  const {run} = await connected(await platformForTest({projects: [{name: 'shop', components: 3, failing: 1}]}));
  const {code, stdout} = await run('status', '--live');
  expect(code).toBe(0);
  expect(stdout).toContain('Every server answers and accepts your sign-in.');
  expect(stdout).toContain('You see 2 projects with 5 components. 1 fails: shop/shop-1 (WorkloadNotFound).');
  expect(lastLine((await run('status', '--live', '--json')).stdout)).toMatchObject({
    state: 'signed-in',
    live: {state: 'connected', content: {projects: 2, components: 5}},
  });
});

test('status asks nobody without it, and with it ends with the code of what is wrong', async () => {
  const platform = await platformForTest();
  const {run} = await connected(platform);
  await platform.end();
  expect(await run('status')).toMatchObject({code: 0, stdout: expect.stringContaining('Signed in as')});
  const {code, stdout} = await run('status', '--live');
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/The control plane is not running[\s\S]*Nothing listens at/),
  ]);
  expect(lastLine((await run('status', '--live', '--json')).stdout)).toMatchObject({
    live: {state: 'failed', code: 'network-refused', remedy: expect.any(String)},
  });
});

test('status --live notices a sign-in that is refused everywhere', async () => {
  const {run, store} = await connected(await platformForTest({faults: ['refresh-refused']}));
  const kept = store.only();
  const [header, payload] = (kept.accessToken ?? '').split('.');
  store.putCredentials({...kept, accessToken: `${header}.${payload}.${'A'.repeat(86)}`});
  const {code, stdout} = await run('status', '--live');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/You are signed out\. .*refused the sign-in/)]);
  // Once: the platform itself is not asked with a token that it cannot be given.
  expect(stdout.match(/signed out/g)).toHaveLength(1);

  const {refused, ...others} = store.only();
  expect(refused).toBeDefined();
  store.putCredentials({...others, ...(refused ? {refused: {...refused, at: Date.now() - 600_500}} : {})});
  expect((await run('status')).stdout).toMatch(/You are signed out\. 10 min ago: .*refused the sign-in/);
});
