import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {lastLine} from '../support/run.ts';

test('status --live says whether all of it works, and what the account sees', async () => {
  const {run, project} = await connected(
    await platformForTest({projects: [{name: 'shop', components: 3, failing: 1}]}),
  );
  const {code, stdout} = await run('status', '--live');
  expect(code).toBe(0);
  expect(stdout).toContain('Every server answers and accepts your sign-in.');
  expect(stdout).toContain(
    'You see 2 projects with 5 components. 1 component fails on the platform: shop/shop-1 (WorkloadNotFound).',
  );
  expect(stdout).toContain('(WorkloadNotFound). The program read this through the entry of MCP JSON.');
  expect(lastLine((await run('status', '--live', '--json')).stdout)).toMatchObject({
    state: 'signed-in',
    live: {
      state: 'connected',
      content: {projects: 2, components: 5},
      through: {assistant: 'MCP JSON', path: join(project, '.mcp.json')},
    },
  });
});

test('status --live starts the program of an entry as the assistant does, and says if that fails', async () => {
  const {run, project} = await connected(await platformForTest());
  expect(await run('mcp', 'connect', '--yes', '--method', 'bridge', '--project', project)).toMatchObject({code: 0});
  const good = await run('status', '--live');
  expect([good.code, good.stdout]).toEqual([
    0,
    expect.stringContaining('The program read this through the entry of MCP JSON.'),
  ]);

  // An entry that this program would not write is not started, and what the account sees is read without it.
  const file = join(project, '.mcp.json');
  const written = readFileSync(file, 'utf8');
  writeFileSync(file, written.replaceAll('"command": "', '"command": "not-'));
  const changed = await run('status', '--live');
  expect(changed.stdout).toMatch(/You see \d+ project/);
  expect(changed.stdout).not.toContain('read this through');
});

test('status --live says that the token in an entry is refused, although the sign-in is accepted', async () => {
  const platform = await platformForTest();
  const {run, project} = await connected(platform);
  // The sign-in is renewed, and the file still holds a token that was signed with the old key.
  await platform.renewKeys();
  const {code, stdout} = await run('status', '--live');
  const refused = `The server refused the token in “platform-control-plane” of ${join(project, '.mcp.json')}.`;
  expect([code, stdout]).toEqual([6, expect.stringContaining(refused)]);
  expect(stdout).toContain('Connect it again: npx setup mcp connect.');

  const doctor = await run('doctor');
  expect(doctor.stdout).toContain(refused);
  expect(doctor.stdout).toContain('Connect it again: npx setup doctor --fix');
  expect(doctor.stdout).not.toContain('To your platform team');
  expect(await run('doctor', '--fix')).toMatchObject({code: 0});
  expect(await run('status', '--live')).toMatchObject({code: 0, stdout: expect.stringContaining('read this through')});
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
  expect([code, stdout]).toEqual([1, expect.stringMatching(/You are signed out\. .*refused to renew the sign-in/)]);
  // Once: the platform itself is not asked with a token that it cannot be given.
  expect(stdout.match(/signed out/g)).toHaveLength(1);

  const {refused, ...others} = store.only();
  expect(refused).toBeDefined();
  store.putCredentials({...others, ...(refused ? {refused: {...refused, at: Date.now() - 600_500}} : {})});
  expect((await run('status')).stdout).toMatch(/You are signed out\. 10 min ago: .*refused to renew the sign-in/);
});
