import {once} from 'node:events';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {type IncomingMessage, request} from 'node:http';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {payloadOf} from '../../../src/domain/tokens.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {releaseOf} from '../../../src/platform/recognise.ts';
import type {ReleaseName} from '../../../src/sandbox/releases/releases.ts';
import {clientOf} from '../../support/platform.ts';
import {startBridge} from '../support/bridge.ts';
import {kubectlIn} from '../support/kubectl.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {storeIn} from '../support/store.ts';
import {choose, openSetup, reaches} from '../support/wizard.ts';

/** Sets up a home with a Cursor in it, and a platform whose person may grant roles. */
const machine = async ({release = '1.2', role = 'admin'}: {release?: ReleaseName; role?: string} = {}) => {
  const platform = await platformForTest({release});
  const surroundings = surroundingsForTest();
  // The first client is an administrator's from the start.
  const [me, signIn] =
    role === 'admin'
      ? [clientOf(platform.ready, 'client_secret_basic'), 'mcp-client']
      : [clientOf(platform.ready, 'client_secret_post'), 'service-account'];
  if (role !== 'admin') platform.bind({claim: 'sub', value: me.clientId, role});
  mkdirSync(join(surroundings.home, '.cursor'), {recursive: true});
  const path = join(surroundings.home, '.cursor', 'mcp.json');
  writeFileSync(path, '{}\n');
  const {admin} = platform.ready;
  let env: Readonly<Record<string, string>> = {
    SETUP_ADMIN_USERNAME: admin.username,
    SETUP_ADMIN_PASSWORD: admin.password,
  };
  /** Gives the person a kubectl, with a cluster that is this platform's unless it routes to another host. */
  const withKubectl = async (options: {readonly host?: string; readonly may?: boolean} = {}) => {
    const {host = new URL(platform.ready.controlPlaneUrl).hostname, ...rest} = options;
    const cluster = await kubectlIn({
      ...{directory: surroundings.temporary, hostnames: [host], ...rest},
      created: ({kind, metadata, spec}) => {
        if (spec.actions) return platform.define(metadata.name, spec.actions);
        const {claim, value} = spec.entitlement;
        expect(kind).toMatch(/RoleBinding$/);
        platform.bind({claim, value, role: spec.roleRef.name});
      },
    });
    env = {...env, ...cluster.env};
    return cluster;
  };
  const run = (args: readonly string[], more: {stdin?: string; env?: Readonly<Record<string, string>>} = {}) =>
    runSetup(args, {surroundings, ...more, env: {...surroundings.env, ...more.env}});
  const setUpWith = (...args: readonly string[]) => [
    ...['--yes', ...platform.flags, '--assistants', 'cursor'],
    ...['--sign-in', signIn, '--client-id', me.clientId, '--client-secret-stdin', ...args],
  ];
  const setUp = (...args: readonly string[]) => run(setUpWith(...args), {stdin: `${me.secret}\n`, env});
  const startSetUp = (...args: readonly string[]) =>
    startSetup(setUpWith(...args), {surroundings, stdin: `${me.secret}\n`, env: {...surroundings.env, ...env}});
  const connect = (...args: readonly string[]) => run(['mcp', 'connect', 'cursor', '--yes', ...args], {env});
  const clientIn = async (...args: readonly string[]) =>
    payloadOf((await run(['token', ...args])).stdout.trim())?.client_id;
  const account = () => storeIn(surroundings.setupHome).contexts()[0]?.assistantsAccount;
  const config = () => readFileSync(join(surroundings.setupHome, 'config.json'), 'utf8');
  return {
    platform,
    surroundings,
    path,
    run,
    setUp,
    startSetUp,
    connect,
    clientIn,
    account,
    config,
    withKubectl,
    me: me.clientId,
  };
};

describe('an account of the assistants’ own, from the wizard', () => {
  test('is created, gets a role that only looks, and is what the entries use', async () => {
    const {setUp, clientIn, account, me, surroundings, run, path} = await machine();
    const done = await setUp('--assistants-as', 'look', '--role', 'grant');
    expect(done).toMatchObject({code: 0, stderr: ''});
    expect(done.stdout).toMatch(
      /According to the control plane, your assistants have a role for \d+ kinds of actions, all of them read-only, in the whole platform/,
    );
    expect(account()).toMatchObject({
      signIn: 'mcp-client',
      clientId: expect.stringMatching(/_assistants$/),
      purpose: 'look',
      granted: {roles: ['project-reader'], bindings: [expect.stringMatching(/-project-reader$/)]},
    });
    expect(await clientIn()).toBe(me);
    expect(await clientIn('--as', 'assistants')).toBe(account()?.clientId);
    const bridge = startBridge(['control-plane'], surroundings);
    await bridge.initialize();
    const {result} = await bridge.request('tools/call', {
      name: 'list_projects',
      arguments: {namespace_name: 'default'},
    });
    expect(result.isError ?? false).toBe(false);
    const refused = await bridge.request('tools/call', {name: 'create_project', arguments: {}});
    expect(JSON.stringify(refused)).toMatch(/not authorized|permission/);

    // Undo takes back the role too.
    const undone = await run(['undo', '--yes']);
    expect(undone).toMatchObject({code: 0, stderr: ''});
    expect(undone.stdout).toMatch(/Deleted the role binding \S+-project-reader at http/);
    expect(readFileSync(path, 'utf8')).toBe('{}\n');
  });

  test('without a role says which one, and that the own sign-in may grant it; nothing is written', async () => {
    const {setUp, path} = await machine();
    const {code, stderr} = await setUp('--assistants-as', 'look');
    expect(code).toBe(4);
    expect(stderr).toContain('name: project-reader');
    expect(stderr).toContain('--role grant');
    expect(readFileSync(path, 'utf8')).toBe('{}\n');
  });

  test('gets a new secret for a client that exists, with --reset-secret', async () => {
    const {setUp, run, account} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant');
    expect(await run(['undo', '--yes'])).toMatchObject({code: 0});
    const refused = await setUp('--assistants-as', 'look', '--role', 'grant');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('Pass --reset-secret for a new secret.');
    expect(refused.stderr).not.toContain('--client-id for another ID');
    expect(await setUp('--assistants-as', 'look', '--role', 'grant', '--reset-secret')).toMatchObject({code: 0});
    expect(account()).toMatchObject({purpose: 'look'});
  });

  test('goes on without a role if the person says so, and status and doctor agree that it needs one', async () => {
    const {setUp, account, run} = await machine();
    const {code, stdout} = await setUp('--assistants-as', 'look', '--role', 'without');
    expect(code).toBe(0);
    expect(stdout).toContain('but the account lacks a role');
    // A here-document ends at the beginning of a line only.
    expect(stdout).toMatch(/^kubectl apply -f - <<'EOF'$[\s\S]*^EOF$/m);
    expect(account()).toMatchObject({purpose: 'look'});
    expect(account()).not.toHaveProperty('granted');
    const [live, doctor] = [await run(['status', '--live']), await run(['doctor'])];
    for (const {code, stdout} of [live, doctor]) {
      expect(code).toBe(4);
      expect(stdout).toContain('Your assistants’ account needs a role.\n');
      expect(stdout).toMatch(
        /If you may grant the role, run .* --assistants-as look --role grant --context \S+\. Otherwise/,
      );
      expect(stdout).toMatch(/^kubectl apply -f - <<'EOF'$[\s\S]*^EOF$/m);
    }
    expect(live.stdout).not.toContain('Every server answers');
  });

  test('cannot be granted a role by somebody who may not, and waits for one', async () => {
    const {platform, setUp, startSetUp} = await machine({role: 'developer'});
    const refused = await setUp('--assistants-as', 'look');
    expect(refused.stderr).not.toContain('--role grant');
    const [, value = ''] = /value: (\S+_assistants)/.exec(refused.stderr) ?? [];
    const waiting = startSetUp('--assistants-as', 'look', '--role', 'wait');
    // It says while it waits what somebody has to apply.
    await waiting.prints(/Waiting for a role for up to a minute\. [\s\S]*^ {2}name: project-reader$/m);
    platform.define('viewer', ['project:view']);
    platform.bind({claim: 'sub', value, role: 'viewer'});
    expect(await waiting.ended).toMatchObject({code: 0});
  });

  test('is granted a role with kubectl where the control plane has no API for roles, and loses it again', async () => {
    const {setUp, run, withKubectl, account, surroundings} = await machine({release: '0.15'});
    const {env, names, calls} = await withKubectl();
    const refused = await setUp('--assistants-as', 'look');
    expect(refused.stderr).toContain('To grant it, pass --role kubectl.');
    expect(names()).toEqual([]);
    const done = await setUp('--assistants-as', 'look', '--role', 'kubectl');
    expect(done).toMatchObject({code: 0, stderr: ''});
    expect(done.stdout).toContain('all of them read-only');
    expect(account()).toMatchObject({
      granted: {kubeContext: 'acme', bindings: [expect.stringMatching(/-project-reader$/)]},
    });
    expect(names()).toHaveLength(2);
    const asking = openSetup(['undo'], {env: {...surroundings.env, ...env}});
    await asking.waitFor('-project-reader: this role binding is deleted in the kube context acme');
    asking.press('n', 'enter');
    await asking.exit;
    expect(names()).toHaveLength(2);
    const undone = await run(['undo', '--yes'], {env});
    expect(undone).toMatchObject({code: 0, stderr: ''});
    expect(undone.stdout).toMatch(/Deleted the role binding \S+-project-reader in the kube context acme\./);
    expect(names()).toEqual([]);
    expect(calls.filter(call => call.includes('delete')).every(call => call.startsWith('--context acme '))).toBe(true);
  });

  test.each([
    ['the cluster of another platform', {host: 'api.other.example'}, /no route in the kube context acme leads to/],
    ['a cluster in which the person may not', {may: false}, /you are not allowed to create the kind/],
  ])('is not granted a role in %s', async (_, options, why) => {
    const {setUp, withKubectl} = await machine({release: '0.15'});
    const {names} = await withKubectl(options);
    expect((await setUp('--assistants-as', 'look')).stderr).not.toContain('--role kubectl');
    const refused = await setUp('--assistants-as', 'look', '--role', 'kubectl');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(why);
    expect(names()).toEqual([]);
  });

  test('is limited by nothing at a release without roles, which is said', async () => {
    const {setUp, account} = await machine({release: '0.14'});
    const {code, stdout} = await setUp('--assistants-as', 'look');
    expect(code).toBe(0);
    expect(stdout).toContain('This release of the platform has no roles');
    expect(account()).toMatchObject({purpose: 'look'});
  });

  test('gets another role for another purpose, and the former one goes', async () => {
    const {setUp, connect, account, platform} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant');
    const clientId = account()?.clientId;
    const building = await connect('--assistants-as', 'build');
    expect(building).toMatchObject({code: 0, stderr: ''});
    expect(building.stdout).toMatch(/your assistants have a role for \d+ kinds of actions, \d+ of which make changes/);
    expect(account()).toMatchObject({
      clientId,
      purpose: 'build',
      granted: {bindings: [expect.stringMatching(/-developer$/)]},
    });
    const looking = await connect('--assistants-as', 'look');
    expect(looking.stdout).toContain('all of them read-only');
    expect(account()).toMatchObject({
      purpose: 'look',
      granted: {bindings: [expect.stringMatching(/-project-reader$/)]},
    });
    expect(platform).toBeDefined();
  });

  test('has its former role again, and the person stays signed in, after an undo', async () => {
    const {setUp, connect, run, account, clientIn, me, platform} = await machine();
    await setUp();
    expect(await connect('--assistants-as', 'look', '--role', 'grant')).toMatchObject({code: 0, stderr: ''});
    const looking = account();
    await connect('--assistants-as', 'build');
    expect(account()?.purpose).toBe('build');
    const back = await run(['undo', '--yes']);
    expect(back).toMatchObject({code: 0, stderr: ''});
    expect(back.stdout).toMatch(/Deleted the role binding \S+-developer at http/);
    expect(back.stdout).toMatch(/Created the role binding \S+-project-reader at http\S+ again\./);
    expect(account()).toEqual(looking);
    const listed = await run([
      'mcp',
      'call',
      'control-plane',
      'list_projects',
      'namespace_name=default',
      '--as',
      'assistants',
    ]);
    expect(listed).toMatchObject({code: 0, stdout: expect.stringContaining('default')});
    const gone = await run(['undo', '--yes', '--json']);
    expect(JSON.parse(gone.stdout)).toMatchObject({
      signedOut: [],
      assistantsSignedOut: ['platform'],
      granted: [],
      roles: [{place: `at ${platform.ready.controlPlaneUrl}`}],
    });
    expect(account()).toBeUndefined();
    expect(await clientIn()).toBe(me);
  });

  test('is a change of this program’s own files, which the review names', async () => {
    const {setUp, connect, surroundings, run} = await machine();
    await setUp();
    const terminal = openSetup(['undo'], {env: surroundings.env});
    expect(await terminal.waitFor('Revert this?')).toContain('It also signs you out of platform');
    terminal.press('n', 'enter');
    await terminal.exit;
    const unasked = await run(['mcp', 'connect', 'cursor', '--assistants-as', 'look', '--role', 'without'], {
      env: {SETUP_ADMIN_USERNAME: 'admin', SETUP_ADMIN_PASSWORD: 'admin'},
    });
    expect(unasked).toMatchObject({code: 2});
    expect(unasked.stderr).toMatch(/These files would change: \S+config\.json, \S+credentials\.json\./);
    await connect('--assistants-as', 'look', '--role', 'without');
    const purpose = await run(['mcp', 'connect', 'cursor', '--assistants-as', 'build', '--role', 'without']);
    expect(purpose.stderr).toMatch(/These files would change: \S+config\.json\. /);
    const asking = openSetup(['undo'], {env: surroundings.env});
    const question = await asking.waitFor('Revert this?');
    expect(question).toContain('It also signs your assistants out of platform.');
    expect(question).not.toContain('signs you out');
    asking.press('n', 'enter');
    await asking.exit;
    // What the account is for is not what it may do.
    expect((await run(['status'])).stdout).toMatch(/Assistants act as +\S+ \(meant only to look\)/);
  });

  // An entry with a token holds that of the account, until it is given the person's.
  test.each(['bridge', 'header'])('is given up again, with its role: %s', async method => {
    const {setUp, connect, account, clientIn, me} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant', '--method', method);
    const given = await connect('--assistants-as', 'you');
    expect(given.code).toBe(0);
    expect(`${given.stdout}${given.stderr}`).toMatch(/Deleted the role binding/);
    expect(account()).toBeUndefined();
    expect(await clientIn('--as', 'me')).toBe(me);
    expect(await clientIn()).toBe(me);
  });

  test('names the role that stays when the deployment is removed, and who can delete it', async () => {
    const {setUp, run} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant');
    expect((await run(['status'])).stdout).toMatch(
      /Assistants act as {2}\S+_assistants \(meant only to look\), token valid for/,
    );
    await run(['logout']);
    await run(['logout', '--as', 'assistants']);
    const {code, stdout} = await run(['context', 'remove', 'platform']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Could not delete the role binding \S+-project-reader at http\S+: .* An administrator can run kubectl delete clusterauthzrolebinding \S+-project-reader\./,
    );
  });

  test('gets its role on release 1.0 too', async () => {
    const {setUp, account, run} = await machine({release: '1.0'});
    const done = await setUp('--assistants-as', 'look', '--role', 'grant');
    expect(done).toMatchObject({code: 0, stderr: ''});
    expect(done.stdout).toContain('all of them read-only');
    expect(account()).toMatchObject({granted: {roles: ['project-reader']}});
    const removed = await run(['uninstall', '--yes']);
    expect(removed.stdout).toMatch(
      /the secret of \S+_assistants, the client of your assistants; the client itself stays/,
    );
    // The list before the question names what is deleted on the platform.
    expect(removed.stdout).toMatch(
      /Role bindings that setup created on the platform:\n {2}\S+-project-reader at http\S+\n[\s\S]*Deleted the role binding \S+-project-reader/,
    );
  });

  test('on 0.15 gets a role that somebody else creates, because its API has none', async () => {
    const {setUp, platform} = await machine({release: '0.15'});
    const {stderr} = await setUp('--assistants-as', 'look');
    expect(stderr).toContain('kind: AuthzClusterRole\n');
    expect(stderr).not.toContain('--role grant');
    const refused = await setUp('--assistants-as', 'look', '--role', 'grant');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('has no API for roles in release 0.15.0.');
    const [, value = ''] = /value: (\S+_assistants)/.exec(stderr) ?? [];
    const [, actions = ''] = /actions:\n((?: +- .*\n)+)/.exec(stderr) ?? [];
    platform.define(
      'project-reader',
      [...actions.matchAll(/- (.*)/g)].map(([, action = '']) => action),
    );
    platform.bind({claim: 'sub', value, role: 'project-reader'});
    const done = await setUp('--assistants-as', 'look');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('all of them read-only');
  });

  test('cannot be created where the identity provider does not allow it; a client that exists is signed in by itself', async () => {
    const {setUp, run, platform, account} = await machine({release: 'next'});
    const {code, stderr} = await setUp('--assistants-as', 'look');
    expect(code).toBe(4);
    // The client that comes with the release may do everything.
    expect(stderr).not.toContain('service_mcp_client');
    expect(stderr).toContain('login --as assistants --client-id ID --client-secret-stdin');
    expect(await setUp()).toMatchObject({code: 0});
    const {clientId, secret} = clientOf(platform.ready, 'client_secret_post');
    const {subject = clientId} = platform.ready.clients.find(one => one.clientId === clientId) ?? {};
    platform.bind({claim: 'sub', value: subject, role: 'namespace-reader'});
    const login = [
      'login',
      '--as',
      'assistants',
      '--client-credentials',
      '--client-id',
      clientId,
      '--client-secret-stdin',
    ];
    const done = await run(login, {stdin: `${secret}\n`});
    expect(done).toMatchObject({code: 0, stderr: ''});
    expect(done.stdout).toContain('all of them read-only');
    expect(account()).toMatchObject({clientId});
  });

  type Machine = Awaited<ReturnType<typeof machine>>;

  /** Signs an administrator in, who sets a new secret, and expects the account to be as it was before. */
  const endsWithNewSecret = async (
    terminal: ReturnType<typeof openSetup>,
    {at, before, from}: {readonly at: Machine; readonly before: ReturnType<Machine['account']>; readonly from: string},
  ) => {
    const {admin} = at.platform.ready;
    terminal.press(admin.username, 'tab', admin.password, 'enter');
    await choose(terminal, 'Set a new secret for it');
    // The account stays as it is saved, so no run is added that undo could revert.
    const review = await terminal.waitFor(/Th(is file|ese files) will change/);
    expect(review).not.toContain('config.json');
    terminal.press('enter');
    expect(await reaches(terminal, 'done')).not.toContain('Undo this run');
    terminal.press('enter');
    if (from === 'doctor') {
      await terminal.waitFor(/Everything works|No check failed/);
      terminal.press('q');
    }
    expect(await terminal.exit).toBe(0);
    expect(await at.clientIn('--as', 'assistants')).toBe(before?.clientId);
    expect(at.account()).toEqual(before);
  };

  test.each([
    ['the home screen', []],
    ['login --as assistants', ['login', '--as', 'assistants']],
    ['doctor', ['doctor']],
    ['the diagnosis that the home screen opens', []],
  ])('is signed in again, with a new secret, from %s', async (from, words) => {
    const at = await machine();
    const {setUp, run, surroundings, account} = at;
    await setUp('--assistants-as', 'look', '--role', 'grant');
    const before = account();
    const out = await run(['logout', '--as', 'assistants']);
    expect(out.stdout).toContain('Signed your assistants out of platform.');
    const terminal = openSetup(words, {env: surroundings.env});
    if (from.includes('diagnosis')) await choose(terminal, 'Diagnostics');
    if (from.includes('diagnosis') || from === 'doctor') {
      await terminal.waitFor('Your assistants are not signed in');
      terminal.press('f');
      await terminal.waitFor('Signs your assistants’ account in again');
      terminal.press('enter');
    } else if (words.length === 0) {
      const home = await terminal.waitFor('Sign your assistants in');
      expect(home).toContain('Your assistants are signed out');
      await choose(terminal, 'Sign your assistants in');
    }
    await choose(terminal, 'Create an MCP client for them');
    await terminal.waitFor('Sign in as an administrator');
    // Going back leads to the question before, and nowhere else.
    terminal.press('esc');
    await terminal.waitFor('Which account should your assistants use?');
    await choose(terminal, 'Create an MCP client for them');
    await terminal.waitFor('Sign in as an administrator');
    await endsWithNewSecret(terminal, {at, before, from});
  });

  test('that is signed out is asked for its sign-in before the review, also from the list of assistants', async () => {
    const {setUp, run, surroundings} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant');
    expect(await run(['logout', '--as', 'assistants'])).toMatchObject({code: 0});
    const terminal = openSetup([], {env: surroundings.env});
    await terminal.waitFor('Your assistants are signed out');
    await choose(terminal, 'Connect assistants');
    const list = await reaches(terminal, 'assistants');
    expect(list).toContain('signed out; you sign them in next');
    terminal.press('enter');
    await terminal.waitFor('Which account should your assistants use?');
    // Going back loses nothing: the account is still signed out.
    terminal.press('esc');
    expect(await reaches(terminal, 'assistants')).toContain('you sign them in next');
    terminal.press('enter');
    await terminal.waitFor('Which account should your assistants use?');
    terminal.press('ctrl-c');
    await terminal.exit;
  });

  test('that is signed out leads back home, and not to a list that nobody opened', async () => {
    const {setUp, run, surroundings} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant');
    expect(await run(['logout', '--as', 'assistants'])).toMatchObject({code: 0});
    const terminal = openSetup([], {env: surroundings.env});
    await choose(terminal, 'Sign your assistants in');
    await terminal.waitFor('Which account should your assistants use?');
    terminal.press('esc');
    const home = await terminal.waitFor('Your assistants are signed out');
    expect(home).toContain('platform is set up');
    terminal.press('ctrl-c');
    await terminal.exit;
  });

  test('whose secret was changed while its token is good gets a new one by login', async () => {
    const at = await machine();
    const {setUp, run, surroundings, account, clientIn} = at;
    await setUp('--assistants-as', 'look', '--role', 'grant');
    const before = account();
    const store = storeIn(surroundings.setupHome);
    store.putCredentials(
      ...store.credentials().map(one => (one.clientId === before?.clientId ? {...one, clientSecret: 'dead'} : one)),
    );
    const terminal = openSetup(['login', '--as', 'assistants'], {env: surroundings.env});
    await terminal.waitFor('does not accept the client ID and its secret');
    await choose(terminal, 'Sign in another way');
    const ways = await terminal.waitFor('How should your assistants sign in?');
    expect(ways).not.toContain('Your assistants will use this account too');
    expect(ways).not.toContain('In the browser');
    // Only the failure has led here, so Esc leads back to it.
    terminal.press('esc');
    await terminal.waitFor('Enter the client again');
    await choose(terminal, 'Sign in another way');
    await choose(terminal, 'Create an MCP client');
    await terminal.waitFor('Sign in as an administrator');
    const {admin} = at.platform.ready;
    terminal.press(admin.username, 'tab', admin.password, 'enter');
    await choose(terminal, 'Set a new secret for it');
    await reaches(terminal, 'done');
    terminal.press('enter');
    expect(await terminal.exit).toBe(0);
    expect(account()).toEqual(before);
    expect((await run(['token', '--as', 'assistants', '--renew'])).code).toBe(0);
    expect(await clientIn('--as', 'assistants')).toBe(before?.clientId);
  });

  test('is asked how it stands by status --live, also while the person is signed out', async () => {
    const at = await machine();
    const {setUp, run, surroundings} = at;
    await setUp('--assistants-as', 'look', '--role', 'grant');
    // Both sign-ins are refused, as after a reinstallation.
    const store = storeIn(surroundings.setupHome);
    const dead = {accessToken: 'dead', clientSecret: 'dead', obtainedAt: 1, expiresAt: 2};
    store.putCredentials(...store.credentials().map(one => ({...one, ...dead})));
    const {code, stdout} = await run(['status', '--live']);
    expect(code).toBe(1);
    expect(stdout).toContain('You are signed out.');
    expect(stdout).toMatch(
      /Assistants act as {2}\S+_assistants \(meant only to look\), signed out\. Run .* login --as assistants/,
    );
    expect(stdout).not.toContain('renewed when needed');
  });

  test('that gets its role while the files are written is not said to lack one', async () => {
    const {setUp, startSetUp, platform} = await machine();
    const refused = await setUp('--assistants-as', 'look');
    const [, value = ''] = /value: (\S+_assistants)/.exec(refused.stderr) ?? [];
    platform.define('viewer', ['project:view']);
    const going = startSetUp('--assistants-as', 'look', '--role', 'without');
    await going.prints(/Written: .*mcp\.json/);
    platform.bind({claim: 'sub', value, role: 'viewer'});
    const {code, stdout} = await going.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Warning: ');
    expect(stdout).toContain('All set: your assistants can reach platform.localhost');
    expect(stdout).not.toContain('kubectl apply');
  });

  test('that needs a role gets one from the home screen, and the diagnosis on the way says what is missing', async () => {
    const {setUp, surroundings, account, run} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'without');
    const terminal = openSetup([], {env: surroundings.env});
    await terminal.waitFor('▲ Your assistants’ account needs a role.');
    await choose(terminal, 'Give their account a role');
    await terminal.waitFor('Grant the role with your sign-in');
    terminal.press('p');
    await terminal.waitFor('p printed: scroll up');
    await choose(terminal, 'Diagnostics');
    await terminal.waitFor('✖ Your assistants’ account needs a role');
    await terminal.waitFor('What your assistants’ account may do');
    terminal.press('esc');
    await choose(terminal, 'Grant the role with your sign-in');
    await reaches(terminal, 'review');
    terminal.press('enter');
    await reaches(terminal, 'done');
    terminal.press('enter');
    expect(await terminal.exit).toBe(0);
    expect(account()).toMatchObject({purpose: 'look', granted: {roles: ['project-reader']}});
    expect((await run(['status', '--live'])).stdout).toContain('Every server answers');
  });

  /** Makes the kept secret of the account one that the identity provider refuses, as after a reinstallation. */
  const withDeadSecret = async ({run, surroundings, account}: Machine) => {
    const store = storeIn(surroundings.setupHome);
    const isTheirs = ({clientId}: {readonly clientId: string}) => clientId === account()?.clientId;
    store.putCredentials(
      ...store
        .credentials()
        .map(one => (isTheirs(one) ? {...one, clientSecret: 'dead', obtainedAt: 1, expiresAt: 2} : one)),
    );
    const {stderr} = await run(['token', '--as', 'assistants']);
    expect(stderr).toContain('invalid_client');
  };

  test.each([
    ['the home screen', []],
    ['login --as assistants', ['login', '--as', 'assistants']],
    ['doctor', ['doctor']],
  ])('whose secret is refused gets a new one from %s', async (from, words) => {
    const at = await machine();
    const {setUp, surroundings, account} = at;
    await setUp('--assistants-as', 'look', '--role', 'grant');
    const before = account();
    await withDeadSecret(at);
    const terminal = openSetup(words, {env: surroundings.env});
    if (from === 'doctor') {
      await terminal.waitFor('Your assistants are not signed in');
      terminal.press('f');
      await terminal.waitFor('Signs your assistants’ account in again');
      terminal.press('enter');
    }
    if (words.length === 0) await choose(terminal, 'Sign your assistants in');
    await choose(terminal, 'Create an MCP client for them');
    // The refused secret is not tried again: an administrator sets a new one.
    await terminal.waitFor('Sign in as an administrator');
    await endsWithNewSecret(terminal, {at, before, from});
  });

  test.each([
    ['with entries', false],
    ['without entries', true],
  ])('keeps its name, purpose and role if login creates its client again, %s', async (_, isDisconnected) => {
    const {setUp, run, account, clientIn, platform} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant');
    if (isDisconnected) await run(['mcp', 'disconnect', '--all']);
    const before = account();
    await run(['logout', '--as', 'assistants']);
    const {admin} = platform.ready;
    const words = ['login', '--as', 'assistants', '--sign-in', 'create-mcp-client', '--reset-secret', '--yes'];
    const done = await run([...words, '--admin-username', admin.username, '--admin-password-stdin'], {
      stdin: `${admin.password}\n`,
    });
    expect(done).toMatchObject({code: 0, stderr: ''});
    expect(account()).toEqual(before);
    expect(await clientIn('--as', 'assistants')).toBe(before?.clientId);
  });

  /** Deletes the role of the account at the platform, as its reinstallation does, or only the binding. */
  const loseRole = async ({run, account, platform}: Machine, isBindingAlone = false) => {
    const {api} = releaseOf(bundled, '1.2.3').roles ?? {};
    const {granted} = account() ?? {};
    if (!api || !granted) throw new Error('The account has a role at a release with an API for roles.');
    const {hostname, port} = new URL(platform.ready.controlPlaneUrl);
    const headers = {Host: `${hostname}:${port}`, Authorization: `Bearer ${(await run(['token'])).stdout.trim()}`};
    const paths = [
      ...granted.bindings.map(name => `${api.bindings}/${name}`),
      ...(isBindingAlone ? [] : granted.roles.map(name => `${api.roles}/${name}`)),
    ];
    for (const path of paths) {
      const sent = request({host: '127.0.0.1', port, path, method: 'DELETE', headers}).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(204);
    }
  };

  test('that has lost its role is not called ready, and gets it again with --role grant', async () => {
    const at = await machine();
    const {setUp, run, account, connect} = at;
    await setUp('--assistants-as', 'look', '--role', 'grant');
    const before = account();
    await loseRole(at);
    const again = 'mcp connect --assistants-as look --role grant';
    expect((await run(['doctor'])).stdout).toMatch(
      /offers no tools through this entry[\s\S]*mcp connect --assistants-as look --role grant/,
    );
    const connected = await connect();
    expect(connected.stdout).toContain('the control plane offers your assistants no tools');
    expect(connected.stdout).toContain(again);
    expect(connected.stdout).not.toContain('All set');
    expect(await connect('--assistants-as', 'look', '--role', 'grant')).toMatchObject({code: 0});
    expect(account()).toEqual(before);
    expect((await connect()).stdout).not.toContain('no tools');
    expect((await run(['doctor'])).stdout).not.toContain('no tools');
  });

  test.each([
    ['the whole role', false],
    ['the binding alone', true],
  ])('keeps the role that it gets again after a reinstallation: %s', async (_, isBindingAlone) => {
    const at = await machine();
    const {setUp, run, account, connect, platform} = at;
    await setUp('--assistants-as', 'look', '--role', 'grant');
    const before = account();
    await loseRole(at, isBindingAlone);
    const {admin} = platform.ready;
    const words = [
      'login',
      '--as',
      'assistants',
      '--sign-in',
      'create-mcp-client',
      '--reset-secret',
      '--role',
      'grant',
    ];
    const done = await run([...words, '--yes', '--admin-username', admin.username, '--admin-password-stdin'], {
      stdin: `${admin.password}\n`,
    });
    expect(done).toMatchObject({code: 0, stderr: ''});
    expect(account()).toEqual(before);
    expect((await connect()).stdout).not.toContain('no tools');
    // All of it is taken back with the setup.
    expect((await run(['undo', '--all', '--yes'])).stdout).toMatch(
      /Deleted the role binding \S+-project-reader at http/,
    );
  });

  test('has to be signed in again by a person, says doctor --fix', async () => {
    const {setUp, run} = await machine();
    await setUp('--assistants-as', 'look', '--role', 'grant');
    await run(['logout', '--as', 'assistants']);
    const {stdout} = await run(['doctor', '--fix']);
    expect(stdout).toMatch(
      /--fix cannot sign your assistants in\. Sign them in: npx setup login --context platform --as assistants\b/,
    );
    expect(stdout).not.toContain('cannot sign you in');
  });

  test('is suggested by an organisation kit, whose entries use it', async () => {
    const {platform, setUp, run, surroundings, account, me} = await machine();
    const kit = join(surroundings.temporary, 'kit');
    const made = await run(['org', 'export', kit, ...platform.flags, '--assistants-as', 'look']);
    expect(made).toMatchObject({code: 0, stderr: ''});
    const companyFile = join(kit, 'platform-setup.json');
    expect(JSON.parse(readFileSync(companyFile, 'utf8'))).toMatchObject({defaults: {assistantsAs: 'look'}});
    const done = await setUp('--platform', companyFile, '--role', 'grant');
    expect(done).toMatchObject({code: 0});
    expect(account()).toMatchObject({purpose: 'look'});
    const managed = join(kit, 'machines', 'servers', 'linux', 'etc', 'claude-code', 'managed-mcp.json');
    const entries: readonly {args: readonly string[]}[] = Object.values(
      JSON.parse(readFileSync(managed, 'utf8')).mcpServers,
    );
    const [, , , ...flags] = entries.find(({args}) => args.includes('control-plane'))?.args ?? [];
    const bridge = startBridge(flags, surroundings);
    await bridge.initialize();
    const call = (name: string, args: object) => bridge.request('tools/call', {name, arguments: args});
    expect(JSON.stringify(await call('list_projects', {namespace_name: 'default'}))).toContain('default');
    expect(JSON.stringify(await call('create_project', {}))).toMatch(/not authorized|permission/);
    expect(account()?.clientId).not.toBe(me);
  });

  test('says without a terminal what is missing to create one', async () => {
    const {run, platform, me, config} = await machine();
    const {secret} = clientOf(platform.ready, 'client_secret_basic');
    const flags = ['--sign-in', 'mcp-client', '--client-id', me, '--client-secret-stdin'];
    const {code, stderr} = await run(
      ['--yes', ...platform.flags, '--assistants', 'cursor', '--assistants-as', 'look', ...flags],
      {stdin: `${secret}\n`},
    );
    expect(code).toBe(2);
    expect(stderr).toContain('Pass --admin-username and --admin-password-stdin to create one.');
    expect(config).toThrow('ENOENT');
  });
});
