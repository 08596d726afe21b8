import {execFile, spawnSync} from 'node:child_process';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {jwt} from '../../flows/assistants/support/machine.ts';
import {refresh} from '../../sandbox/identity/browser.ts';
import {clientOf} from '../../support/platform.ts';
import {endsSessions} from '../../support/release.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {connected} from '../support/connected.ts';
import {filesBelow} from '../support/files.ts';
import {type Platform, platformForTest} from '../support/platform.ts';
import {reservedPort} from '../support/ports.ts';
import {runSetup, surroundingsForTest} from '../support/run.ts';
import {mcpClientSignIn} from '../support/sandbox.ts';
import {expectWithout} from '../support/secrets.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';
import {storeIn} from '../support/store.ts';
import {openSetup} from '../support/wizard.ts';

/** A mount namespace can have a read-only directory. A container may not be allowed to create one. */
const mayMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const onReadOnly = `set -e
mount --bind "$SETUP_HOME" "$SETUP_HOME"
mount -o remount,ro,bind "$SETUP_HOME"
exec "$0" "$@"`;

describe('setup logout', () => {
  test('revokes the sign-in, and leaves no secret on the machine', async () => {
    const platform = await platformForTest({extras: ['revocation']});
    const {run, store, surroundings, authorizations} = await connected(platform);
    const [context] = store.contexts();
    const {accessToken = '', refreshToken = ''} = store.only();
    expect(authorizations()).toEqual([`Bearer ${accessToken}`, `Bearer ${accessToken}`]);

    const {code, stdout, stderr} = await run('logout');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toContain('Signed out of platform. The identity provider revoked it.\n');
    expect(stdout).toContain('Its token was removed from ~/project/.mcp.json.\n');
    expect(await refresh(platform.ready, refreshToken)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});

    expect(store.contexts()).toEqual([context]);
    expect(store.credentials()).toEqual([]);
    for (const authorization of authorizations()) expect(authorization).not.toContain('eyJ');
    const left = [surroundings.home, surroundings.temporary].flatMap(filesBelow);
    expectWithout(left.map(({text}) => text).join('\n'), accessToken, refreshToken);

    const status = await run('status');
    expect(status.code).toBe(1);
    expect(status.stdout).toMatch(/^ {2}MCP JSON +signed out$/m);
    expect(status.stdout).not.toContain('Secrets are in');
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({secretsIn: null});
    expect((await run('mcp', 'list')).stdout).toMatch(/mcp\.json +signed out$/m);
    const {entries} = JSON.parse((await run('mcp', 'list', '--json')).stdout);
    expect(entries).toMatchObject([{state: 'signed-out'}, {state: 'signed-out'}]);

    expect(await run('token')).toMatchObject({code: 4, stdout: '', stderr: expect.stringContaining('Run npx setup')});
    expect(await run('logout')).toMatchObject({
      ...{code: 0, stderr: ''},
      stdout: 'Signed out of platform. There was nothing left to revoke.\n',
    });
  });

  test.skipIf(!mayMount)('revokes where nothing can be written, and names what is left', async () => {
    const platform = await platformForTest({extras: ['revocation']});
    const {store, surroundings} = await connected(platform);
    const {refreshToken = ''} = store.only();
    const {setupHome, env} = surroundings;
    const {code, stderr} = await promisify(execFile)(
      'unshare',
      ['--mount', '/bin/sh', '-c', onReadOnly, process.execPath, launcher, 'logout'],
      {env: {...env, PATH: process.env.PATH}},
    ).catch(error => error);
    expect(code).toBe(6);
    expect(stderr).toContain('The identity provider has revoked the sign-in, but secrets of it are still');
    expect(stderr).toContain(`${setupHome}/credentials.json was not written: the file system is read-only.`);
    expect(await refresh(platform.ready, refreshToken)).toMatchObject({status: 400, json: {error: 'invalid_grant'}});
  });

  test('says whether there is a page that ends the session in the browser, where that was asked for', async () => {
    const {run} = await connected(await platformForTest());
    const {code, stdout} = await run('logout', '--everywhere');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      endsSessions
        ? /\nOpen this address to end the session with \S+:\n\n\S+\/oauth2\/logout\?client_id=platform-cli\n$/
        : /offers no page that ends its session in your browser\.\n$/,
    );
  });

  test('removes everything also when the platform is gone', async () => {
    const platform = await platformForTest();
    const {run, store, surroundings, authorizations} = await connected(platform);
    const {accessToken = '', refreshToken = ''} = store.only();
    await platform.end();
    const {code, stdout, stderr} = await run('logout', '--json');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(JSON.parse(stdout)).toMatchObject({
      context: 'platform',
      revocation: 'failed',
      cleared: [expect.any(String)],
    });
    for (const authorization of authorizations()) expect(authorization).not.toContain('eyJ');
    expectWithout(
      filesBelow(surroundings.home)
        .map(({text}) => text)
        .join('\n'),
      accessToken,
      refreshToken,
    );
  });
});

const serviceAccountSignIn = (ready: Platform['ready']) => {
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const args = ['--sign-in', 'service-account', '--client-id', clientId, '--client-secret-stdin'];
  return {args, stdin: `${secret}\n`};
};

test.each([
  ['an MCP client', mcpClientSignIn],
  ['a service account', serviceAccountSignIn],
])('the only copy of the secret of %s is not removed without a word, nor without a question', async (_, signInOf) => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const {args, stdin} = signInOf(platform.ready);
  const all = ['--yes', '--assistants', 'none', ...platform.flags, ...args];
  expect(await runSetup(all, {surroundings, stdin})).toMatchObject({code: 0});
  const store = storeIn(surroundings.setupHome);
  const {clientId} = store.only();

  const terminal = openSetup(['logout'], {env: surroundings.env});
  await terminal.waitFor(`This also removes the secret of ${clientId}: if you have no other copy`);
  await terminal.waitFor('Sign out? [y/N]');
  terminal.press('n');
  terminal.press('enter');
  expect(await terminal.exit).toBe(130);
  expect(store.only()).toHaveProperty('clientSecret');

  // A program is not asked, but told.
  const {code, stdout} = await runSetup(['logout'], {surroundings});
  expect(code).toBe(0);
  expect(stdout).toContain(`The secret of ${clientId} was removed: if you have no other copy, an administrator must`);
  expect(store.credentials()).toEqual([]);
});

test('a logout that could not revoke names each token that stays valid', async () => {
  const tokens = {refreshToken: jwt(4_000_000_000), obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000};
  const {options} = signedIn(`http://127.0.0.1:${await reservedPort()}`, tokens);
  const {code, stdout} = await runSetup(['logout'], options);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /The refresh token was removed here, but stays valid for [^.]+\. The access token was removed here, but stays valid for [^.]+\.\n$/,
  );
});

describe('setup context', () => {
  test('list, use and remove', async () => {
    const {run, store} = await connected(await platformForTest());
    const [platform] = store.contexts();
    if (!platform) throw new Error('A context was expected.');
    const other = {...platform, name: 'other', issuer: 'http://idp.other.localhost:8080', entries: []};
    store.putContexts([platform, other], 'platform');

    const listed = await run('context', 'list');
    expect(listed).toMatchObject({code: 0, stderr: ''});
    expect(listed.stdout).toMatch(
      /^CURRENT +NAME +BASE DOMAIN +LAYOUT +CONTROL PLANE\n\* +platform +platform\.localhost .*\n +other +platform\.localhost .*\n$/,
    );
    store.putContexts([{...platform, layout: 'unknown'}], 'platform');
    expect((await run('context', 'list')).stdout).toMatch(/^CURRENT +NAME +BASE DOMAIN +CONTROL PLANE\n/);
    store.putContexts([platform, other], 'platform');
    expect(await run('context', 'use', 'other')).toMatchObject({
      code: 0,
      stdout: 'other is now the current deployment.\n',
    });
    const {currentContext} = JSON.parse((await run('context', 'list', '--json')).stdout);
    expect(currentContext).toBe('other');

    const refused = await run('context', 'remove', 'platform');
    expect(refused).toMatchObject({code: 2, stdout: '', stderr: expect.stringContaining('logout --context platform')});
    expect(await run('context', 'remove', 'other')).toMatchObject({code: 0, stdout: 'other was removed.\n'});
    await run('logout', '--context', 'platform');
    expect(await run('context', 'remove', 'platform')).toMatchObject({code: 0});
    expect(store.contexts()).toEqual([]);
    expect(await run('context', 'use', 'platform')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('platform'),
    });
  });
});

describe('setup status', () => {
  const HOUR = 3_600_000;
  const now = Date.now();

  test.each([
    {
      state: 'valid',
      kept: {obtainedAt: now, expiresAt: now + HOUR},
      told: {
        renewable: true,
        account: 'ann@acme.example',
        secondsLeft: expect.toSatisfy((left: number) => left > 3000),
      },
      sentence:
        /Signed in as ann@acme\.example, token valid for .*, renewed when needed[\s\S]*\n\nSecrets are in .*\.\n$/,
    },
    {
      state: 'expired',
      kept: {},
      told: {renewable: true, secondsLeft: 0},
      sentence: /Signed in as ann@acme\.example; the token has expired and is renewed when needed/,
    },
    {
      state: 'ended',
      kept: {
        // The tests before may take a minute, after which the sentence says how long ago it was.
        get refused() {
          return {at: Date.now(), reason: 'The identity provider refused it (invalid_grant).'};
        },
      },
      told: {renewable: false, reason: 'The identity provider refused it (invalid_grant).'},
      sentence: /You are signed out\. The identity provider refused it \(invalid_grant\)\. Run npx setup\./,
    },
    {
      state: 'none',
      kept: {accessToken: undefined, refreshToken: undefined},
      told: {renewable: false},
      sentence: /Not signed in\. Run npx setup\./,
    },
  ])('$state, and asks nobody', async ({state, kept, told, sentence}) => {
    const issuer = `http://127.0.0.1:${await reservedPort()}`;
    const {options} = signedIn(issuer, kept as Partial<Credentials>);
    const words = await runSetup(['status'], options);
    const isIn = told.renewable || state === 'valid';
    expect(words).toMatchObject({code: isIn ? 0 : 1, stderr: ''});
    expect(words.stdout).toMatch(sentence);
    const {code, stdout, stderr} = await runSetup(['status', '--json'], options);
    expect({code, stderr}).toEqual({code: isIn ? 0 : 1, stderr: ''});
    const wanted = isIn ? 'signed-in' : state === 'none' ? 'signed-out' : state;
    expect(JSON.parse(stdout)).toMatchObject({schemaVersion: 1, context: 'acme', state: wanted, ...told});
    expect(JSON.parse(stdout).contexts).toMatchObject([{name: 'acme', current: true, issuer, state, ...told}]);
    expect(words.stdout + stdout).not.toMatch(/access-0|refresh-0/);
  });
});
