import {readFile} from 'node:fs/promises';
import {expect, onTestFinished, test} from 'vitest';
import {openTerminal} from '../../support/terminal/terminal.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {isRefused, reservedPort, sandboxPorts} from '../support/ports.ts';
import {startSetup, surroundingsForTest} from '../support/run.ts';
import {openSetup} from '../support/wizard.ts';

/** Starts a sandbox in a terminal, and waits until it is ready. */
const openSandbox = async (...flags: readonly string[]) => {
  const redirect = ['--redirect-uri', `http://127.0.0.1:${await reservedPort()}/auth-callback`];
  const terminal = openSetup(['sandbox', '--port', '0', ...redirect, ...flags], {columns: 200, rows: 50});
  await terminal.waitFor('Press Ctrl-C to stop it.');
  return terminal;
};

test('by the keyboard: one by its name, the rest by Enter; Press Ctrl-C to stop it as ever', async () => {
  const terminal = await openSandbox('--fault', 'expired-certificate,observer-missing,no-pkce');
  const screen = await terminal.waitFor('Press Enter to fix everything');
  const ports = sandboxPorts(screen);
  expect(await Promise.all(ports.map(isRefused))).toContain(true);

  terminal.press('no-pkc', 'enter');
  await terminal.waitFor('There is no fault called no-pkc. In force: observer-missing, expired-certificate, no-pkce.');
  terminal.press('no-pkce', 'enter');
  await terminal.waitFor('Fixed: no-pkce. Not fixed: observer-missing, expired-certificate.');
  terminal.press('enter');
  const mended = await terminal.waitFor(/Fixed: observer-missing, expired-certificate\. Not fixed: self-signed \(.*\)/);
  for (const port of ports) expect(await isRefused(port)).toBe(false);
  const [, file = ''] = /export NODE_EXTRA_CA_CERTS='(.+?)'/.exec(mended) ?? [];
  expect(await readFile(file, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/);

  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(0);
  for (const port of ports) expect(await isRefused(port)).toBe(true);
  await expect(readFile(file)).rejects.toMatchObject({code: 'ENOENT'});
});

test('roles are given by the keyboard, where they count', async () => {
  const terminal = await openSandbox('--release', '1.2');
  expect(terminal.screen()).toContain('To give a role: bind CLAIM VALUE');
  terminal.press('bind sub mcp_client project shop', 'enter');
  await terminal.waitFor(
    'Bound: an account whose sub is mcp_client has the role that allows everything in project shop.',
  );
  expect((await openSandbox()).screen()).not.toContain('To give a role');
});

test('is not offered where there is nothing to mend', async () => {
  expect((await openSandbox()).screen()).not.toContain('Enter');
  expect((await openSandbox('--fault', 'self-signed')).screen()).not.toContain('Enter');
});

test('nor in the background, where who reads from the terminal is stopped', async () => {
  const redirect = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
  const args = [launcher, 'sandbox', '--port', '0', '--redirect-uri', redirect, '--fault', 'mcp-401'];
  // Job control is on for people only, so the script turns it on.
  // `ps` is in its usual place.
  const {env} = surroundingsForTest();
  const script = 'set -m; "$@" & trap "kill $!" INT; wait; wait';
  const terminal = openTerminal('/bin/sh', ['-c', script, 'sh', process.execPath, ...args], {
    env: {...env, PATH: `${env.PATH}:/usr/bin:/bin`},
  });
  onTestFinished(() => terminal.close());
  expect(await terminal.waitFor('Press Ctrl-C to stop it.')).not.toContain('Enter');
  terminal.press('enter');
  const [gateway = 0] = sandboxPorts(terminal.screen());
  expect(await isRefused(gateway)).toBe(false);
  terminal.press('ctrl-c');
  await terminal.exit;
  expect(await isRefused(gateway)).toBe(true);
});

test('nor over a pipe, whose lines and end it does not care about, nor with --json', async () => {
  const sandbox = startSetup(['sandbox', '--port', '0', '--fault', 'mcp-401'], {stdin: '\n'});
  const [text] = await sandbox.prints(/^([\s\S]*)Press Ctrl-C to stop it/);
  expect(text).not.toContain('Enter');
  sandbox.kill('SIGTERM');
  const {code, stdout, stderr} = await sandbox.ended;
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).not.toContain('ended:');

  const inTerminal = openSetup(['sandbox', '--port', '0', '--fault', 'mcp-401', '--json'], {columns: 4000});
  await inTerminal.waitFor('"type":"ready"');
  inTerminal.press('enter');
  inTerminal.press('ctrl-c');
  expect(await inTerminal.exit).toBe(0);
  expect(inTerminal.transcript()).not.toMatch(/Enter|ended:/);
});
