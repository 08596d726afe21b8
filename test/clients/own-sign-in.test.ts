import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {connect} from 'node:tls';
import {expect, onTestFinished, test, vi} from 'vitest';
import {copilotCli as copilot} from '../../src/assistants/catalogue/copilot-cli.ts';
import type {SandboxOptions} from '../../src/sandbox/sandbox.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {proxyForTest} from '../e2e/support/proxy.ts';
import {runSetup, surroundingsForTest} from '../e2e/support/run.ts';
import {navigate, signInAt} from '../support/browser.ts';
import {clientOf} from '../support/platform.ts';
import {openTerminal} from '../support/terminal/terminal.ts';
import {claudeCode, copilotCli, openCode} from './support/clients.ts';
import {modelAt} from './support/copilot-model.ts';
import {describeClient} from './support/describe-client.ts';
import {type Installed, pathWith} from './support/install.ts';
import {runProgram} from './support/program.ts';

const TIMEOUT = 60_000;

const person = {username: 'developer@openchoreo.dev', password: 'Dev@123'};

/** The client of the platform's own CLI, for which the operators register redirect URLs. */
const CLI_CLIENT = 'openchoreo-cli';

type Options = Pick<SandboxOptions, 'faults'> & {
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The redirect URL that the operators have registered for the platform's own CLI. If set, the entries name its
   * client.
   */
  readonly registered?: string;
};

/** Sets up a machine whose entries leave the sign-in to the client, at an installation with a client for assistants. */
const machineWith = async (
  {client, bin}: Installed,
  assistant: string,
  {env: more, faults = [], registered}: Options = {},
) => {
  const redirect = registered === undefined ? {} : {redirectUri: registered};
  const platform = await platformForTest({platform: 'openchoreo', release: '1.2', faults, ...redirect});
  platform.bind({claim: 'groups', value: 'developers'});
  const surroundings = surroundingsForTest();
  const authority = faults.length > 0 ? await authorityOf(platform.ready.authUrl, surroundings.home) : undefined;
  const trust = authority === undefined ? {} : {NODE_EXTRA_CA_CERTS: authority};
  const env = {...surroundings.env, PATH: pathWith(bin), ...trust, ...more};
  const {clientId, secret} = clientOf(platform.ready, 'client_secret_basic');
  const signIn = ['--sign-in', 'mcp-client', '--client-id', clientId, '--client-secret-stdin'];
  const chosen = [
    '--assistants',
    assistant,
    '--method',
    'oauth',
    ...(authority === undefined ? [] : ['--ca-file', authority]),
    ...(registered === undefined ? [] : ['--oauth-client-id', CLI_CLIENT]),
  ];
  const {code} = await runSetup(['--yes', ...platform.flags, ...signIn, ...chosen], {
    surroundings,
    stdin: `${secret}\n`,
  });
  expect(code).toBe(0);
  const program = join(bin, client.command);
  const run = (...args: readonly string[]) =>
    runProgram(program, args, {cwd: surroundings.home, env, timeout: TIMEOUT});
  const open = (...args: readonly string[]) => {
    const terminal = openTerminal(program, args, {columns: 800, env, cwd: surroundings.home});
    onTestFinished(() => terminal.close());
    return terminal;
  };
  return {run, open, home: surroundings.home};
};

/** Writes the certificate that a server presents to a file, and returns its path. */
const authorityOf = async (url: string, directory: string): Promise<string> => {
  const {hostname, port} = new URL(url);
  const socket = connect({host: '127.0.0.1', port: Number(port), servername: hostname, rejectUnauthorized: false});
  await once(socket, 'secureConnect');
  const path = join(directory, 'authority.pem');
  writeFileSync(path, socket.getPeerX509Certificate()?.toString() ?? '');
  socket.destroy();
  return path;
};

/** Signs a person in at the address that a client shows, and opens the redirect to the client. */
const follow = async (terminal: ReturnType<typeof openTerminal>) => {
  const found = () => /https?:\S+\/oauth2\/authorize\S+/.exec(terminal.screen())?.[0];
  const address = await terminal.until('the address', found, TIMEOUT);
  await navigate(await signInAt(address, person));
};

await describeClient(claudeCode, installed => {
  test('signs its person in by itself, by the entry that was written', async () => {
    const {run, open} = await machineWith(installed, 'claude-code', {faults: ['self-signed']});
    expect((await run('mcp', 'list')).stdout).toMatch(/control-plane: .* Needs authentication/);
    const terminal = open('mcp', 'login', 'platform-control-plane');
    await follow(terminal);
    expect(await terminal.exit).toBe(0);
    expect((await run('mcp', 'list')).stdout).toMatch(/control-plane: .* ✔ Connected/);
  });
});

await describeClient(openCode, installed => {
  test('signs its person in by itself, by the entry that was written', async () => {
    // OpenCode does not resolve names below localhost, but a proxy does.
    const {url} = await proxyForTest();
    const {run, open} = await machineWith(installed, 'opencode', {env: {HTTP_PROXY: url, NO_PROXY: '127.0.0.1'}});
    const terminal = open('mcp', 'auth', 'platform-control-plane');
    await follow(terminal);
    expect(await terminal.exit).toBe(0);
    expect((await run('mcp', 'list')).stdout).toMatch(/✓ platform-control-plane/);
  });
});

await describeClient(copilotCli, installed => {
  test('signs its person in by itself, by the entries that were written, where its redirect URL is registered', async () => {
    // The client does not resolve names below localhost, but a proxy does.
    const {url} = await proxyForTest();
    const {directory, opened} = browserForTest();
    const env = {...modelAt('http://127.0.0.1:9'), HTTP_PROXY: url, NO_PROXY: '127.0.0.1', DISPLAY: ':0'};
    const registered = copilot.redirects?.[0] ?? expect.fail('It has a redirect URL.');
    const {open, home} = await machineWith(installed, 'copilot-cli', {
      env: {...env, PATH: `${directory}${delimiter}${pathWith(installed.bin)}`},
      registered,
    });
    writeFileSync(join(home, '.copilot', 'config.json'), JSON.stringify({trusted_folders: [home]}));
    const terminal = open();
    // One server after the other, because both answers arrive at the same port.
    for (const count of [1, 2]) {
      await vi.waitFor(() => expect(opened()).toHaveLength(count), TIMEOUT);
      await navigate(await signInAt(opened().at(-1) ?? '', person));
    }
    terminal.press('/mcp show platform-control-plane');
    await terminal.waitFor('/mcp show platform-control-plane');
    terminal.press('enter');
    await terminal.waitFor('list_');
  });
});

/** Creates a program that replaces the one that opens a browser, and records the addresses. */
const browserForTest = () => {
  const directory = mkdtempSync(join(tmpdir(), 'browser-'));
  onTestFinished(() => rmSync(directory, {recursive: true}));
  const log = join(directory, 'opened');
  writeFileSync(log, '');
  writeFileSync(join(directory, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${log}'\n`, {mode: 0o755});
  return {directory, opened: () => readFileSync(log, 'utf8').split('\n').filter(Boolean)};
};
