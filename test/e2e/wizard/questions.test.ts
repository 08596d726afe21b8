import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import {platformForTest} from '../support/platform.ts';
import {reservedPort} from '../support/ports.ts';
import {surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {choose, goTo, openSetup} from '../support/wizard.ts';

const oneLine = (screen: string) => screen.replaceAll(/\s+/g, ' ');

test('a new person reads first what this is, that changes are reviewed, and what was found', async () => {
  const {home, env} = surroundingsForTest();
  mkdirSync(join(home, '.cursor'), {recursive: true});
  writeFileSync(join(home, '.cursor', 'mcp.json'), '{}');
  const {flags} = await platformForTest();
  const terminal = openSetup(flags, {env: {...env, HOME: home}, columns: 100, rows: 30});
  const screen = oneLine(await terminal.waitFor('Use this deployment'));
  expect(screen).toContain('Finds your platform, signs you in and connects your AI assistants.');
  expect(screen).toContain('You review every change to a file before it is made.');
  expect(screen).toMatch(/Project .* Assistants Cursor /);
});

test('plain http to a host that was named is a question, and allowed only by a choice', async () => {
  const url = 'http://api.setup-test.invalid:8080';
  const terminal = openSetup(['--control-plane-url', url, '--auth-url', url, '--observer-url', 'none']);
  const screen = await terminal.waitFor('Send tokens to api.setup-test.invalid without encryption?');
  expect(screen).toContain('❯ Quit');
  expect(screen).not.toMatch(/--[a-z]/);
  await choose(terminal, 'Allow it this time');
  // The call now happens.
  await terminal.waitFor(/could not be\s+resolved/);
});

test('a proxy that is down is replaced without a flag, and its password stays out of sight', async () => {
  const {ready} = await platformForTest();
  const proxy = `http://127.0.0.1:${await reservedPort()}`;
  const url = 'http://api.setup-test.invalid:8080';
  const network = ['--proxy', proxy, '--allow-http', 'api.setup-test.invalid'];
  const terminal = openSetup([...network, '--control-plane-url', url, '--auth-url', url, '--observer-url', 'none'], {
    rows: 30,
  });
  await terminal.waitFor('Use another proxy');
  expect(terminal.screen()).not.toMatch(/--[a-z]/);
  await choose(terminal, 'Use another proxy');
  await terminal.waitFor('Proxy, such as');
  terminal.press('nonsense://', 'enter');
  await terminal.waitFor('looks like http://proxy.example.com:3128');
  terminal.press('ctrl-u', `http://ann:canary-secret@127.0.0.1:${new URL(ready.authUrl).port}`, 'enter');
  // The server at that address is not a proxy, which is another failure than a closed port.
  await terminal.until('Another failure', () => (/nothing is listening/.test(terminal.screen()) ? undefined : true));
  expectWithout(terminal.screen(), 'canary-secret');
});

test('who signed in again reads that everything works, and nothing to restart', async () => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const {home, env} = surroundings;
  const project = join(home, 'project');
  mkdirSync(project);
  const {clientId, secret} = clientOf(platform.ready, 'client_secret_post');
  const known = {...env, CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
  const first = openSetup(
    [...platform.flags, '--project', project, '--sign-in', 'service-account', '--assistants', 'generic'],
    {env: known, rows: 40},
  );
  await first.waitFor('Use this deployment');
  first.press('enter');
  await first.waitFor('enter write');
  first.press('enter');
  await first.waitFor('.mcp.json is ready for your assistant');
  first.press('enter');
  expect(await first.exit).toBe(0);
  // Hints that are no longer of use disappear.
  expect(first.screen()).toContain('✔ .mcp.json is ready');
  expect(first.screen()).not.toMatch(/enter leave|● Review/);

  const again = openSetup(['--project', project], {env: known, rows: 40});
  await again.waitFor('Check and renew');
  again.press('enter');
  const screen = await again.waitFor('Everything works. Every entry is up to date.');
  expect(screen).not.toContain('Restart the client');
  again.press('enter');
  expect(await again.exit).toBe(0);
});

test('what is left in the middle leaves a clean screen', async () => {
  const {flags} = await platformForTest();
  const terminal = openSetup(flags);
  await goTo(terminal, 'sign-in');
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(130);
  expect(terminal.screen()).not.toMatch(/How do you want to sign in|enter continue/);
  expect(terminal.screen()).toContain('Progress saved (no secrets). Run npx setup to continue.');
});
