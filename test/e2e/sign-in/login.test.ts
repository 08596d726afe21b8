import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import type {Page} from 'playwright-core';
import {describe, expect, test, vi} from 'vitest';
import {decide} from '../../sandbox/identity/device.ts';
import {developer} from '../../support/browser.ts';
import {clientOf} from '../../support/platform.ts';
import {modeOf} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {isRefused} from '../support/ports.ts';
import {expectPromptOnOwnLine, expectRestored} from '../support/restored.ts';
import {jsonLines, lastLine, runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {chromiumPath, noChromium, openPage, signInOn} from '../support/sign-in/chromium.ts';
import {addressFrom, addressIn, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {storeIn} from '../support/store.ts';
import {openSetup} from '../support/wizard.ts';

const account = 'developer@platform.example';

describe('in a terminal, with a real browser', () => {
  test.skipIf(chromiumPath === undefined)(
    `a person signs in${chromiumPath ? '' : ` (left out: ${noChromium})`}`,
    async () => {
      const platform = await platformForTest();
      const terminal = openSetup(['login', '--no-browser', ...platform.flags], {columns: 100, rows: 30});
      const {page, requests, complaints} = await openPage();
      await signInOn(page, await addressIn(terminal), developer);
      await expectResultPage(page);
      // The browser's last request is the answer itself.
      expect(requests.filter(url => url.startsWith(platform.redirectUri))).toEqual([page.url()]);
      expect(requests.at(-1)).toBe(page.url());
      expect(complaints).toEqual([]);

      await terminal.waitFor(`You are signed in to the platform as ${account}`);
      terminal.press('enter');
      expect(await terminal.exit).toBe(0);
      expectRestored(terminal);
      expectPromptOnOwnLine(terminal);
      expect(await isRefused(platform.port)).toBe(true);

      const {only, credentialsPath, directory} = storeIn(terminal.setupHome);
      expect([modeOf(directory), modeOf(credentialsPath)]).toEqual([0o700, 0o600]);
      const {accessToken = '', refreshToken = '', ...kept} = only();
      expect(kept).toMatchObject({issuer: platform.ready.authUrl, clientId: 'platform-cli', account});
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      expectWithout(terminal.raw(), accessToken, refreshToken, code);
    },
  );
});

/** Checks the last page: its text, its contrast in light and dark mode, and that it fits a phone. */
const expectResultPage = async (page: Page) => {
  expect(await page.innerText('body')).toMatch(
    /^You are signed in\s+Your sign-in has arrived\. .*\s+You can close this window\.$/,
  );
  const styleOf = (name: string) =>
    page.evaluate<string>(`getComputedStyle(document.body).getPropertyValue('${name}')`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({colorScheme});
    const [ink, paper] = await Promise.all([styleOf('color'), styleOf('background-color')]);
    expect(contrast(ink, paper), colorScheme).toBeGreaterThan(7);
    expect(luminance(paper) < 0.5, colorScheme).toBe(colorScheme === 'dark');
  }
  await page.setViewportSize({width: 390, height: 700});
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
};

/** Returns the contrast of two colours as `rgb(…)` (WCAG 2.2, 1.4.3). */
const contrast = (...colours: readonly [string, string]) => {
  const [dark = 0, light = 0] = colours.map(luminance).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
};

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(text => {
    const share = Number(text) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

describe('without a terminal', () => {
  test('--json says where to sign in, and who did', async () => {
    const {flags, ready} = await platformForTest();
    const surroundings = surroundingsForTest();
    const store = storeIn(surroundings.setupHome);
    const run = startSetup(['login', '--json', '--no-browser', ...flags], {surroundings});
    const [line] = await run.prints(/^.*"sign-in-waiting".*$/m);
    const {url} = JSON.parse(line);
    await signInAndReturn(url);

    const {code, stdout, stderr} = await run.ended;
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(lastLine(stdout)).toMatchObject({type: 'done', account, issuer: ready.authUrl});
    const {accessToken = '', refreshToken = ''} = store.only();
    expect(modeOf(store.credentialsPath)).toBe(0o600);
    expectWithout(stdout, accessToken, refreshToken);
    expect(jsonLines(stdout).filter(({type}) => type === 'sign-in-waiting')).toHaveLength(1);
  });

  test('--acr-values and --max-age ask for the sign-in that a server demands', async () => {
    const {flags} = await platformForTest();
    const surroundings = surroundingsForTest();
    const {contexts} = storeIn(surroundings.setupHome);
    const demanded = ['--acr-values', 'gold silver', '--max-age', '0'];
    const run = startSetup(['login', '--no-browser', ...demanded, ...flags], {surroundings});
    const address = await addressFrom(run);
    const {searchParams} = new URL(address);
    expect([searchParams.get('acr_values'), searchParams.get('max_age')]).toEqual(['gold silver', '0']);
    await signInAndReturn(address);
    expect(await run.ended).toMatchObject({code: 0, stderr: ''});
    // The maximum age applies to this sign-in only, so it is not saved.
    expect(contexts()[0]?.asks).toEqual({acrValues: 'gold silver'});
  });

  test('the address stands alone on its line', async () => {
    const {flags} = await platformForTest();
    const run = startSetup(['login', '--no-browser', ...flags]);
    await signInAndReturn(await addressFrom(run));
    const {code, stdout, stderr} = await run.ended;
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(/\nSigned in as developer@platform\.example\n/);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s while it waits ends it, frees the port and writes nothing',
    async signal => {
      const {flags, port} = await platformForTest();
      const surroundings = surroundingsForTest();
      const store = storeIn(surroundings.setupHome);
      const run = startSetup(['login', '--no-browser', ...flags], {surroundings});
      await addressFrom(run);
      run.kill(signal);
      expect(await run.ended).toMatchObject({code: 130});
      expect(await isRefused(port)).toBe(true);
      expect(store.exists()).toBe(false);
    },
  );
});

test('without a terminal and without a browser it fails at once, with what to pass', async () => {
  const {flags} = await platformForTest();
  const {code, stdout, stderr} = await runSetup(['login', '--json', ...flags]);
  expect({code, stderr}).toEqual({code: 2, stderr: ''});
  const {remedy} = lastLine(stdout);
  expect(lastLine(stdout)).toMatchObject({type: 'failed', code: 'input-required'});
  expect(remedy).toMatch(/--client-credentials.*--no-browser/);
  expect(remedy).not.toContain('--device');
  expect(stdout).not.toContain('sign-in-waiting');
});

describe('in two runs, for who cannot keep a program running', () => {
  const begin = async (...more: readonly string[]) => {
    const {flags, ready} = await platformForTest({extras: ['device']});
    const surroundings = surroundingsForTest();
    const store = storeIn(surroundings.setupHome);
    const run = (...args: readonly string[]) => runSetup(['login', ...args], {surroundings});
    const begun = await run('--no-wait', ...more, ...flags);
    return {begun, run, ready, store, surroundings};
  };

  test('--no-wait --json prints what a person opens, and --resume finishes it without any other flag', async () => {
    const {begun, run, ready, store, surroundings} = await begin('--json');
    expect(begun).toMatchObject({code: 0, stderr: ''});
    const asked = lastLine(begun.stdout);
    expect(asked).toMatchObject({
      type: 'sign-in-pending',
      verificationUri: expect.stringContaining(ready.authUrl),
      userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      interval: expect.any(Number),
      resume: 'npx setup login --resume',
    });
    expect(modeOf(store.credentialsPath)).toBe(0o600);
    const {deviceCode, verifier} = JSON.parse(store.only().pendingSignIn ?? '');
    expectWithout(begun.stdout, deviceCode, verifier);

    const early = await run('--resume', '--no-wait', '--json');
    expect(early.code).toBe(75);
    // A person who comes back after a while is reminded of it.
    const {userCode, verificationUri} = asked;
    const reminded = await runSetup(['status'], {surroundings});
    expect(reminded.stdout).toContain(`enter ${userCode} at ${verificationUri}`);
    expect(reminded.stdout).toContain('npx setup login --resume');
    const {signInPending} = JSON.parse((await runSetup(['status', '--json'], {surroundings})).stdout);
    expect(signInPending).toMatchObject({userCode, verificationUri, resume: 'npx setup login --resume'});
    expect(lastLine(early.stdout)).toMatchObject({type: 'failed', code: 'auth-sign-in-pending'});

    await decide(ready, {confirm: 'yes'}, developer, String(asked.userCode));
    const {code, stdout, stderr} = await run('--resume', '--json');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(lastLine(stdout)).toMatchObject({type: 'done', account});
    const {pendingSignIn, refreshToken = ''} = store.only();
    expect(pendingSignIn).toBeUndefined();
    expectWithout(stdout, refreshToken);
    expect((await runSetup(['status'], {surroundings})).stdout).not.toContain('--resume');
    expect(await run('--resume')).toMatchObject({code: 4, stderr: expect.stringContaining('login --no-wait')});
  });

  test('logout drops a code that nobody has typed, where there is nothing else to sign out of', async () => {
    const {run, store, surroundings} = await begin();
    const left = await runSetup(['logout'], {surroundings});
    expect(left).toMatchObject({code: 0, stderr: '', stdout: expect.stringContaining('was cancelled')});
    expect(store.credentials()).toEqual([]);
    expect(await run('--resume')).toMatchObject({code: 4, stderr: expect.stringContaining('login --no-wait')});
    expect((await runSetup(['logout'], {surroundings})).stderr).toContain('Nothing is set up yet.');
  });

  test('a code that is declined is gone', async () => {
    const {begun, run, ready, store} = await begin();
    const [, code = ''] = /type the code:\n\n([A-Z-]+)\n/.exec(begun.stdout) ?? [];
    expect(begun.stdout).toMatch(/\nThen finish it: npx setup login --resume\n$/);
    await decide(ready, {abort: 'yes'}, developer, code);
    expect(await run('--resume')).toMatchObject({code: 4, stderr: expect.stringContaining('was declined')});
    expect(store.credentials()).toEqual([]);
  });

  test('where there is no sign-in by a code, it says what else there is', async () => {
    const {flags} = await platformForTest();
    const {code, stderr} = await runSetup(['login', '--no-wait', ...flags]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/doesn’t offer sign-in with a code\. .*RFC 8628.*--client-credentials.*--no-browser/);
    // What it advises works there and then: each command leads to the same platform.
    const [named = ''] = flags.filter(flag => /^https?:/.test(flag));
    expect(stderr.match(/npx setup login [^),]*/g)?.filter(line => !line.includes(named))).toEqual([]);
  });
});

test('by a code that is typed into a browser anywhere', async () => {
  const {flags, ready} = await platformForTest({extras: ['device']});
  const run = startSetup(['login', '--device', ...flags]);
  const [, code = ''] = await run.prints(/type the code:\n\n([A-Z]{4}-[A-Z]{4})\n/);
  await decide(ready, {confirm: 'yes'}, developer, code);
  const {code: exit, stdout, stderr} = await run.ended;
  expect({exit, stderr}).toEqual({exit: 0, stderr: ''});
  expect(stdout).toContain(`Signed in as ${account}\n`);
});

test('a code signs a person in, also where a service account is saved', async () => {
  const {flags, ready} = await platformForTest({extras: ['device']});
  const surroundings = surroundingsForTest();
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const env = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
  expect(await runSetup(['login', '--client-credentials', ...flags], {surroundings, env})).toMatchObject({code: 0});
  const run = startSetup(['login', '--device'], {surroundings});
  const [, code = ''] = await run.prints(/type the code:\n\n([A-Z]{4}-[A-Z]{4})\n/);
  await decide(ready, {confirm: 'yes'}, developer, code);
  expect(await run.ended).toMatchObject({code: 0, stderr: '', stdout: expect.stringContaining(account)});
});

test.each([
  [['--device', '--client-credentials'], '--device signs in a person, but --client-credentials signs in a client.'],
  [
    ['--no-wait', '--sign-in', 'mcp-client'],
    '--no-wait signs in a person, but --sign-in mcp-client signs in a client.',
  ],
])('%s name two ways to sign in, and it says so', async (flags, said) => {
  const {code, stderr} = await runSetup(['login', ...flags]);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
});

/** Makes the program believe that it is outside of a container, because it opens no browser inside one. */
const outsideOfContainer = `--import=data:text/javascript,${encodeURIComponent(`
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
const {existsSync} = fs;
fs.existsSync = path => !/^\\/(\\.dockerenv|run\\/\\.containerenv)$/.test(path) && existsSync(path);
syncBuiltinESMExports();
`)}`;

test.runIf(process.platform === 'linux')('the browser’s opener is of PATH, and what it starts as well', async () => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const {env, temporary} = surroundings;
  const said = join(temporary, 'said');
  const write = (path: string, script: string) => writeFile(path, `#!/bin/sh\n${script}\n`, {mode: 0o755});
  await write(join(temporary, 'xdg-open'), `echo hostile >> '${said}'`);
  await write(join(env.PATH ?? '', 'xdg-open'), `echo "$PATH" >> '${said}'; echo "$1" >> '${said}'`);
  const PATH = ['', '.', env.PATH].join(delimiter);
  startSetup(['login', '--json', ...platform.flags], {
    surroundings,
    env: {PATH, DISPLAY: ':0', NODE_OPTIONS: outsideOfContainer},
  });
  const lines = async () => (existsSync(said) ? await readFile(said, 'utf8') : '').trimEnd().split('\n');
  await vi.waitFor(async () => expect(await lines()).toHaveLength(2), 10_000);
  expect(await lines()).toEqual([env.PATH, expect.stringContaining(platform.ready.authUrl)]);
});
