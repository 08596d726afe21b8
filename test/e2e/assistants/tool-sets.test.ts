import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {redirectsTo} from '../../../src/assistants/assistant.ts';
import {codexCli} from '../../../src/assistants/catalogue/codex-cli.ts';
import {clientOf} from '../../support/platform.ts';
import {startBridge} from '../support/bridge.ts';
import {platformForTest} from '../support/platform.ts';
import {jsonLines, runSetup, surroundingsForTest} from '../support/run.ts';
import {openSetup, reaches} from '../support/wizard.ts';

const some = {
  build: '?toolsets=namespace,project,component,deployment,build,resource',
  run: '?toolsets=namespace,project,deployment,pe',
};

/** Sets up a person with a platform of a release that has tool sets, unless the test names another release. */
const machine = async (release: '1.0' | '1.2' = '1.2') => {
  const platform = await platformForTest({release});
  const surroundings = surroundingsForTest();
  const {home, env} = surroundings;
  const path = {PATH: `${env.PATH}:/usr/bin:/bin`};
  const run = (...args: readonly string[]) => runSetup(args, {surroundings, env: path});
  const {clientId, secret} = clientOf(platform.ready, 'client_secret_basic');
  const args = ['--sign-in', 'mcp-client', '--client-id', clientId, '--client-secret-stdin'];
  const setUp = (...more: readonly string[]) =>
    runSetup(['--yes', ...platform.flags, ...args, ...more], {surroundings, env: path, stdin: secret});
  const cursor = join(home, '.cursor', 'mcp.json');
  const entries = () => JSON.parse(readFileSync(cursor, 'utf8')).mcpServers;
  const client = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
  return {platform, surroundings, run, setUp, cursor, entries, home, env: {...env, ...path, ...client}};
};

/** Returns what the last line of a run says of the control plane's server. */
const verified = (stdout: string) => {
  const last: unknown = jsonLines(stdout).at(-1);
  const {servers} = last as {servers: {server: string; tools: number; tokens: number}[]};
  return servers.find(({server}) => server === 'control-plane') ?? {tools: 0, tokens: 0};
};

const changing = /^(?:create|update|delete|patch|trigger|deploy|promote|apply)_/;

describe('--tools look', () => {
  test.each(['1.0', '1.2'] as const)(
    'at %s gives an assistant tools that change nothing, and the bridge holds it',
    async release => {
      const {setUp, run, entries, surroundings} = await machine(release);
      const all = verified((await setUp('--assistants', 'cursor', '--json')).stdout);
      const said = await run('mcp', 'connect', 'cursor', '--tools', 'look', '--yes', '--json');
      expect({code: said.code, stderr: said.stderr}).toEqual({code: 0, stderr: ''});
      const {tools} = verified(said.stdout);
      expect([tools > 0, tools < all.tools]).toEqual([true, true]);
      for (const name of ['platform-control-plane', 'platform-observability'])
        expect(entries()[name].args).toEqual(expect.arrayContaining(['--tools', 'look']));
      expect((await run('mcp', 'list')).stdout).toMatch(/^Cursor +platform-control-plane +look +~/m);
      expect((await run('doctor', '--verbose')).stdout).toContain(`control-plane ${tools} tools (--tools look)`);
      const {tools: shown} = JSON.parse(
        (await run('mcp', 'tools', 'control-plane', '--tools', 'look', '--json')).stdout,
      );
      const names: readonly string[] = shown.map(({name}: {name: string}) => name);
      expect(names).toHaveLength(tools);
      expect(names.filter(name => changing.test(name))).toEqual([]);
      const bridge = startBridge(['control-plane', '--tools', 'look'], surroundings);
      await bridge.initialize();
      const {result} = await bridge.request('tools/list');
      expect(result.tools.map(({name}: {name: string}) => name)).toEqual(names);
      const refused = await bridge.request('tools/call', {name: 'create_project', arguments: {name: 'x'}});
      expect(refused.error).toEqual({code: -32_602, message: 'This connection may only look.'});
    },
  );

  test('is not held by an entry that goes past the bridge, which is said before it is written', async () => {
    const {setUp, run, entries} = await machine();
    const {stdout, stderr} = await setUp('--assistants', 'cursor', '--method', 'header', '--tools', 'look');
    expect(`${stdout}${stderr}`).toContain('Not limited to looking: Cursor.');
    expect(entries()['platform-control-plane'].url).toMatch(/\/mcp$/);
    expect((await run('mcp', 'list')).stdout).toMatch(/^Cursor +platform-control-plane +~/m);
  });
});

describe('the switch on the home screen', () => {
  test('is followed by a bridge that runs: its tools change, and its list too', async () => {
    const {setUp, run, surroundings} = await machine('1.2');
    await setUp('--assistants', 'cursor');
    const bridge = startBridge(['control-plane'], surroundings);
    await bridge.initialize();
    const names = async () => (await bridge.request('tools/list')).result.tools.map(({name}: {name: string}) => name);
    const all = await names();
    const changes = () =>
      bridge.messages().filter(({method}: {method?: string}) => method === 'notifications/tools/list_changed').length;
    const create = () => bridge.request('tools/call', {name: 'create_project', arguments: {}});
    const refusal = {error: {code: -32_602, message: 'This connection may only look.'}};

    const terminal = openSetup([], {env: surroundings.env});
    await terminal.waitFor('act as sandbox_mcp_client');
    terminal.press('l');
    await terminal.waitFor('read-only, as sandbox_mcp_client');
    await expect.poll(changes).toBe(1);
    const few = await names();
    expect([few.length > 0, few.length < all.length]).toEqual([true, true]);
    expect(few.filter((name: string) => changing.test(name))).toEqual([]);
    expect(await create()).toMatchObject(refusal);
    expect((await run('status')).stdout).toContain('Assistants are limited to reading');
    expect(JSON.parse((await run('status', '--json')).stdout).contexts).toMatchObject([{onlyLook: true}]);

    terminal.press('l');
    await terminal.waitFor(/act as sandbox_mcp_client$/m);
    await expect.poll(changes).toBe(2);
    expect(await names()).toEqual(all);
    expect(await create()).not.toMatchObject(refusal);
    expect((await run('status')).stdout).not.toContain('limited to reading');
  });
});

describe('--tools', () => {
  test('is what the entry lists, by the token and by the bridge, and what is known of it from then on', async () => {
    const {setUp, run, entries, cursor} = await machine();
    const all = verified((await setUp('--assistants', 'cursor', '--method', 'header', '--json')).stdout);
    const said = await run('mcp', 'connect', 'cursor', '--method', 'header', '--tools', 'run', '--yes', '--json');
    expect({code: said.code, stderr: said.stderr}).toEqual({code: 0, stderr: ''});
    const {tools, tokens} = verified(said.stdout);
    expect([tools < all.tools, tokens < all.tokens]).toEqual([true, true]);
    const {url} = entries()['platform-control-plane'];
    expect(url).toMatch(/\/mcp\?toolsets=namespace,project,deployment,pe$/);
    expect(entries()['platform-observability'].url).toMatch(/\/mcp$/);
    expect((await run('mcp', 'list')).stdout).toMatch(/^Cursor +platform-control-plane +run +~/m);

    // A renewal of the token keeps the tool sets, and so does a run without `--tools`.
    expect((await run('mcp', 'connect', '--yes')).code).toBe(0);
    expect(entries()['platform-control-plane'].url).toBe(url);
    expect((await run('doctor', '--verbose')).stdout).toMatch(
      new RegExp(`✔ Entries of Cursor: .*, by header: control-plane ${tools} tools \\(--tools run\\)`),
    );

    const bridged = await run('mcp', 'connect', 'cursor', '--method', 'bridge', '--tools', 'build', '--yes', '--json');
    expect(verified(bridged.stdout).tools).toBe(10);
    expect(entries()['platform-control-plane'].args).toEqual(expect.arrayContaining(['--tools', 'build']));
    // A change by hand stays until the person says otherwise.
    writeFileSync(cursor, readFileSync(cursor, 'utf8').replace('"build"', '"of-my-own"'));
    const left = await run('mcp', 'connect', '--yes');
    expect([left.code, left.stdout]).toEqual([0, expect.stringMatching(/changed/)]);
    expect(entries()['platform-control-plane'].args).toEqual(expect.arrayContaining(['--tools', 'of-my-own']));
    expect((await run('mcp', 'connect', 'cursor', '--tools', 'all', '--replace', '--yes')).code).toBe(0);
    expect(entries()['platform-control-plane'].args).not.toContain('--tools');
  });

  test('lists what a preset has in a terminal too', async () => {
    const {setUp, run} = await machine();
    await setUp('--assistants', 'none');
    const {stdout} = await run('mcp', 'tools', 'control-plane', '--tools', 'run', '--json');
    const {url, tools, tokens} = JSON.parse(stdout);
    expect(url).toMatch(/\?toolsets=namespace,project,deployment,pe$/);
    expect(tools.map(({name}: {name: string}) => name)).not.toContain('list_components');
    expect(tokens).toBeGreaterThan(100);
    expect((await run('mcp', 'tools', 'observability', '--tools', 'run')).stdout).toContain('query_component_logs');
  });

  test('is warned of where the release has no sets, also where that is a saved deployment', async () => {
    const {setUp, run, entries} = await machine('1.0');
    const warning = expect.objectContaining({type: 'warning', message: expect.stringContaining('has no tool sets')});
    const first = await setUp('--assistants', 'cursor', '--method', 'header', '--tools', 'build', '--json');
    expect(jsonLines(first.stdout)).toContainEqual(warning);
    const second = await run('mcp', 'connect', 'cursor', '--method', 'header', '--tools', 'run', '--yes', '--json');
    expect(jsonLines(second.stdout)).toContainEqual(warning);
    expect(entries()['platform-control-plane'].url).toMatch(/\/mcp$/);
  });

  test('takes its words and no others', async () => {
    const {run} = await machine();
    const {code, stderr} = await run('--tools', 'most', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('--tools takes all, build, run, look, not most.');
  });
});

test('the guide of the identity provider has the addresses of the very entries', async () => {
  const {setUp, run, platform} = await machine();
  await setUp('--assistants', 'codex-cli', '--method', 'header', '--tools', 'run');
  const {stdout} = await run('provider', 'guide', 'keycloak');
  for (const query of ['', some.run])
    for (const address of redirectsTo(codexCli, `${platform.ready.controlPlaneUrl}/mcp${query}`))
      expect(stdout).toContain(address);
  expect(stdout).not.toContain(redirectsTo(codexCli, `${platform.ready.controlPlaneUrl}/mcp${some.build}`)[0]);
});

test.each([
  {columns: 100, rows: 30},
  {columns: 60, rows: 20},
  {columns: 40, rows: 20},
])('t narrows the tools in the wizard at $columns × $rows', async size => {
  const {platform, env, home, cursor, entries} = await machine();
  const args = [...platform.flags, '--sign-in', 'mcp-client', '--scope', 'user', '--method', 'header'];
  mkdirSync(join(home, '.cursor'));
  writeFileSync(cursor, '{}');
  const terminal = openSetup(args, {...size, env});
  await reaches(terminal, 'deployment');
  terminal.press('enter');
  await reaches(terminal, 'assistants');
  await terminal.waitFor(/Tools +all 17,\s+about [\d,]+\s+tokens/);
  terminal.press('t');
  await terminal.waitFor(/I build services: 16 of\s+17,\s+about [\d,]+\s+tokens/);
  terminal.press('t');
  await terminal.waitFor(/I run the platform: 14 of\s+17,\s+about [\d,]+\s+tokens/);
  expect(terminal.screen()).toMatch(/Which assistants\s+should/);
  terminal.press('enter');
  await reaches(terminal, 'review');
  terminal.press('enter');
  await reaches(terminal, 'done');
  expect(terminal.transcript()).toMatch(/control plane\s+8\s+tools/);
  expect(entries()['platform-control-plane'].url).toContain(some.run);
});
