import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {createsClients} from '../../support/release.ts';
import type {Terminal} from '../../support/terminal/terminal.ts';
import {type Platform, platformForTest} from '../support/platform.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {storeIn} from '../support/store.ts';
import {choose, openSetup, reaches} from '../support/wizard.ts';

const serviceAccount = ({ready}: Platform) => {
  const client = ready.clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_post');
  if (!client?.clientSecret) throw new Error('The sandbox has no service account.');
  return {clientId: client.clientId, clientSecret: client.clientSecret};
};

/** The screens in order, with the actions that lead from each one to the next. */
const steps: Readonly<Record<string, {shows: string; goOn(terminal: Terminal, platform: Platform): Promise<void>}>> = {
  deployment: {
    shows: 'Use this deployment',
    goOn: async terminal => terminal.press('enter'),
  },
  'sign-in': {
    shows: 'With a service account',
    goOn: terminal => choose(terminal, 'With a service account'),
  },
  client: {
    shows: 'Client secret',
    goOn: async (terminal, platform) => {
      const {clientId, clientSecret} = serviceAccount(platform);
      // The client ID from before is saved, and is in the field again.
      if (!terminal.screen().includes(clientId)) {
        terminal.press(clientId);
        await terminal.waitFor(clientId);
        terminal.press('enter');
      }
      await terminal.waitFor(/❯ *\n/);
      terminal.press(clientSecret);
      await terminal.waitFor('•••');
      terminal.press('enter');
    },
  },
  assistants: {
    shows: 'Which assistants',
    goOn: async terminal => terminal.press('enter'),
  },
  review: {
    shows: 'These files will change',
    goOn: async terminal => terminal.press('enter'),
  },
};

const names = Object.keys(steps);

const walk = async (terminal: Terminal, platform: Platform, from: string, to: string) => {
  for (const name of names.slice(names.indexOf(from), names.indexOf(to))) {
    await terminal.waitFor(steps[name]?.shows ?? '');
    await steps[name]?.goOn(terminal, platform);
  }
  await terminal.waitFor(steps[to]?.shows ?? '');
};

test.each([
  // Before this screen there is no answer worth saving.
  {killed: 'sign-in', comesTo: 'sign-in', answered: 'deploymentAccepted'},
  {killed: 'client', comesTo: 'client', answered: 'service-account'},
  // A secret is not saved, so the wizard asks for it again.
  {killed: 'assistants', comesTo: 'client', answered: 'clientId'},
  {killed: 'review', comesTo: 'client', answered: 'connect'},
])('killed on the screen $killed, the next run goes on there', async ({killed, comesTo, answered}) => {
  const platform = await platformForTest();
  const {env, temporary: project, setupHome} = surroundingsForTest();
  const first = openSetup([...platform.flags, '--project', project], {env});
  await walk(first, platform, 'deployment', killed);
  const unfinished = join(setupHome, 'unfinished.json');
  // The answer is saved while the next screen is shown, not before.
  await vi.waitFor(() => expect(readFileSync(unfinished, 'utf8')).toContain(answered));
  process.kill(first.pid, 'SIGKILL');
  await first.exit;

  const second = openSetup(['--project', project], {env});
  await second.waitFor('Continue where you left off?');
  second.press('enter');
  await walk(second, platform, comesTo, 'review');
  second.press('enter');
  await reaches(second, 'done');
  await vi.waitFor(() => expect(existsSync(unfinished)).toBe(false));
  second.press('enter');
  expect(await second.exit).toBe(0);
  expect(existsSync(join(project, '.mcp.json'))).toBe(true);
  const {clientSecret} = serviceAccount(platform);
  expectWithout(first.raw() + second.raw(), clientSecret, storeIn(setupHome).only().accessToken ?? '');
});

test('what was ticked and set before the question was answered is there again', async () => {
  const platform = await platformForTest();
  const {env, temporary: project, home} = surroundingsForTest();
  for (const name of ['.cursor', '.windsurf']) mkdirSync(join(home, name));
  writeFileSync(join(home, '.cursor', 'mcp.json'), '{}');
  const first = openSetup([...platform.flags, '--project', project], {env});
  await walk(first, platform, 'deployment', 'assistants');
  await first.waitFor(/◉ Cursor/);
  first.press('s');
  await first.waitFor(/Scope +this project only/);
  first.press(' ');
  await first.waitFor(/◯ Cursor/);
  first.press('ctrl-c');
  await first.exit;
  expect(first.screen()).toContain('Progress saved');

  const second = openSetup(['--project', project], {env});
  await second.waitFor('Continue where you left off?');
  second.press('enter');
  await walk(second, platform, 'client', 'assistants');
  await second.waitFor(/Scope +this project only/);
  expect(second.screen()).toMatch(/◯ Cursor/);
});

test('a run that says itself where it goes is not asked about what was left', async () => {
  const platform = await platformForTest();
  const {env} = surroundingsForTest();
  const first = openSetup(platform.flags, {env});
  await walk(first, platform, 'deployment', 'sign-in');
  first.press('ctrl-c');
  await first.exit;
  expect(first.screen()).toContain('Progress saved (no secrets)');
  const second = openSetup(platform.flags, {env});
  await second.waitFor('Use this deployment');
  expect(second.raw()).not.toContain('Continue where you left off?');
});

test.runIf(createsClients)('the same command goes on with the MCP client that the run before it created', async () => {
  const platform = await platformForTest();
  const {env} = surroundingsForTest();
  const {admin} = platform.ready;
  const first = openSetup(platform.flags, {env});
  await walk(first, platform, 'deployment', 'sign-in');
  await choose(first, 'Create an MCP client');
  await first.waitFor('Password');
  first.press(admin.username);
  await first.waitFor(`❯ ${admin.username}`);
  first.press('enter');
  await first.waitFor(/❯ *\n/);
  first.press(admin.password);
  await first.waitFor('•••');
  first.press('enter');
  await first.waitFor('Which assistants');
  first.press('ctrl-c');
  await first.exit;
  expect(first.screen()).toContain('Progress saved, with the secret of the MCP client');
  const second = openSetup(platform.flags, {env});
  await second.waitFor(/Continue where you left off +The MCP client \S+ was saved, with its secret\./);
  second.press('enter');
  await second.waitFor('Which assistants');
});

test('where nothing can be kept, nothing is said to be', async () => {
  const platform = await platformForTest();
  const {env, home} = surroundingsForTest();
  const file = join(home, 'file');
  writeFileSync(file, '');
  const terminal = openSetup(platform.flags, {env: {...env, SETUP_HOME: join(file, 'setup')}});
  await walk(terminal, platform, 'deployment', 'sign-in');
  terminal.press('ctrl-c');
  await terminal.exit;
  expect(terminal.screen()).not.toContain('Progress saved');
});

test('doctor and status look at the platform of a setup that was not finished', async () => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const first = openSetup(platform.flags, {env: surroundings.env});
  await walk(first, platform, 'deployment', 'sign-in');
  first.press('ctrl-c');
  await first.exit;

  expect((await runSetup(['status'], {surroundings})).stdout).toContain(
    'To continue your unfinished setup, run npx setup.',
  );
  await platform.raise(['idp-down']);
  const {code, stdout} = await runSetup(['doctor'], {surroundings});
  expect(stdout).toContain(`Checking ${platform.ready.controlPlaneUrl}, the platform of your unfinished setup…`);
  expect(stdout).toContain(new URL(platform.ready.authUrl).host);
  expect(code).toBe(3);
  await platform.mend();
  const mended = await runSetup(['doctor'], {surroundings});
  expect(mended.stdout).toMatch(/Set up this deployment: npx setup\.\n/);
  // A command that does not continue the setup has its redirect URL. One is printed where no browser can be opened.
  for (const login of mended.stdout.match(/npx setup login .*/g) ?? [])
    expect(login).toContain(` --redirect-uri ${platform.redirectUri}`);
  const json = await runSetup(['doctor', '--json'], {surroundings});
  // The browser would be sent back to this port, not to the platform's own.
  expect(json.stdout).toContain(String(platform.port));
});

test('who only looks and leaves does not lose what an earlier run has kept', async () => {
  const platform = await platformForTest();
  const {env, setupHome} = surroundingsForTest();
  const first = openSetup(platform.flags, {env});
  await walk(first, platform, 'deployment', 'sign-in');
  await choose(first, 'With a service account');
  await first.waitFor('Client secret');
  first.press('ctrl-c');
  await first.exit;
  const kept = () => readFileSync(join(setupHome, 'unfinished.json'), 'utf8');
  const before = kept();
  expect(before).toContain('service-account');

  const second = openSetup(platform.flags, {env});
  await second.waitFor('Use this deployment');
  second.press('ctrl-c');
  await second.exit;
  expect(kept()).toBe(before);
});

test('a platform without its observer is kept, for the next run and for doctor', async () => {
  const {ready} = await platformForTest();
  const {env, temporary, setupHome, ...others} = surroundingsForTest();
  const {host} = new URL(ready.controlPlaneUrl);
  const baseDomain = host.replace(/^api\./, '');
  const first = openSetup(['--base-domain', 'nobody.invalid'], {env});
  await choose(first, 'Another base domain');
  await first.waitFor('nobody.invalid');
  first.press('ctrl-u');
  first.press(baseDomain);
  await first.waitFor(baseDomain);
  first.press('enter');
  await first.waitFor('The observer was not found');
  first.press('ctrl-c');
  await first.exit;
  expect(first.transcript()).toContain('Progress saved (no secrets). Run npx setup to continue.');

  const surroundings = {env, temporary, setupHome, ...others};
  expect((await runSetup(['status'], {surroundings})).stdout).toContain('To continue your unfinished setup');
  const {stdout, stderr} = await runSetup(['doctor'], {surroundings});
  expect(`${stdout}${stderr}`).not.toContain('no platform was named');
  const second = openSetup([], {env});
  await second.waitFor('Continue where you left off?');
  expect(second.screen()).toContain(baseDomain);
});

test('a domain that never answered is not offered, and secrets are not spoken of before one was entered', async () => {
  const platform = await platformForTest();
  const {env, setupHome} = surroundingsForTest();
  const first = openSetup(['--base-domain', 'nobody.invalid'], {env});
  await first.waitFor(/Another base domain|Try again/);
  await choose(first, 'Another base domain');
  await first.waitFor('nobody.invalid');
  first.press('ctrl-u');
  first.press('nothing.invalid');
  await first.waitFor('nothing.invalid');
  first.press('enter');
  await first.waitFor(/Another base domain|Try again/);
  first.press('ctrl-c');
  await first.exit;
  expect(first.screen()).not.toContain('Progress saved');
  const kept = join(setupHome, 'unfinished.json');
  if (existsSync(kept)) expect(readFileSync(kept, 'utf8')).not.toContain('.invalid');

  const second = openSetup(platform.flags, {env});
  await second.waitFor('Use this deployment');
  expect(second.raw()).not.toContain('Continue where you left off?');
  await walk(second, platform, 'deployment', 'sign-in');
  second.press('ctrl-c');
  await second.exit;

  const third = openSetup([], {env});
  await third.waitFor('Continue where you left off?');
  expect(third.screen()).not.toContain('secrets');
});

test.runIf(createsClients)(
  'a client that was created is said to be saved, and nothing is asked for again',
  async () => {
    const platform = await platformForTest();
    const surroundings = surroundingsForTest();
    const {env} = surroundings;
    const first = openSetup(platform.flags, {env});
    await walk(first, platform, 'deployment', 'sign-in');
    await choose(first, 'Create an MCP client');
    await first.waitFor('Sign in as an administrator');
    const {username, password} = platform.ready.admin;
    first.press(username);
    await first.waitFor(username);
    first.press('enter');
    await first.waitFor(/❯ *\n/);
    first.press(password);
    await first.waitFor('•••');
    first.press('enter');
    await first.waitFor('Which assistants');
    first.press('ctrl-c');
    await first.exit;
    expect(first.screen().replaceAll(/\s+/g, ' ')).toMatch(
      /Progress saved, with the secret of the MCP client \S+ only\./,
    );

    const {stdout} = await runSetup(['status'], {surroundings});
    expect(stdout).toMatch(/^Nothing is set up yet\. The MCP client \S+ is saved, with its secret\. To continue, run /);

    const second = openSetup([], {env});
    await second.waitFor('Continue where you left off?');
    expect(second.screen()).not.toContain('not saved');
    expect(second.screen()).toMatch(/The MCP client \S+ was saved, with its secret/);
    second.press('enter');
    await second.waitFor('Which assistants');

    // It stays saved if the person turns to another way to sign in.
    second.press('esc');
    await choose(second, 'With a service account');
    await second.waitFor('Client secret');
    second.press('ctrl-c');
    await second.exit;
    expect((await runSetup(['status'], {surroundings})).stdout).toBe(stdout);
    const {savedClients, secretsIn} = JSON.parse((await runSetup(['status', '--json'], {surroundings})).stdout);
    expect(savedClients).toHaveLength(1);
    expect(stdout).toContain(` ${savedClients[0]} `);
    expect(secretsIn).toBe('file');
  },
);
