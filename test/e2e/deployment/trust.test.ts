import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {flagsFor} from '../support/sandbox.ts';
import {storeIn} from '../support/store.ts';
import {choose, openSetup, reaches} from '../support/wizard.ts';

/** Starts a platform with an untrusted certificate, and the wizard for it. */
const atStranger = async () => {
  const sandbox = startSetup(['sandbox', '--port', '0', '--fault', 'self-signed', '--json']);
  onTestFinished(async () => {
    sandbox.kill('SIGTERM');
    await sandbox.ended;
  });
  const ready = JSON.parse((await sandbox.prints(/^\{.*\}\n/))[0]);
  const surroundings = surroundingsForTest();
  const {setupHome, temporary, home, env} = surroundings;
  const project = join(home, 'project');
  mkdirSync(project);
  const client = ready.clients.find(({tokenEndpointAuthMethod}: {tokenEndpointAuthMethod: string}) =>
    tokenEndpointAuthMethod.endsWith('post'),
  );
  const known = {CLI_CLIENT_ID: client.clientId, CLI_CLIENT_SECRET: client.clientSecret};
  const terminal = openSetup([...flagsFor(ready), '--project', project], {env: {...env, ...known}, rows: 45});
  await terminal.waitFor('Do you trust this authority?');
  return {ready, surroundings, temporary, terminal, store: storeIn(setupHome)};
};

test('an authority that the person trusts is kept with the deployment, and trusted from then on', async () => {
  const {terminal, store, surroundings} = await atStranger();
  expect(terminal.screen()).toMatch(
    /Certificate authority: Sandbox platform\n\s*SHA-256 fingerprint\s+([0-9A-F]{2}:){31}[0-9A-F]{2}\n\s*Valid until 2/,
  );
  expect(terminal.screen()).toContain('❯ Quit');
  await choose(terminal, 'Trust it for this platform');
  await reaches(terminal, 'deployment');
  terminal.press('enter');
  await reaches(terminal, 'sign-in');
  terminal.press('enter');
  await reaches(terminal, 'assistants');
  expect(terminal.screen()).toMatch(/Network +certificate authority you trusted/);
  terminal.press('enter');
  await reaches(terminal, 'review');
  terminal.press('enter');
  await reaches(terminal, 'done');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  expect(store.contexts()[0]?.network).toEqual({authority: {pem: expect.stringContaining('BEGIN CERTIFICATE')}});
  store.expireAll();
  expect(await runSetup(['token'], {surroundings})).toMatchObject({code: 0, stderr: ''});
});

test('an authority is read from a file, and from no file that is not there', async () => {
  const {terminal, temporary, ready} = await atStranger();
  const path = join(temporary, 'authority.pem');
  await choose(terminal, 'Trust an authority from a file');
  await terminal.waitFor('Path of the file');
  terminal.press(path, 'enter');
  await terminal.waitFor('cannot be read');
  writeFileSync(path, ready.authority);
  await choose(terminal, 'Try again');
  await reaches(terminal, 'deployment');
});

test('a path that leads nowhere leaves every other way to trust, and stands there again', async () => {
  const {terminal} = await atStranger();
  await choose(terminal, 'Trust an authority from a file');
  await terminal.waitFor('Path of the file');
  terminal.press('/nope/ca.pem', 'enter');
  await terminal.waitFor('cannot be read');
  await terminal.waitFor('Choose again whom to trust');
  terminal.press('esc');
  const screen = await terminal.waitFor('Do you trust this authority?');
  expect(screen).toMatch(/SHA-256 fingerprint\s+([0-9A-F]{2}:){31}/);
  expect(screen).toContain('Trust the cluster’s authority');
  await choose(terminal, 'Trust an authority from a file');
  await terminal.waitFor('/nope/ca.pem');
  terminal.press('esc');
  await choose(terminal, 'Trust it for this platform');
  await reaches(terminal, 'deployment');
});

test('a cluster that cannot be asked leaves the question open', async () => {
  const {terminal} = await atStranger();
  await choose(terminal, 'Trust the cluster’s authority');
  await terminal.waitFor('could not be read from the cluster');
  terminal.press('ctrl-c');
  expect(await terminal.exit).toBe(130);
});

test('without a terminal, who signed stands in the error', async () => {
  const sandbox = startSetup(['sandbox', '--port', '0', '--fault', 'self-signed', '--json']);
  const ready = JSON.parse((await sandbox.prints(/^\{.*\}\n/))[0]);
  const {code, stderr} = await runSetup(['--yes', '--sign-in', 'service-account', ...flagsFor(ready)]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/Certificate authority: Sandbox platform\nSHA-256 fingerprint ([0-9A-F]{2}:){31}/);
  sandbox.kill('SIGTERM');
  await sandbox.ended;
});
