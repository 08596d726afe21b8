import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {openchoreo} from '../../src/platform/openchoreo.ts';
import {applyCommand, roleBinding} from '../../src/platform/role-binding.ts';

const client = {claim: 'sub', value: 'mcp_client'};
const read = (text: string | undefined) => parse(text ?? '');

test('from 1.0 on: a list of mappings', () => {
  expect(read(roleBinding(openchoreo, '1.2.3', client))).toEqual({
    apiVersion: 'openchoreo.dev/v1alpha1',
    kind: 'ClusterAuthzRoleBinding',
    metadata: {name: 'mcp-client-admin'},
    spec: {
      entitlement: {claim: 'sub', value: 'mcp_client'},
      roleMappings: [{roleRef: {kind: 'ClusterAuthzRole', name: 'admin'}}],
      effect: 'allow',
    },
  });
});

test('for one project: in its namespace, with a scope', () => {
  const scope = {namespace: 'default', project: 'shop'};
  expect(read(roleBinding(openchoreo, '1.0.0', {claim: 'groups', value: 'developers'}, scope))).toMatchObject({
    kind: 'AuthzRoleBinding',
    metadata: {name: 'developers-admin', namespace: 'default'},
    spec: {roleMappings: [{scope: {project: 'shop'}}]},
  });
});

test('0.15 to 0.17: one role, for everything', () => {
  expect(read(roleBinding(openchoreo, '0.16.0', client, {namespace: 'default', project: 'shop'}))).toEqual({
    apiVersion: 'openchoreo.dev/v1alpha1',
    kind: 'AuthzClusterRoleBinding',
    metadata: {name: 'mcp-client-super-admin'},
    spec: {
      entitlement: {claim: 'sub', value: 'mcp_client'},
      roleRef: {kind: 'AuthzClusterRole', name: 'super-admin'},
      effect: 'allow',
    },
  });
});

test('0.14 has no roles', () => {
  expect(roleBinding(openchoreo, '0.14.0', client)).toBeUndefined();
});

test.each(['true', 'null', 'No', 'on', 'y', 'a: b', '"', "EOF\n'; rm -rf ~", '{}', '01', 'ünï', '-'])(
  'the value %j stays a value',
  value => {
    const manifest = roleBinding(openchoreo, '1.2.3', {claim: 'groups', value}) ?? '';
    expect(read(manifest).spec.entitlement.value).toBe(value);
    expect(read(manifest).metadata.name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
    // Nothing in it ends the text that the shell hands on.
    expect(
      applyCommand(manifest)
        .split('\n')
        .filter(line => line === 'EOF'),
    ).toHaveLength(1);
  },
);
