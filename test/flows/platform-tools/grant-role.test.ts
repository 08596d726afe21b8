import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {readAccess} from '../../../src/flows/platform-tools/account-roles.ts';
import {canGrant, grantRole, removeRole} from '../../../src/flows/platform-tools/grant-role.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {bundled} from '../../../src/platform/platforms.ts';
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
  sandbox.bind({claim: 'sub', value: mine.subject});
  const run = {ports: mine.ports, signal: noSignal, tell: () => {}};
  const {version} = releases[release].version;
  const at = {platform: bundled, controlPlaneUrl: sandbox.ready.controlPlaneUrl, version};
  const access = () => readAccess({...at, token: theirs.token.reveal()}, run);
  const role = leastRole(bundled, version, 'look')?.name ?? '';
  const manifest = roleManifest(bundled, version, {claim: 'sub', value: theirs.subject}, {role}) ?? '';
  return {sandbox, run, access, manifest, mine: {...at, token: mine.token}, theirs: {...at, token: theirs.token}};
};

const withApi = (Object.keys(releases) as ReleaseName[]).filter(name =>
  canGrant(bundled, releases[name].version.version),
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
    await expect(grantRole({...theirs, manifest}, run)).rejects.toMatchObject({code: 'auth-permission-missing'});
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
