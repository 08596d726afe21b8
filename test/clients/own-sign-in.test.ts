import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {connect} from 'node:tls';
import {expect, onTestFinished, test} from 'vitest';
import type {SandboxOptions} from '../../src/sandbox/sandbox.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {proxyForTest} from '../e2e/support/proxy.ts';
import {runSetup, surroundingsForTest} from '../e2e/support/run.ts';
import {navigate, signInAt} from '../support/browser.ts';
import {clientOf} from '../support/platform.ts';
import {openTerminal} from '../support/terminal/terminal.ts';
import {claudeCode, openCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {type Installed, pathWith} from './support/install.ts';
import {runProgram} from './support/program.ts';

const TIMEOUT = 60_000;

const person = {username: 'developer@openchoreo.dev', password: 'Dev@123'};

/** A client whose entries leave its sign-in to it, at an installation that made a client for assistants. */
const machineWith = async (
  {client, bin}: Installed,
  assistant: string,
  {env: more, faults = []}: Pick<SandboxOptions, 'faults'> & {readonly env?: Readonly<Record<string, string>>} = {},
) => {
  const platform = await platformForTest({platform: 'openchoreo', release: '1.2', faults});
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
  return {run, open};
};

/** The file of the certificate that a server shows. */
const authorityOf = async (url: string, directory: string): Promise<string> => {
  const {hostname, port} = new URL(url);
  const socket = connect({host: '127.0.0.1', port: Number(port), servername: hostname, rejectUnauthorized: false});
  await once(socket, 'secureConnect');
  const path = join(directory, 'authority.pem');
  writeFileSync(path, socket.getPeerX509Certificate()?.toString() ?? '');
  socket.destroy();
  return path;
};

/** Signs a person in at the address that a client shows, and takes the answer to where it listens. */
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
    // It does not know names below localhost, and a proxy does.
    const {url} = await proxyForTest();
    const {run, open} = await machineWith(installed, 'opencode', {env: {HTTP_PROXY: url, NO_PROXY: '127.0.0.1'}});
    const terminal = open('mcp', 'auth', 'platform-control-plane');
    await follow(terminal);
    expect(await terminal.exit).toBe(0);
    expect((await run('mcp', 'list')).stdout).toMatch(/✓ platform-control-plane/);
  });
});
