import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {bundled} from '../../../src/platform/platforms.ts';
import type {ReleaseName} from '../../../src/sandbox/releases/releases.ts';
import type {SandboxOptions} from '../../../src/sandbox/sandbox.ts';
import {clientOf} from '../../support/platform.ts';
import {hasRoles} from '../../support/release.ts';
import {filesBelow, modeOf} from '../support/files.ts';
import {platformForTest} from '../support/platform.ts';
import {jsonLines, lastLine, runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {addressFrom, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {storeIn} from '../support/store.ts';

/** The file as the CLI of release 0.14 creates it at its first start. */
const first = `currentContext: default
controlplanes:
    - name: default
      url: http://localhost:8080
credentials:
    - name: default
contexts:
    - name: default
      controlplane: default
      credentials: default
      namespace: default
      project: default
      environment: development
      dataPlane: default
`;

/**
 * Sets up a person's machine, and a function that sets it up with the platform's own CLI. The sign-in is a service
 * account's unless flags say otherwise.
 */
const machine = async (before?: string, options: Partial<SandboxOptions> = {}) => {
  const {ready, flags} = await platformForTest(options);
  const surroundings = surroundingsForTest();
  const path = join(surroundings.home, '.openchoreo', 'config');
  const account = clientOf(ready, 'client_secret_post');
  if (before !== undefined) {
    mkdirSync(dirname(path));
    writeFileSync(path, before);
    chmodSync(path, 0o644);
  }
  const setUpFlags = ['--yes', '--platform', 'openchoreo', '--assistants', 'none', ...flags];
  const run = (args: readonly string[], stdin = '') => runSetup(args, {surroundings, stdin});
  return {
    ready,
    path,
    account,
    setUpFlags,
    surroundings,
    store: storeIn(surroundings.setupHome),
    run,
    setUp: (...more: readonly string[]) =>
      run([...setUpFlags, '--json', ...asAccount(account), ...more], `${account.secret}\n`),
    text: () => readFileSync(path, 'utf8'),
  };
};

/** The sandbox has the clients of the documentation, for every kind of platform. */
const {clientId} = bundled.cliClient;

const asAccount = ({clientId}: {clientId: string}) => ['--sign-in', 'service-account', ...by(clientId)];
const by = (clientId: string) => ['--client-id', clientId, '--client-secret-stdin'];

describe('setup --cli-config', () => {
  test('signs the platform’s own CLI in, beside what is in its file', async () => {
    const {setUp, path, text, account, store, ready} = await machine(first);
    const {code, stdout, stderr} = await setUp('--cli-config');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    const {accessToken, clientSecret} = store.only();
    expect(parse(text())).toEqual({
      currentContext: 'platform',
      controlplanes: [{name: 'platform', url: ready.controlPlaneUrl}, ...parse(first).controlplanes],
      credentials: [
        {
          name: 'platform',
          clientId: account.clientId,
          clientSecret: account.secret,
          token: accessToken,
          authMethod: 'client_credentials',
        },
        ...parse(first).credentials,
      ],
      contexts: [
        {
          ...{name: 'platform', controlplane: 'platform', credentials: 'platform', namespace: 'default'},
          project: expect.any(String),
          // Releases with roles have no planes and environments in the file.
          ...(hasRoles ? {} : {environment: 'development', dataPlane: 'default'}),
        },
        ...parse(first).contexts,
      ],
    });
    expect(modeOf(path)).toBe(0o600);
    expect(lastLine(stdout)).toMatchObject({files: expect.arrayContaining([{path, change: 'changed'}])});
    const planned = jsonLines(stdout).find(line => line.type === 'file-planned' && line.path === path);
    expect(planned?.diff).toContain('+      token: "…"');
    expectWithout(stdout, accessToken ?? '', clientSecret ?? '');
  });

  test('is what it takes: --yes alone leaves that file alone', async () => {
    const {setUp, text, path} = await machine(first);
    expect((await setUp()).code).toBe(0);
    expect([text(), modeOf(path)]).toEqual([first, 0o644]);
  });

  test.each([
    ['undo', '--all', '--yes'],
    ['context', 'remove', 'platform'],
    ['uninstall', '--yes'],
  ])('makes the file and its directory where there are none, and %s takes both away', async (...command) => {
    const {setUp, path, run} = await machine();
    expect((await setUp('--cli-config')).code).toBe(0);
    // The file exists by now, and was still created by this program.
    expect((await setUp('--cli-config')).code).toBe(0);
    expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700]);

    // A context can be removed only while it is signed out.
    if (command[0] === 'context') expect(await run(['logout'])).toMatchObject({code: 0, stderr: ''});
    expect(await run(command)).toMatchObject({code: 0, stderr: ''});
    expect([existsSync(path), existsSync(dirname(path))]).toEqual([false, false]);
  });

  test('takes only the file away if the directory has other contents by then', async () => {
    const {setUp, path, run} = await machine();
    expect((await setUp('--cli-config')).code).toBe(0);
    writeFileSync(join(dirname(path), 'notes'), 'mine');
    expect(await run(['uninstall', '--yes'])).toMatchObject({code: 0, stderr: ''});
    expect([existsSync(path), existsSync(join(dirname(path), 'notes'))]).toEqual([false, true]);
  });

  test('is undone to the byte', async () => {
    const {setUp, path, run, text, surroundings} = await machine(first);
    expect((await setUp('--cli-config')).code).toBe(0);
    expect(await run(['undo', '--yes'])).toMatchObject({code: 0, stderr: ''});
    expect([text(), modeOf(path)]).toEqual([first, 0o644]);
    // No file is left that could contain a secret.
    expect(existsSync(surroundings.setupHome) ? filesBelow(surroundings.setupHome) : []).toEqual([]);
  });

  test('refuses a context of the same name that leads elsewhere, unless it may replace it', async () => {
    const theirs = first.replaceAll('default\n', 'platform\n');
    const {setUp, text} = await machine(theirs);
    const refused = await setUp('--cli-config');
    expect(lastLine(refused.stdout)).toMatchObject({type: 'failed', code: 'local-entry-exists'});
    expect(text()).toBe(theirs);
    expect((await setUp('--cli-config', '--replace')).code).toBe(0);
    expect(text()).not.toContain('localhost:8080');
  });

  test('says what it cannot do for a client that signs in by the header', async () => {
    const {run, ready, setUpFlags, text} = await machine();
    const {clientId, secret} = clientOf(ready, 'client_secret_basic');
    const args = [...setUpFlags, '--sign-in', 'mcp-client', ...by(clientId), '--cli-config'];
    const {code, stdout} = await run(args, `${secret}\n`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Warning: occ gets the token of sandbox_mcp_client and not its secret: .* That token expires in 1 h, and occ/m,
    );
    expectWithout(text(), secret);
  });

  test('on a platform that has no such CLI is told to be of no use', async () => {
    const {setUp} = await machine();
    const {code, stdout} = await setUp('--cli-config', '--platform', 'bundled');
    expect(code).toBe(0);
    expect(stdout).toContain('This platform has no CLI of its own');
  });
});

describe('a CLI that was signed in', () => {
  test('is renewed with the sign-in', async () => {
    const {setUp, run, text, store} = await machine(first);
    await setUp('--cli-config');
    const before = store.only().accessToken ?? '';
    const renewed = await run(['login']);
    expect(renewed).toMatchObject({code: 0, stderr: ''});
    const {accessToken = ''} = store.only();
    expect(accessToken).not.toBe(before);
    expect(text()).toContain(`token: ${accessToken}\n`);
    expect(parse(text()).contexts).toHaveLength(2);
  });

  test('is signed out with it, and undo still puts its file back after that', async () => {
    const {setUp, run, text} = await machine(first);
    await setUp('--cli-config');
    const signedIn = parse(text());
    const {stdout} = await run(['logout']);
    expect(stdout).toContain('Its token was removed from ~/.openchoreo/config.\n');
    const [{token: _, clientSecret: __, ...rest}, ...others] = signedIn.credentials;
    expect(parse(text())).toEqual({...signedIn, credentials: [rest, ...others]});
    expect(await run(['undo', '--yes'])).toMatchObject({code: 0, stderr: ''});
    expect(text()).toBe(first);
  });

  test('goes with the context', async () => {
    const {setUp, run, text} = await machine(first);
    await setUp('--cli-config');
    await run(['logout']);
    const removed = await run(['context', 'remove', 'platform']);
    expect(removed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('It was removed from ~/.openchoreo/config.\n'),
    });
    expect(text()).toBe(first);
  });

  test('is found signed out by doctor, which signs it in again', async () => {
    const {setUp, run, text, path} = await machine(first);
    await setUp('--cli-config');
    const made = text();
    writeFileSync(path, made.replaceAll(/ +(token|clientSecret): .*\n/g, ''));
    const look = async (...more: readonly string[]) => {
      const {stdout} = await run(['doctor', '--json', ...more]);
      return jsonLines(stdout).findLast(({id}) => id === 'own-cli');
    };
    expect(await look()).toMatchObject({verdict: 'warning', sentence: 'occ is not signed in to this deployment.'});
    expect(await look('--fix')).toMatchObject({verdict: 'pass', saw: expect.stringContaining('renewed when needed')});
    expect(parse(text()).credentials).toMatchObject([{clientSecret: expect.any(String)}, {}]);
  });

  test('and has changed its file since stays as it is, and is told how to be signed out', async () => {
    const {setUp, run, text, path} = await machine(first);
    await setUp('--cli-config');
    writeFileSync(path, `# mine\n${text()}`);
    const {code, stderr} = await run(['undo', '--yes']);
    expect(code).toBe(6);
    expect(stderr).toContain('Run npx setup logout --context platform to remove the sign-in');
  });
});

/** Sets up a person who signs in through the browser, with the CLI, at a platform of this release. */
const personAt = async (release: ReleaseName) => {
  const {setUpFlags, surroundings, text, store} = await machine(undefined, {release});
  const how = ['--sign-in', 'browser', '--no-browser', '--client-id', clientId, '--role', 'without'];
  const args = [...setUpFlags, ...how, '--cli-config'];
  const run = startSetup(args, {surroundings});
  await signInAndReturn(await addressFrom(run));
  const {code, stdout, stderr} = await run.ended;
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  return {stdout, text, surroundings, store, ...store.only()};
};

describe('a person’s refresh token', () => {
  test.each(['0.14', '1.2'] as const)('that stays good is shared: %s', async release => {
    const {stdout, text, accessToken, refreshToken} = await personAt(release);
    expect(stdout).not.toContain('Warning: occ');
    const scope = release === '1.2' ? {scope: 'openid profile email'} : {};
    expect(parse(text()).credentials).toEqual([
      {
        ...{name: 'platform', clientId, ...scope},
        ...{token: accessToken, refreshToken, authMethod: 'authorization_code'},
      },
    ]);
  });

  test('that is used once is not', async () => {
    const {stdout, text, store, surroundings, accessToken, refreshToken = ''} = await personAt('next');
    expect(stdout).toMatch(/^Warning: .* accepts each refresh token only once, occ gets the access token alone/m);
    expect(stdout).toContain('occ is signed in too, until its token expires.');
    expect(parse(text()).credentials).toMatchObject([{token: accessToken, authMethod: 'authorization_code'}]);
    expect(text()).not.toContain(refreshToken);
    // The test of the refresh token did not end the sign-in.
    store.expire();
    expect(await runSetup(['token'], {surroundings})).toMatchObject({code: 0, stderr: ''});
  });
});
