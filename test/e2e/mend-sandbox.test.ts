import {readFile} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {isRefused, reservedPort, sandboxPorts} from './support/ports.ts';
import {startSetup} from './support/run.ts';
import {openSetup} from './support/wizard.ts';

/** A sandbox in a terminal, ready. */
const openSandbox = async (...flags: readonly string[]) => {
  const redirect = ['--redirect-uri', `http://127.0.0.1:${await reservedPort()}/auth-callback`];
  const terminal = openSetup(['sandbox', '--port', '0', ...redirect, ...flags], {columns: 200, rows: 50});
  await terminal.waitFor('Ctrl-C ends it.');
  return terminal;
};

test('by the keyboard: one by its name, the rest by Enter; Ctrl-C ends it as ever', async () => {
  const terminal = await openSandbox('--fault', 'expired-certificate,observer-missing,no-pkce');
  const screen = await terminal.waitFor('Enter mends it');
  const ports = sandboxPorts(screen);
  expect(await Promise.all(ports.map(isRefused))).toContain(true);

  terminal.press('no-pkc', 'enter');
  await terminal.waitFor(
    'There is nothing called no-pkc to mend. In force: observer-missing, expired-certificate, no-pkce.',
  );
  terminal.press('no-pkce', 'enter');
  await terminal.waitFor('Mended: no-pkce. Not mended: observer-missing, expired-certificate.');
  terminal.press('enter');
  const mended = await terminal.waitFor(
    /Mended: observer-missing, expired-certificate\. Not mended: self-signed \(.*\)/,
  );
  for (const port of ports) expect(await isRefused(port)).toBe(false);
  const [, file = ''] = /export NODE_EXTRA_CA_CERTS='(.+?)'/.exec(mended) ?? [];
  expect(await readFile(file, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/);

  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(0);
  for (const port of ports) expect(await isRefused(port)).toBe(true);
  await expect(readFile(file)).rejects.toMatchObject({code: 'ENOENT'});
});

test('is not offered where there is nothing to mend', async () => {
  expect((await openSandbox()).screen()).not.toContain('Enter');
  expect((await openSandbox('--fault', 'self-signed')).screen()).not.toContain('Enter');
});

test('nor over a pipe, whose lines and end it does not care about, nor with --json', async () => {
  const sandbox = startSetup(['sandbox', '--port', '0', '--fault', 'mcp-401'], {stdin: '\n'});
  const [text] = await sandbox.prints(/^([\s\S]*)Ctrl-C ends it/);
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
