import {readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {temporaryDirectory} from '../../support/place.ts';
import {serve} from '../../support/server.ts';
import {reservedPort} from '../support/ports.ts';
import {lastLine, runSetup, surroundingsForTest} from '../support/run.ts';
import {type Ready, startSandboxWith} from '../support/sandbox.ts';
import {addressIn, signInAndReturn, waits} from '../support/sign-in/sign-in.ts';
import {choose, openSetup, reaches, toReview} from '../support/wizard.ts';

/** Reads the company file from the documentation, as an administrator would copy it. */
const documented = (): string => {
  const page = readFileSync(new URL('../../../docs/company-file.md', import.meta.url), 'utf8');
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  return json;
};

/** Starts a sandbox that is the platform of the documented company file, on this machine and on ports of the test. */
const startAcme = async () => {
  const ports = {gateway: await reservedPort(), observer: await reservedPort(), callback: await reservedPort()};
  const text = documented().replaceAll('acme.example.com', 'acme.localhost').replace('8090', String(ports.callback));
  const file = JSON.parse(text) as {readonly platform: object};
  // Below `localhost`, the file says on which ports the platform is.
  const platform = {...file.platform, ports: {gateway: ports.gateway, observer: {single: ports.observer}}};
  const path = join(await temporaryDirectory(), 'platform-setup.json');
  await writeFile(path, JSON.stringify({...file, platform}));
  const sandbox = await startSandboxWith(['--company', path, '--base-domain', 'acme.localhost']);
  onTestFinished(async () => {
    await sandbox.end('SIGTERM');
  });
  return {ready: sandbox.ready, path, ports, domain: `acme.localhost:${ports.gateway}`};
};

type Acme = Awaited<ReturnType<typeof startAcme>>;

const addressesAs = ({gateway, observer}: Acme['ports']) => ({
  controlPlaneUrl: `http://cp.acme.localhost:${gateway}`,
  authUrl: `http://login.acme.localhost:${gateway}`,
  observerUrl: `http://watch.acme.localhost:${observer}`,
});

const serviceAccount = ({clients}: Ready) => {
  const found = clients.find(({tokenEndpointAuthMethod}) => tokenEndpointAuthMethod === 'client_secret_post');
  return {CLI_CLIENT_ID: found?.clientId ?? '', CLI_CLIENT_SECRET: found?.clientSecret ?? ''};
};

/** Checks that every command that uses saved data works while the company file is out of reach. */
const worksWithoutFile = async (run: (...args: readonly string[]) => ReturnType<typeof runSetup>) => {
  expect(await run('status')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Contact            #platform-help'),
  });
  expect(await run('token', '--renew')).toMatchObject({code: 0, stderr: ''});
  const doctor = await run('doctor', '--json');
  expect(doctor.code, doctor.stdout).toBe(0);
  expect((await run('component', 'list')).stdout).toContain('greeter-service');
  const listed = await run('mcp', 'list', '--json');
  expect(listed.stdout).toContain('acme-telemetry');
  expect(listed.stdout).not.toContain('missing');
};

test('the wizard sets up a platform with other names by its base domain alone, in a terminal', async () => {
  const acme = await startAcme();
  // Nothing answers at the first base domain, so the person types another.
  const nowhere = `nothing.localhost:${await reservedPort()}`;
  const terminal = openSetup(['--no-browser', '--base-domain', nowhere], {rows: 40});
  await choose(terminal, 'Another base domain');
  await terminal.waitFor('Base domain, or any address');
  terminal.press('\u0015', acme.domain, 'enter');

  const asked = await terminal.waitFor('Use the company file of Acme Platform?');
  for (const shown of ['#platform-help', 'cp.acme.localhost', 'login.acme.localhost', 'acme-cli', 'tools build']) {
    expect(asked).toContain(shown);
  }
  terminal.press('enter');
  const deployment = await terminal.waitFor('Use this deployment');
  expect(deployment).toContain(addressesAs(acme.ports).observerUrl);
  terminal.press('enter');
  await terminal.waitFor('❯ In the browser');
  terminal.press('enter');
  const url = await addressIn(terminal);
  expect(new URL(url).host).toBe(`login.acme.localhost:${acme.ports.gateway}`);
  expect(new URL(url).searchParams.get('client_id')).toBe('acme-cli');
  await terminal.waitFor(waits);
  await signInAndReturn(url);
  await toReview(terminal);
  terminal.press('enter');
  await reaches(terminal, 'done');
  terminal.press('enter');
  expect(await terminal.exit).toBe(0);
  const env = {HOME: terminal.home, SETUP_HOME: terminal.setupHome};
  await worksWithoutFile((...args) => runSetup(args, {env}));
});

test('a file that is named is a question in lines that stay, too, and nothing else is asked before it', async () => {
  const acme = await startAcme();
  const terminal = openSetup(['--accessible', '--platform', acme.path], {rows: 60});
  await terminal.waitFor(/Control plane: cp\.acme\.localhost[\s\S]*1\. Use it[\s\S]*2\. Go on without it[\s\S]*\n> ?$/);
  expect(terminal.raw()).not.toContain('Looking for your platform');
  terminal.press('enter');
  await terminal.waitFor(/1\. Use this deployment[\s\S]*\n> ?$/);
  expect(terminal.screen()).toContain(addressesAs(acme.ports).controlPlaneUrl);
});

test.each([80, 40])('what it changes can be read in %i columns', async columns => {
  const acme = await startAcme();
  const terminal = openSetup(['--platform', acme.path], {columns, rows: 24});
  const screen = await terminal.waitFor('Go on without it');
  for (const shown of ['Use the company file of Acme', 'cp.acme.localhost', 'acme-cli', 'tools build']) {
    expect(screen).toContain(shown);
  }
});

describe('without a terminal', () => {
  const words = ['--yes', '--json', '--sign-in', 'service-account', '--assistants', 'generic'];

  test('a file that is named says where the platform is', async () => {
    const acme = await startAcme();
    const surroundings = surroundingsForTest();
    const env = serviceAccount(acme.ready);
    const run = (...args: readonly string[]) => runSetup(args, {surroundings, env});
    const done = await run(...words, '--platform', acme.path);
    expect(lastLine(done.stdout), done.stdout).toMatchObject({type: 'done', ...addressesAs(acme.ports)});
    await worksWithoutFile(run);
    // A second run uses the saved data.
    expect(lastLine((await run(...words, '--base-domain', acme.domain)).stdout)).toMatchObject({type: 'done'});
  });

  test('one that is found counts where nothing answers without it, once that is accepted', async () => {
    const acme = await startAcme();
    const env = serviceAccount(acme.ready);
    const run = (...args: readonly string[]) => runSetup(args, {env});
    const flags = ['--sign-in', 'service-account', '--assistants', 'generic', '--base-domain', acme.domain];
    const refused = await run('--json', ...flags);
    expect(lastLine(refused.stdout)).toMatchObject({type: 'failed', code: 'input-required'});
    const done = await run('--yes', ...flags);
    expect(done).toMatchObject({code: 0, stdout: expect.stringContaining('Company file of Acme Platform: http://')});
  });

  test('a file that was written from the platform is the one that it was made by', async () => {
    const acme = await startAcme();
    const {controlPlaneUrl, observerUrl} = addressesAs(acme.ports);
    const where = ['--control-plane-url', controlPlaneUrl, '--observer-url', observerUrl];
    const output = join(await temporaryDirectory(), 'new.json');
    const init = ['platform', 'init', '--base-domain', acme.domain, ...where, '--output', output];
    expect(await runSetup(init)).toMatchObject({code: 0, stderr: ''});
    const {labels, cliClient} = JSON.parse(documented()).platform;
    const {gateway, observer} = acme.ports;
    expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual({
      ...{schemaVersion: 1, name: 'the platform', baseDomain: 'acme.localhost', extends: 'bundled'},
      platform: {
        labels: {...labels},
        ports: {gateway, observer: {single: observer}},
        cliClient,
      },
    });
    expect(await runSetup(init)).toMatchObject({code: 2, stderr: expect.stringContaining('already exists')});
    // The addresses alone name the base domain, if they share one.
    const byAddresses = await runSetup(['platform', 'init', ...where]);
    expect(JSON.parse(byAddresses.stdout)).toEqual(JSON.parse(readFileSync(output, 'utf8')));
    const byOne = await runSetup([
      'platform',
      'init',
      '--control-plane-url',
      controlPlaneUrl,
      '--observer-url',
      'none',
    ]);
    expect(byOne).toMatchObject({code: 2, stdout: '', stderr: expect.stringContaining('--base-domain')});
    const checked = await runSetup(['platform', 'check', output, '--base-domain', 'acme.localhost']);
    expect(checked).toMatchObject({code: 0, stdout: expect.stringContaining(observerUrl)});
    // The address is the one at which the wizard looks, with its scheme and port.
    const published = `You can publish it at http://acme.localhost:${gateway}/.well-known/platform-setup.json`;
    expect(checked.stdout).toContain(published);
  });
});

describe('a company file that means harm', () => {
  const acme = {schemaVersion: 1, name: 'Acme', baseDomain: 'acme.localhost', extends: 'bundled'};

  test.each([
    ['names another host', {platform: {callbackUrl: 'FOREIGN'}}, 'input-company-file-host'],
    ['leads to it by a label', {platform: {labels: {'identity-provider': 'FOREIGN/'}}}, 'input-company-file-field'],
    ['leads to it by a path', {platform: {paths: {token: '//foreign.localhost'}}}, 'input-company-file-field'],
    ['is of another base domain', {baseDomain: 'foreign.localhost'}, 'input-company-file-elsewhere'],
    ['has a secret', {clientSecret: 'canary'}, 'input-company-file-secret'],
    ['is too large', {contact: 'x'.repeat(70_000)}, 'input-company-file-large'],
  ])('and %s is refused, and nobody is asked there', async (_what, change, code) => {
    let asked = 0;
    const foreign = await serve((_, response) => {
      asked += 1;
      response.end('{}');
    }, 'foreign.localhost');
    const contents = JSON.stringify({...acme, ...change}).replaceAll('FOREIGN', foreign);
    const origin = await serve((request, response) => {
      const isFile = request.url === '/.well-known/platform-setup.json';
      response.writeHead(isFile ? 200 : 404).end(isFile ? contents : '');
    }, 'acme.localhost');
    const words = ['--yes', '--json', '--sign-in', 'service-account', '--base-domain', new URL(origin).host];
    const env = {CLI_CLIENT_ID: 'ci', CLI_CLIENT_SECRET: 'a-secret'};

    const named = await runSetup([...words, '--platform', `${origin}/.well-known/platform-setup.json`], {env});
    expect(named.code).toBe(2);
    expect(lastLine(named.stdout)).toMatchObject({type: 'failed', code});
    expect(named.stdout).not.toContain('canary');

    const found = await runSetup(words, {env});
    expect(found.stdout).toContain(`The company file is not used (${code})`);
    expect(lastLine(found.stdout)).toMatchObject({type: 'failed', code: 'platform-no-such-endpoint'});
    expect(found.stdout).not.toContain('canary');
    expect(asked).toBe(0);
  });

  test.each([
    ['not JSON', {status: 200, body: '{"schemaVersion": 1,'}, 'input-company-file-syntax'],
    ['a redirect', {status: 302, body: ''}, 'input-company-file-redirect'],
    ['nothing', {status: 404, body: ''}, 'input-company-file-missing'],
  ])('and is %s is refused', async (_what, {status, body}, code) => {
    let asked = 0;
    const foreign = await serve((_, response) => {
      asked += 1;
      response.end(JSON.stringify(acme));
    });
    const origin = await serve((_, response) => response.writeHead(status, {Location: foreign}).end(body));
    const {code: exit, stdout} = await runSetup(['--yes', '--json', '--platform', `${origin}/file.json`]);
    expect(exit).toBe(2);
    expect(lastLine(stdout)).toMatchObject({type: 'failed', code});
    expect(asked).toBe(0);
  });
});
