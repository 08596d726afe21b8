import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {clientThat, serverThat} from '../../bridge/eras/support.ts';
import {away} from '../../bridge/support/bridge.ts';
import {mcpServer} from '../../bridge/support/mcp-server.ts';
import {clientOf} from '../../support/platform.ts';
import {hasRoles} from '../../support/release.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {startBridge} from '../support/bridge.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';

const good = () => ({obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000});

/** Sets up a home in which the sandbox's service account is signed in, and a function that signs in there again. */
const signedInAtSandbox = async (faults: readonly FaultName[] = []) => {
  const {ready, flags} = await platformForTest({faults});
  const surroundings = surroundingsForTest();
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const login = async () => {
    const args = ['login', '--client-credentials', ...flags, '--client-id', clientId, '--client-secret-stdin'];
    expect(await runSetup(args, {surroundings, stdin: `${secret}\n`})).toMatchObject({code: 0});
  };
  await login();
  return {surroundings, login};
};

describe('the SDK’s client behind the bridge', () => {
  /** Starts the bridge with only the home in its environment, as some assistants do. */
  const connect = async (server: string, setupHome: string, mode: 'legacy' | 'modern') => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'mcp', 'serve', server],
      env: {SETUP_HOME: setupHome},
      stderr: 'pipe',
    });
    const options = mode === 'modern' ? {versionNegotiation: {mode: {pin: '2026-07-28'}}} : {};
    const client = new Client({name: 'test', version: '1'}, options as object);
    onTestFinished(() => client.close());
    await client.connect(transport);
    return client;
  };

  test('lists and calls the tools of both servers, in both eras', async () => {
    const {surroundings} = await signedInAtSandbox();
    const {setupHome} = surroundings;
    const listing = hasRoles ? 'list_namespaces' : 'list_organizations';
    for (const mode of ['legacy', 'modern'] as const) {
      const controlPlane = await connect('control-plane', setupHome, mode);
      expect((await controlPlane.listTools()).tools.map(({name}) => name)).toContain(listing);
      const result = await controlPlane.callTool({name: listing, arguments: {}});
      expect(result.isError ?? false).toBe(false);
      const observer = await connect('observability', setupHome, mode);
      expect((await observer.listTools()).tools.length).toBeGreaterThan(3);
    }
  });
});

describe('a client and a server that share no revision of MCP', () => {
  test.each([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ] as const)('are translated (%s, %s)', async (how, server) => {
    const {origin} = await serverThat(server);
    const {options} = signedIn(origin, good());
    const bridge = startBridge(['control-plane'], options.surroundings);
    const {client, transport} = await clientThat(how, bridge);
    await client.connect(transport);
    expect(client.getInstructions()).toBe('Ask me.');
    expect(await client.callTool({name: 'echo', arguments: {}})).toMatchObject({structuredContent: {era: server}});
    bridge.stdin.end();
    expect(await bridge.ended).toEqual({code: 0, signal: null, stderr: ''});
  });
});

describe('servers that lose things', () => {
  const listing = {name: hasRoles ? 'list_namespaces' : 'list_organizations', arguments: {}};
  const listChanged = {jsonrpc: '2.0', method: 'notifications/tools/list_changed'};

  test('a session that is forgotten again and again costs no call, and the assistant hears of it', async () => {
    const {surroundings} = await signedInAtSandbox(['mcp-forgets']);
    const bridge = startBridge(['control-plane'], surroundings);
    await bridge.initialize();
    for (let n = 0; n < 12; n += 1) {
      expect(await bridge.request('tools/call', listing)).toMatchObject({result: {content: [{type: 'text'}]}});
    }
    expect(bridge.messages().filter(({method}) => method === listChanged.method).length).toBeGreaterThan(3);
  });

  test('a call that broke off is not repeated, and says that it may have run', async () => {
    const {surroundings} = await signedInAtSandbox(['mcp-breaks-off']);
    const bridge = startBridge(['control-plane'], surroundings);
    await bridge.initialize();
    const {error} = await bridge.request('tools/call', listing);
    expect(error.message).toMatch(/may have gone through/);
    expect(error.message).not.toMatch(/[Tt]ry again/);
    expect(await bridge.request('tools/list')).toHaveProperty('result');
  });
});

describe('the process', () => {
  test('stays without a sign-in, says what to run, and works once that is done', async () => {
    const {surroundings, login} = await signedInAtSandbox();
    const bridge = startBridge(['control-plane'], surroundings);
    expect(await bridge.initialize()).toHaveProperty('result');
    expect(await runSetup(['logout'], {surroundings})).toMatchObject({code: 0});
    const {error} = await bridge.request('tools/call', {name: 'list_organizations', arguments: {}});
    expect(error).toMatchObject({message: expect.stringContaining(launcher), data: {code: 'auth-sign-in-required'}});
    await login();
    expect(await bridge.request('ping')).toHaveProperty('result');
    bridge.stdin.end();
    expect(await bridge.ended).toEqual({code: 0, signal: null, stderr: ''});
  });

  test('stays also where nothing is set up, and where the context is not there', async () => {
    const nowhere = startBridge(['control-plane'], surroundingsForTest());
    const said = expect.stringMatching(/^Nothing is set up yet\. Run `.*setup\.js --setup-home .*`\.$/);
    expect(await nowhere.initialize()).toMatchObject(away('auth-sign-in-required', said));
    const {options} = signedIn('http://idp.acme.localhost:8080', good());
    const other = startBridge(['control-plane', '--context', 'other'], options.surroundings);
    const unknown = expect.stringMatching(
      /^There is no context called other\. Known: acme\. Set it up: `.*--context other/,
    );
    expect(await other.initialize()).toMatchObject(away('input-invalid', unknown));
    expect([nowhere.isRunning(), other.isRunning()]).toEqual([true, true]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends by %s, with its session, as a success', async signal => {
    const server = await mcpServer();
    const {options} = signedIn(server.origin, good());
    const bridge = startBridge(['control-plane'], options.surroundings);
    await bridge.initialize();
    bridge.kill(signal);
    expect(await bridge.ended).toEqual({code: 0, signal: null, stderr: ''});
    expect(server.sessions.size).toBe(0);
  });

  test('ends when nobody reads any more, with its session, as a success', async () => {
    const server = await mcpServer();
    const {options} = signedIn(server.origin, good());
    const bridge = startBridge(['control-plane'], options.surroundings);
    await bridge.initialize();
    bridge.stdout.destroy();
    bridge.notify('x/y');
    bridge.send('{"jsonrpc":"2.0","id":"e","method":"echo"}');
    expect(await bridge.ended).toMatchObject({code: 0, signal: null});
    expect(server.sessions.size).toBe(0);
  });

  test('wants a server that there is', async () => {
    for (const args of [[], ['nope']]) {
      const run = await runSetup(['mcp', 'serve', ...args]);
      expect(run).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('control-plane or observability'),
      });
    }
  });

  test('has help', async () => {
    expect(await runSetup(['mcp', 'serve', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('setup mcp serve control-plane|observability'),
    });
  });
});
