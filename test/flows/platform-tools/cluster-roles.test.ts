import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {findGrantingContext} from '../../../src/flows/platform-tools/cluster-roles.ts';
import {grantRole, removeRole} from '../../../src/flows/platform-tools/grant-role.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {roleManifest} from '../../../src/platform/role-binding.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {type ClusterOptions, createCluster} from '../../support/cluster.ts';
import {noSignal} from '../../support/flows.ts';

const HOST = 'api.acme.example';

/** Returns a person with a kubectl and a cluster, and what is needed to grant a role there. */
const machine = (version: string, options: Partial<ClusterOptions> = {}) => {
  const {answer, names} = createCluster({hostnames: [HOST], ...options});
  const calls: string[] = [];
  const run: Ports['processes']['run'] = async (program, args, {input = ''}) => {
    calls.push(`${program} ${args.join(' ')}`);
    return {outcome: 'exited', ...answer(args, input)};
  };
  const ports = {processes: {run}} as unknown as Ports;
  const at = {platform: bundled, controlPlaneUrl: `https://${HOST}`, version, token: new Secret('')};
  const manifestFor = (value: string) =>
    roleManifest(bundled, version, {claim: 'sub', value}, {role: 'project-reader'}) ?? '';
  const grant = (value: string) => grantRole({...at, manifest: manifestFor(value), kubeContext: 'acme'}, own);
  const own = {ports, signal: noSignal, tell: () => {}};
  return {at, own, grant, names, calls};
};

describe.each(['0.15.0', '0.17.0', '1.0.0', '1.2.3'])('a role of release %s that kubectl grants', version => {
  test('is created with its binding, and both are deleted again', async () => {
    const {at, own, grant, names, calls} = machine(version);
    const granted = await grant('one');
    expect(granted).toEqual({roles: ['project-reader'], bindings: ['one-project-reader'], kubeContext: 'acme'});
    await removeRole({...at, granted}, own);
    expect(names()).toEqual([]);
    // A person may change the current context between the two.
    expect(calls.every(call => call.startsWith('kubectl --context acme '))).toBe(true);
  });

  test('stays as long as another binding refers to it', async () => {
    const {at, own, grant, names} = machine(version);
    const [first, second] = [await grant('one'), await grant('two')];
    expect(second).toEqual({roles: [], bindings: ['two-project-reader'], kubeContext: 'acme'});
    await removeRole({...at, granted: first}, own);
    expect(names()).toEqual(['project-reader', 'two-project-reader']);
  });

  test('is deleted again if its binding is refused', async () => {
    const {grant, names} = machine(version, {
      created: ({kind}) => {
        if (kind.endsWith('Binding')) throw new Error('bindings is forbidden: User "ann" cannot create it');
      },
    });
    await expect(grant('one')).rejects.toMatchObject({
      code: 'auth-permission-missing',
      message: expect.stringMatching(/^kubectl could not create the role in the kube context acme: .*forbidden/),
    });
    expect(names()).toEqual([]);
  });
});

describe('the kube context', () => {
  const contextOf = async (options?: Partial<ClusterOptions>) => {
    const {at, own} = machine('1.2.3', options);
    return findGrantingContext(at, own);
  };

  test('is offered if its cluster is this platform and the person may create roles there', async () => {
    expect(await contextOf()).toEqual({found: 'acme'});
    expect(await contextOf({hostnames: ['api.other.example']})).toEqual({
      absent: `no route in the kube context acme leads to ${HOST}`,
    });
    expect(await contextOf({may: false})).toEqual({
      absent: expect.stringMatching(/^you are not allowed to create the kind \w+ in the kube context acme$/),
    });
  });
});
