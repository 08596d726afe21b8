import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {claudeCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen, expectSeen} from './support/expect-seen.ts';
import {testLifecycle} from './support/lifecycle.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {testOfferedTools} from './support/offered-tools.ts';
import {afterSigningIn, CLOSING, callsByMethod, modelAfterSigningIn, modelWithTwoCalls} from './support/two-calls.ts';

const entryIn = ({home}: Machine) =>
  JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')).mcpServers['platform-control-plane'];

/** Runs one prompt, answered by a model of the test. */
const converse = (machine: Machine, {url}: {readonly url: string}, search: 'false' | 'true' = 'false') =>
  machine.run(['-p', 'Begin.', '--allowedTools', 'mcp__platform-control-plane'], {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Gives the model all tools at once, not after a search, unless a test is about that.
    ENABLE_TOOL_SEARCH: search,
  });

await describeClient(claudeCode, installed => {
  testOfferedTools(installed, 'claude-code', (machine, url) => converse(machine, {url}, 'true'));

  testLifecycle(installed, {
    assistant: 'claude-code',
    files: {user: '.claude.json', project: '.mcp.json'},
    own: ({run}, scope) => run(['mcp', 'add', '-s', scope, 'mine', '--', 'node', 'server.js']),
    chosen: {alwaysLoad: true, timeout: 5000, tools: ['list_organizations']},
  });

  test.for([
    ['auto', 'headersHelper'],
    ['bridge', 'command'],
    ['header', 'headers'],
  ] as const)('lists the tools of both servers, method %s', async ([method, key]) => {
    const machine = await machineWith(installed);
    await machine.connect('claude-code', '--method', method);
    expect(entryIn(machine)).toHaveProperty(key);
    const {code, stdout} = await machine.run(['mcp', 'list']);
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringMatching(/control-plane: .* ✔ Connected/)});
    expect(stdout).toMatch(/observability: .* ✔ Connected/);
    expectSeen(machine, 'claude-code');
    const agents = machine.servers.controlPlane.seen().map(({userAgent}) => userAgent);
    // The bridge sends its own user agent. The helper for the second server sends requests of its own about the first
    // server's token.
    const own = expect.stringContaining(`claude-code/${claudeCode.version}`);
    const isOwn = (agent: string | undefined) => method === 'bridge' || agent !== 'platform-setup';
    const others = agents.filter(isOwn);
    expect(others).toEqual(others.map(() => (method === 'bridge' ? 'platform-setup' : own)));
    expect(others).not.toEqual([]);
  });

  test('finds servers below localhost, whatever the system resolves', async () => {
    const machine = await machineWith(installed, 'api.platform.localhost');
    await machine.connect('claude-code');
    expect(await machine.run(['mcp', 'list'])).toMatchObject({code: 0});
    expectSeen(machine, 'claude-code');
  });

  test.for(callsByMethod)('goes on when the token ends between two calls, method %s', async ([method, calls]) => {
    const machine = await machineWith(installed);
    await machine.connect('claude-code', '--method', method);
    const model = await modelWithTwoCalls(machine);
    const {code, stdout} = await converse(machine, model);
    expect({code, stdout}).toEqual({code: 0, stdout: `${CLOSING}\n`});
    expect(callsSeen(machine, model.ended())).toEqual(calls);
    expect(model.results()).toEqual([expect.stringContaining('"default'), expect.stringContaining('"default')]);
  });

  test('starts signed out, and has the tools in the same conversation once somebody has signed in, by the bridge', async () => {
    const machine = await machineWith(installed);
    await machine.connect('claude-code', '--method', 'bridge');
    const model = await modelAfterSigningIn(machine);
    const {code, stdout} = await converse(machine, model);
    expect({code, stdout}).toEqual({code: 0, stdout: `${CLOSING}\n`});
    expect(model.results()).toEqual(afterSigningIn);
  });

  test('waits for trust and approval of what a project names, as the diagnosis says', async () => {
    const machine = await machineWith(installed);
    await machine.connect('claude-code', '--scope', 'project', '--method', 'bridge');
    const list = async () => (await machine.run(['mcp', 'list'])).stdout;
    const remember = (project: object) =>
      machine.write('.claude.json', JSON.stringify({projects: {[machine.project]: project}}));
    expect(await list()).toContain('Pending approval');
    expect(await machine.diagnosis()).toMatchObject({verdict: 'warning', sentence: expect.stringContaining('trust')});
    remember({hasTrustDialogAccepted: true});
    expect(await list()).toContain('Pending approval');
    expect(await machine.diagnosis()).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringContaining('approve'),
    });
    const enabledMcpjsonServers = ['platform-control-plane', 'platform-observability'];
    remember({hasTrustDialogAccepted: true, enabledMcpjsonServers});
    expect(await list()).toContain('✔ Connected');
    expect(await machine.diagnosis()).toMatchObject({verdict: 'pass'});
  });
});
