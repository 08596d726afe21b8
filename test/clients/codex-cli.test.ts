import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {assistantOn} from '../bridge/support/bridge.ts';
import {codexCli} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen, expectSeen} from './support/expect-seen.ts';
import {testLifecycle} from './support/lifecycle.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {moveToProject} from './support/scopes.ts';
import {callsByMethod, listing} from './support/two-calls.ts';

/** Starts Codex as editors do: it speaks JSON-RPC over its standard input and output. */
const startCodex = async ({program, project, env}: Machine) => {
  const child = spawn(program, ['app-server'], {cwd: project, env, stdio: ['pipe', 'pipe', 'ignore']});
  onTestFinished(() => void child.kill('SIGKILL'));
  const {request, notify} = assistantOn(child.stdin, child.stdout);
  await request('initialize', {clientInfo: {name: 'test', version: '1'}});
  notify('initialized');
  const {result} = await request('thread/start', {cwd: project});
  const threadId = (result as {readonly thread: {readonly id: string}}).thread.id;
  return {
    servers: async () => {
      const {result} = await request('mcpServerStatus/list', {threadId});
      return (result as {readonly data: readonly ServerStatus[]}).data.toSorted((a, b) => a.name.localeCompare(b.name));
    },
    call: () =>
      request('mcpServer/tool/call', {threadId, server: 'platform-control-plane', tool: listing.tool, arguments: {}}),
  };
};

type ServerStatus = {readonly name: string; readonly tools: object};

const organizations = {result: {content: [{type: 'text', text: expect.stringContaining('organizations')}]}};

await describeClient(codexCli, installed => {
  testLifecycle(installed, {
    assistant: 'codex-cli',
    files: {user: '.codex/config.toml', project: '.codex/config.toml'},
    own: async (machine, scope) => {
      await machine.run(['mcp', 'add', 'mine', '--', 'node', 'server.js']);
      if (scope === 'project') moveToProject(machine, '.codex/config.toml', '.codex/config.toml');
    },
    chosen: {default_tools_approval_mode: 'prompt', required: true, supports_parallel_tool_calls: true},
  });

  const connected = async (method: string, host?: string) => {
    const machine = await machineWith(installed, host);
    await machine.connect('codex-cli', '--method', method);
    return machine;
  };

  test.for([
    ['auto', 'http_headers_helper'],
    ['bridge', 'command'],
    ['header', 'http_headers'],
  ] as const)('lists and calls the tools, method %s', async ([method, key]) => {
    const machine = await connected(method);
    expect(readFileSync(join(machine.home, '.codex', 'config.toml'), 'utf8')).toContain(`\n${key} = `);
    const codex = await startCodex(machine);
    const [controlPlane, observer] = await codex.servers();
    expect(Object.keys(controlPlane?.tools ?? {})).toContain('list_organizations');
    expect(Object.keys(observer?.tools ?? {})).toContain('query_component_logs');
    expect(await codex.call()).toMatchObject(organizations);
    expectSeen(machine, 'codex-mcp-client');
  });

  test('finds servers below localhost, whatever the system resolves', async () => {
    const machine = await connected('auto', 'api.platform.localhost');
    expect(await (await startCodex(machine)).call()).toMatchObject(organizations);
    expect(callsSeen(machine)).toEqual([['live', 200]]);
  });

  test.for(callsByMethod)('goes on when the token ends between two calls, method %s', async ([method, calls]) => {
    const machine = await connected(method);
    const codex = await startCodex(machine);
    expect(await codex.call()).toMatchObject(organizations);
    const ended = machine.endToken();
    expect(await codex.call()).toMatchObject(organizations);
    expect(callsSeen(machine, ended)).toEqual(calls);
  });

  test('starts signed out, and calls the tools in the same process once somebody has signed in, by the bridge', async () => {
    const machine = await connected('bridge');
    const signIn = machine.signOut();
    const codex = await startCodex(machine);
    const [before] = await codex.servers();
    expect(Object.keys(before?.tools ?? {})).toEqual(['sign_in']);
    signIn();
    await expect.poll(() => codex.call(), {timeout: 30_000}).toMatchObject(organizations);
  });

  test('waits for trust in the folder of a project, as the diagnosis says', async () => {
    const machine = await machineWith(installed);
    await machine.connect('codex-cli', '--scope', 'project', '--method', 'bridge');
    const list = async () => (await machine.run(['mcp', 'list', '--json'])).stdout;
    expect(await list()).not.toContain('platform-control-plane');
    expect(await machine.diagnosis()).toMatchObject({verdict: 'warning', sentence: expect.stringContaining('trust')});
    machine.write('.codex/config.toml', `[projects."${machine.project}"]\ntrust_level = "trusted"\n`);
    expect(await list()).toContain('platform-control-plane');
    expect(await machine.diagnosis()).toMatchObject({verdict: 'pass'});
  });
});
