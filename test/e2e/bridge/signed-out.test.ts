import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {promisify} from 'node:util';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import type {Json} from '../../bridge/support/mcp-server.ts';
import {developer, navigate, signInAt} from '../../support/browser.ts';
import {contextAt} from '../../support/context.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {startBridge} from '../support/bridge.ts';
import {type Platform, platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';
import {storeIn} from '../support/store.ts';

const run = promisify(execFile);

const listChanged = ({method}: Json) => method === 'notifications/tools/list_changed';
const namesIn = ({result}: Json): readonly string[] => result.tools.map(({name}: Json) => name);
const textIn = ({result}: Json): string => result.content[0].text;
const addressIn = (text: string): string => /^https?:\/\/\S+\/oauth2\/authorize\?\S+$/m.exec(text)?.[0] ?? '';

/** Sets up a home with a deployment that is set up and signed out. */
const signedOutOf = ({ready, redirectUri}: Platform) => {
  const {store, options} = signedIn(ready.authUrl);
  const {controlPlaneUrl, observerUrl, baseDomain} = ready;
  const context: Context = {...contextAt(ready.authUrl), controlPlaneUrl, observerUrl, baseDomain, redirectUri};
  const {accessToken: _, refreshToken: __, ...kept} = store.only();
  store.put(context, kept);
  return {store, ...options};
};

/** Returns the command in a sentence, as a person copies it. */
const commandIn = (sentence: string): string => /`([^`]+)`/.exec(sentence)?.[1] ?? '';

test('in an empty home it starts, offers sign_in, and says the command that sets up', async () => {
  const surroundings = surroundingsForTest();
  const bridge = startBridge(['control-plane'], surroundings);
  const {result} = await bridge.initialize();
  expect(result).toMatchObject({serverInfo: {name: 'platform-setup'}, capabilities: {tools: {listChanged: true}}});
  expect(namesIn(await bridge.request('tools/list'))).toEqual(['sign_in']);
  const called = await bridge.request('tools/call', {name: 'sign_in', arguments: {}});
  expect(called.result.isError).toBe(true);
  const command = commandIn(textIn(called));
  expect(result.instructions).toContain(command);
  const {stdout} = await run('sh', ['-c', `${command} --help`], {cwd: '/', env: {PATH: '/usr/bin:/bin'}});
  expect(stdout).toContain('Set up, step by step');
  expect(command).toContain(`--setup-home ${surroundings.setupHome}`);
});

test('a deployment that is set up later in a terminal brings its tools to the same process', async () => {
  const {flags} = await platformForTest();
  const surroundings = surroundingsForTest();
  const bridge = startBridge(['control-plane'], surroundings);
  await bridge.initialize();
  expect(namesIn(await bridge.request('tools/list'))).toEqual(['sign_in']);
  const platform = await platformForTest();
  const [client] = platform.ready.clients.filter(one => one.tokenEndpointAuthMethod === 'client_secret_post');
  const args = ['login', '--client-credentials', ...platform.flags, '--client-id', client?.clientId ?? ''];
  const stdin = `${client?.clientSecret}\n`;
  expect(flags).not.toEqual(platform.flags);
  expect(await runSetup([...args, '--client-secret-stdin'], {surroundings, stdin})).toMatchObject({code: 0});
  await bridge.until(listChanged);
  expect(namesIn(await bridge.request('tools/list')).length).toBeGreaterThan(5);
});

test('a sign-in by the tool, in a browser, brings the real tools, and is one that every command has', async () => {
  const platform = await platformForTest();
  const {surroundings, store} = signedOutOf(platform);
  const bridge = startBridge(['control-plane'], surroundings);
  await bridge.initialize();
  expect(namesIn(await bridge.request('tools/list'))).toEqual(['sign_in']);
  const observer = startBridge(['observability'], surroundings);
  await observer.initialize();

  const said = textIn(await bridge.request('tools/call', {name: 'sign_in', arguments: {}}));
  const page = await navigate(await signInAt(addressIn(said), developer));
  expect(page).toMatchObject({status: 200, text: expect.stringContaining('You are signed in')});
  await bridge.until(listChanged);
  expect(namesIn(await bridge.request('tools/list'))).not.toContain('sign_in');
  // Another bridge in the same home sees it too.
  await observer.until(listChanged);
  expect(namesIn(await observer.request('tools/list')).length).toBeGreaterThan(3);

  const kept = {account: expect.stringContaining('developer'), refreshToken: expect.any(String)};
  // The replaced sign-in is removed last.
  await expect.poll(() => store.credentials()).toMatchObject([kept]);
  const status = await runSetup(['status'], {surroundings});
  expect(status).toMatchObject({code: 0, stdout: expect.stringContaining('developer')});
  bridge.stdin.end();
  const stderr = expect.stringMatching(/^You are signed out of acme\. Run .*\n$/);
  expect(await bridge.ended).toEqual({code: 0, signal: null, stderr});
});

test('the command in what it says signs in, in any directory and without its variables', async () => {
  const {surroundings} = signedOutOf(await platformForTest());
  const {SETUP_HOME: _, ...env} = surroundings.env;
  const bridge = startBridge(['control-plane', '--setup-home', surroundings.setupHome], {...surroundings, env});
  const {result} = await bridge.initialize();
  const command = commandIn(result.instructions);
  expect(command).toContain('login --context acme');
  const login = spawn('/bin/sh', ['-c', `${command} --no-browser`], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const isOver = once(login, 'exit');
  onTestFinished(() => void login.kill());
  let printed = '';
  login.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await expect.poll(() => addressIn(printed), {timeout: 10_000}).not.toBe('');
  await navigate(await signInAt(addressIn(printed), developer));
  await bridge.until(listChanged);
  expect(await isOver).toEqual([0, null]);
  expect(namesIn(await bridge.request('tools/list')).length).toBeGreaterThan(5);
});

/** The finding of a diagnosis about a port that an assistant's sign-in gives up. */
const portLent = {id: 'callback-port', verdict: 'pass', saw: expect.stringContaining('yours will replace it')};

test('a sign-in in a terminal gets the port of the one that an assistant began', async () => {
  const platform = await platformForTest();
  const {surroundings} = signedOutOf(platform);
  const bridge = startBridge(['control-plane'], surroundings);
  const {result} = await bridge.initialize();
  const call = async () => textIn(await bridge.request('tools/call', {name: 'sign_in', arguments: {}}));
  const before = addressIn(await call());
  const doctor = await runSetup(['doctor', '--json', '--redirect-uri', platform.redirectUri], {surroundings});
  const checks = doctor.stdout.split('\n').flatMap(line => (line ? [JSON.parse(line)] : []));
  if (process.platform === 'linux') expect(checks).toContainEqual(expect.objectContaining(portLent));
  const login = spawn('/bin/sh', ['-c', `${commandIn(result.instructions)} --no-browser`], {
    ...{cwd: '/', env: surroundings.env, stdio: ['ignore', 'pipe', 'inherit']},
  });
  onTestFinished(() => void login.kill());
  const isOver = once(login, 'exit');
  let printed = '';
  login.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await expect.poll(() => addressIn(printed), {timeout: 10_000}).not.toBe('');
  expect(addressIn(printed)).not.toBe(before);
  expect(await call()).toContain('which needs the same port, so this sign-in was stopped');
  await navigate(await signInAt(addressIn(printed), developer));
  await bridge.until(listChanged);
  expect(await isOver).toEqual([0, null]);
});

describe('the SDK’s client', () => {
  test('asks its person to open the address, and lists the tools anew when they have come', async () => {
    const platform = await platformForTest();
    const {surroundings} = signedOutOf(platform);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'mcp', 'serve', 'control-plane'],
      env: {SETUP_HOME: surroundings.setupHome},
      stderr: 'pipe',
    });
    const {promise: isChanged, resolve: changed} = Promise.withResolvers<readonly string[]>();
    const client = new Client({name: 'test', version: '1'}, {
      capabilities: {elicitation: {url: {}}},
      listChanged: {
        tools: {
          onChanged: (_: unknown, tools: readonly {name: string}[] | null) =>
            changed((tools ?? []).map(one => one.name)),
        },
      },
    } as object);
    onTestFinished(() => client.close());
    client.setRequestHandler('elicitation/create', async ({params}: Json) => {
      signInAt(params.url, developer).then(navigate);
      return {action: 'accept'};
    });
    await client.connect(transport);
    expect(client.getInstructions()).toContain('You are signed out of acme.');
    expect((await client.listTools()).tools.map(({name}) => name)).toEqual(['sign_in']);
    const result = await client.callTool({name: 'sign_in', arguments: {}});
    expect(result).toMatchObject({isError: false, content: [{text: expect.stringContaining('Signed in to acme as')}]});
    expect((await isChanged).length).toBeGreaterThan(5);
  });
});

test('an entry whose bridge stands in for its server is no entry that works', async () => {
  const platform = await platformForTest();
  const {surroundings, store} = signedOutOf(platform);
  const {listToolsByCommand} = await import('../../../src/flows/platform-tools/list-tools.ts');
  const {portsIn} = await import('../../support/place.ts');
  const {signal} = new AbortController();
  const args = [launcher, 'mcp', 'serve', 'control-plane', '--setup-home', store.directory];
  const entry = {kind: 'command', command: process.execPath, args, env: {}} as const;
  await expect(
    listToolsByCommand(entry, portsIn(storeIn(surroundings.setupHome).directory), signal),
  ).rejects.toMatchObject({
    code: 'auth-sign-in-required',
    message: expect.stringContaining('You are signed out of acme.'),
  });
});
