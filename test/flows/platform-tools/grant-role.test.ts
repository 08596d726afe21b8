import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {describeError} from '../../../src/errors/describe-error.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {checkAccount} from '../../../src/flows/platform-tools/account-access.ts';
import {readAccess} from '../../../src/flows/platform-tools/account-roles.ts';
import {grantRole, removeRole} from '../../../src/flows/platform-tools/grant-role.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {hasRoleApi} from '../../../src/platform/recognise.ts';
import {leastRole, roleManifest} from '../../../src/platform/role-binding.ts';
import {type ReleaseName, releases} from '../../../src/sandbox/releases/releases.ts';
import type {Sandbox} from '../../../src/sandbox/sandbox.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {clientOf, runningPlatform} from '../../support/platform.ts';

/** Signs in with a client of the sandbox. */
const signedIn = async ({ready}: Sandbox, method: 'client_secret_basic' | 'client_secret_post') => {
  const {clientId, secret} = clientOf(ready, method);
  const {subject = clientId} = ready.clients.find(one => one.clientId === clientId) ?? {};
  const ports = await temporaryPorts();
  const request = {issuer: ready.authUrl, clientId, method: 'service-account', secret: new Secret(secret)} as const;
  const {result} = await collect(obtainToken, request, ports);
  return {subject, token: result.access, ports};
};

/** Returns an administrator of a sandbox, and another client without a role. */
const machine = async (release: ReleaseName) => {
  const sandbox = await runningPlatform('single', {release});
  const [mine, theirs] = [
    await signedIn(sandbox, 'client_secret_basic'),
    await signedIn(sandbox, 'client_secret_post'),
  ];
  if (sandbox.ready.authorization) sandbox.bind({claim: 'sub', value: mine.subject});
  const run = {ports: mine.ports, signal: noSignal, tell: () => {}};
  const {version} = releases[release].version;
  const at = {platform: bundled, controlPlaneUrl: sandbox.ready.controlPlaneUrl, version};
  const access = () => readAccess({...at, token: theirs.token.reveal()}, run);
  const role = leastRole(bundled, version, 'look')?.name ?? '';
  const manifest = roleManifest(bundled, version, {claim: 'sub', value: theirs.subject}, {role}) ?? '';
  return {
    sandbox,
    run,
    access,
    manifest,
    mine: {...at, token: mine.token},
    theirs: {...at, token: theirs.token, subject: theirs.subject},
  };
};

const withApi = (Object.keys(releases) as ReleaseName[]).filter(name =>
  hasRoleApi(bundled, releases[name].version.version),
);

test('the releases from 1.0 on can be asked', () => {
  expect(withApi).toEqual(['1.0', '1.2', 'next']);
});

describe.each(withApi)('release %s', release => {
  test('grants a role that only looks, and takes it back', async () => {
    const {run, access, manifest, mine} = await machine(release);
    expect(await access()).toMatchObject({kind: 'none'});
    const granted = await grantRole({...mine, manifest}, run);
    expect(granted).toMatchObject({roles: ['project-reader'], bindings: [expect.stringMatching(/-project-reader$/)]});
    expect(await access()).toMatchObject({kind: 'all', changes: 0, actions: expect.any(Number)});
    // What exists already stays, and is not this call's.
    expect(await grantRole({...mine, manifest}, run)).toEqual({roles: [], bindings: []});
    await removeRole({...mine, granted}, run);
    expect(await access()).toMatchObject({kind: 'none'});
    await removeRole({...mine, granted}, run);
    expect(await grantRole({...mine, manifest}, run)).toEqual(granted);
  });

  test('refuses it to an account that may not grant roles, and nothing is left', async () => {
    const {run, manifest, mine, theirs} = await machine(release);
    const refused = await grantRole({...theirs, manifest}, run).catch(error => error);
    expect(refused).toMatchObject({code: 'auth-permission-missing'});
    // Somebody else can apply the role, so the error shows it.
    expect(describeError(refused)).toMatchObject({block: expect.stringContaining('project-reader')});
    expect((await grantRole({...mine, manifest}, run)).roles).toEqual(['project-reader']);
  });

  test('deletes the role again if the binding is refused', async () => {
    const {run, manifest, mine} = await machine(release);
    const wrong = manifest.replace(/name: developer|name: cluster-reader/, 'name: nobody-has-it');
    await expect(grantRole({...mine, manifest: wrong}, run)).rejects.toMatchObject({code: /^platform-/});
    expect((await grantRole({...mine, manifest}, run)).roles).toEqual(['project-reader']);
  });

  test('leaves a role that others use', async () => {
    const {sandbox, run, access, manifest, mine} = await machine(release);
    const granted = await grantRole({...mine, manifest}, run);
    sandbox.bind({claim: 'sub', value: 'somebody', role: 'project-reader'});
    await removeRole({...mine, granted}, run);
    expect(await access()).toMatchObject({kind: 'none'});
    expect((await grantRole({...mine, manifest}, run)).roles).toEqual([]);
  });
});

test.each(['0.15', '1.2', 'next'] as const)(
  'an operator of a sandbox can bind the role that setup shows: %s',
  async release => {
    const {sandbox, access, theirs} = await machine(release);
    sandbox.bind({claim: 'sub', value: theirs.subject, role: 'project-reader'});
    expect(await access()).toMatchObject({kind: 'all', changes: 0, seesProjects: true});
  },
);

describe('the account of the assistants', () => {
  const input = async (release: ReleaseName = '1.2') => {
    const {mine, theirs, run, ...others} = await machine(release);
    const {token: own, ...controlPlane} = mine;
    const asked = {...controlPlane, own, token: theirs.token, purpose: 'look', isReplacing: false} as const;
    return {...others, mine, theirs, run, asked};
  };

  test('waits for a role, and goes on as soon as it is there', async () => {
    const {asked, run, sandbox, theirs} = await input();
    const told: FlowEvent[] = [];
    const {subject} = theirs;
    sandbox.define('viewer', ['project:view', 'component:view']);
    const sleep = async () => sandbox.bind({claim: 'sub', value: subject, role: 'viewer'});
    const ports = {...run.ports, clock: {...run.ports.clock, sleep}};
    const rights = await checkAccount({...asked, role: 'wait'}, {...run, ports, tell: event => void told.push(event)});
    expect(rights).toEqual({access: expect.stringContaining('all of them read-only')});
    expect(told.filter(({type}) => type === 'role-awaited')).toEqual([
      {
        type: 'role-awaited',
        until: expect.any(Number),
        missing: expect.objectContaining({block: expect.stringContaining('name: project-reader')}),
      },
    ]);
  });

  test('is told after a minute that it still lacks one', async () => {
    const {asked, run} = await input();
    let now = 0;
    const sleep = async (ms: number) => {
      now += ms;
    };
    const clock = {...run.ports.clock, now: () => now, sleep};
    await expect(checkAccount({...asked, role: 'wait'}, {...run, ports: {...run.ports, clock}})).rejects.toMatchObject({
      code: 'auth-no-role',
      about: {isGrantable: true},
    });
    expect(now).toBe(60_000);
  });

  test.each([true, false])('can be granted one if the person’s token has expired since they %s might', async might => {
    const {asked, run} = await input();
    const own = new Secret('expired');
    const failure = await checkAccount({...asked, own, mightGrant: might}, run).catch(error => error);
    expect(failure).toMatchObject({code: 'auth-no-role'});
    expect(failure.about.isGrantable).toBe(might ? true : undefined);
  });

  test('may change something although it is meant only to look, which is a warning', async () => {
    const {asked, run, sandbox, theirs} = await input();
    sandbox.bind({claim: 'sub', value: theirs.subject, role: 'developer'});
    const told: FlowEvent[] = [];
    await checkAccount(asked, {...run, tell: event => void told.push(event)});
    expect(told).toContainEqual(
      expect.objectContaining({type: 'warning', message: expect.stringContaining('lets it make changes')}),
    );
    // So it is if the person changes the purpose, and does not want another role.
    told.length = 0;
    const kept = {...asked, isReplacing: true, role: 'without'} as const;
    expect(await checkAccount(kept, {...run, tell: event => void told.push(event)})).not.toHaveProperty('manifest');
    expect(told.map(({type}) => type)).toContain('warning');
    // That is what it is for, for another purpose.
    const building = await checkAccount({...asked, purpose: 'build'}, run);
    expect(building.access).toMatch(/of which make changes/);
  });

  test('that may only look is not enough for building', async () => {
    const {asked, run, sandbox, theirs} = await input();
    sandbox.bind({claim: 'sub', value: theirs.subject, role: 'namespace-reader'});
    await expect(checkAccount(asked, run)).rejects.toMatchObject({
      code: 'auth-no-role',
      message: expect.stringContaining('does not show this account any project'),
    });
    sandbox.define('viewer', ['project:view']);
    sandbox.bind({claim: 'sub', value: theirs.subject, role: 'viewer'});
    expect(await checkAccount(asked, run)).toHaveProperty('access');
    await expect(checkAccount({...asked, purpose: 'build'}, run)).rejects.toMatchObject({
      code: 'auth-no-role',
      message: expect.stringContaining('does not let this account change anything'),
    });
  });

  test.each(['0.15', '1.2'] as const)(
    'is granted a role by the person’s sign-in only where there is an API: %s',
    async release => {
      const {asked, run} = await input(release);
      const granting = checkAccount({...asked, role: 'grant'}, run);
      if (release === '1.2') return expect(await granting).toHaveProperty('manifest');
      await expect(granting).rejects.toMatchObject({
        code: 'auth-no-role',
        message: expect.stringMatching(
          /^Your sign-in can’t grant the role: http\S+ has no API for roles in release 0\.15/,
        ),
        remedy: expect.arrayContaining([{block: expect.stringContaining('kind: AuthzClusterRole')}]),
      });
    },
  );

  test('is refused kubectl where there is no cluster, with the role for somebody else', async () => {
    const {asked, run} = await input();
    await expect(checkAccount({...asked, role: 'kubectl'}, run)).rejects.toMatchObject({
      code: 'auth-no-role',
      message: expect.stringMatching(/^kubectl can’t grant the role: /),
      remedy: expect.arrayContaining([{block: expect.stringContaining('kind: ClusterAuthzRoleBinding')}]),
    });
  });

  test('is limited by nothing where the release has no roles', async () => {
    const {asked, run} = await input('0.14');
    expect(await checkAccount(asked, run)).toEqual({});
  });
});
