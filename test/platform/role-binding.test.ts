import {describe, expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {bundled, openchoreo, platforms} from '../../src/platform/platforms.ts';
import {releaseOf} from '../../src/platform/recognise.ts';
import {
  actionsOf,
  applyCommand,
  externalClientValues,
  leastRole,
  roleBinding,
  roleManifest,
  rolesOf,
} from '../../src/platform/role-binding.ts';
import {releases} from '../../src/sandbox/releases/releases.ts';

const client = {claim: 'sub', value: 'mcp_client'};
const read = (text: string | undefined) => parse(text ?? '');

test('from 1.0 on: a list of mappings', () => {
  expect(read(roleBinding(openchoreo, '1.2.3', client))).toEqual({
    apiVersion: 'openchoreo.dev/v1alpha1',
    kind: 'ClusterAuthzRoleBinding',
    metadata: {name: 'mcp-client-developer'},
    spec: {
      entitlement: {claim: 'sub', value: 'mcp_client'},
      roleMappings: [{roleRef: {kind: 'ClusterAuthzRole', name: 'developer'}}],
      effect: 'allow',
    },
  });
});

test('for one project: in its namespace, with a scope', () => {
  const scope = {namespace: 'default', project: 'shop'};
  expect(read(roleBinding(openchoreo, '1.0.0', {claim: 'groups', value: 'developers'}, scope))).toMatchObject({
    kind: 'AuthzRoleBinding',
    metadata: {name: 'developers-developer', namespace: 'default'},
    spec: {
      roleMappings: [
        {roleRef: {name: 'developer'}, scope: {project: 'shop'}},
        // A role in the namespace does not count for the project.
        {roleRef: {kind: 'ClusterAuthzRole', name: 'namespace-reader'}},
      ],
    },
  });
});

test('0.15 to 0.17: one role in each, made first', () => {
  const scope = {namespace: 'default', project: 'shop', role: 'developer'};
  const [role, binding] = parseAllDocuments(roleManifest(openchoreo, '0.16.0', client, scope) ?? '');
  expect(role?.toJS()).toMatchObject({
    kind: 'AuthzClusterRole',
    metadata: {name: 'developer'},
    spec: {actions: expect.arrayContaining(['component:*', 'logs:view'])},
  });
  expect(binding?.toJS()).toEqual({
    apiVersion: 'openchoreo.dev/v1alpha1',
    kind: 'AuthzRoleBinding',
    metadata: {name: 'mcp-client-developer', namespace: 'default'},
    spec: {
      entitlement: {claim: 'sub', value: 'mcp_client'},
      roleRef: {kind: 'AuthzClusterRole', name: 'developer'},
      targetPath: {project: 'shop'},
      effect: 'allow',
    },
  });
  const everywhere = roleManifest(openchoreo, '0.16.0', client, {role: 'super-admin'});
  expect(read(everywhere)).toMatchObject({kind: 'AuthzClusterRoleBinding', spec: {roleRef: {name: 'super-admin'}}});
});

describe.each(platforms)('the roles of $id', platform => {
  const withRoles = platform.releases.filter(({roles}) => roles);

  test.each(withRoles.map(({line}) => line))(
    'of %s are known in words, and none that is proposed gives roles',
    line => {
      const roles = releaseOf(platform, line).roles;
      expect(rolesOf(platform, line).map(({name}) => name)).toEqual(roles?.brings);
      for (const purpose of ['look', 'build', 'run'] as const) {
        const {name = '', for: served} = leastRole(platform, line, purpose) ?? {};
        expect(served).toBe(purpose);
        expect(name).not.toMatch(/admin/);
        expect(actionsOf(name, line).join()).not.toMatch(/role/);
      }
    },
  );

  test.each(['0.15', '0.16', '0.17', '1.0', '1.2', 'next'] as const)(
    'that are made on %s allow what there is',
    name => {
      const known = releases[name].authorization?.roles;
      const line = name === 'next' ? '1.3' : name;
      const made = releaseOf(platform, line).roles?.makes ?? [];
      const allowed = made.flatMap(role => actionsOf(role, line));
      for (const role of made) expect(actionsOf(role, line).length, role).toBeGreaterThan(0);
      for (const action of allowed) {
        const isKnown = known?.actions.some(one => one === action || one.startsWith(action.replace(/\*$/, '')));
        expect(isKnown, action).toBe(true);
      }
      expect(known?.actions).toContain(releaseOf(platform, line).roles?.everything);
    },
  );

  test.each(withRoles.map(({line}) => line))('for looking on %s change nothing, and show projects and logs', line => {
    const {name = '', with: others = []} = leastRole(platform, line, 'look') ?? {};
    const actions = actionsOf(name, line);
    expect(actions.filter(action => !action.endsWith(':view'))).toEqual([]);
    for (const action of ['project:view', 'component:view', 'logs:view']) expect(actions).toContain(action);
    const brings = releaseOf(platform, line).roles?.brings ?? [];
    const bound = parseAllDocuments(roleManifest(platform, line, client, {role: name}) ?? '').map(one => one.toJS());
    const [role, binding] = bound;
    expect(role).toMatchObject({metadata: {name}, spec: {actions}});
    const {roleMappings = [], roleRef} = binding.spec;
    const named = roleRef ? [roleRef.name] : roleMappings.map((one: {roleRef: {name: string}}) => one.roleRef.name);
    expect(named).toEqual([name, ...others.filter(one => brings.includes(one))]);
  });

  test.each(['1.0', '1.2', 'next'] as const)('that %s comes with are those of its charts', name => {
    const line = name === 'next' ? '1.3' : name;
    const known = releases[name].authorization?.roles;
    expect(releaseOf(platform, line).roles?.brings.toSorted()).toEqual(Object.keys(known?.roles ?? {}).toSorted());
    expect(known?.actions).toContain(releaseOf(platform, line).roles?.everything);
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
    // Nothing in it ends the here-document.
    expect(
      applyCommand(manifest)
        .split('\n')
        .filter(line => line === 'EOF'),
    ).toHaveLength(1);
  },
);

test.each(['my-cli', 'a: b # c', '"quoted"', '0123', 'yes'])(
  'the client ID “%s” comes through YAML as it is',
  clientId => {
    expect(parse(externalClientValues(bundled, {clientId, scopes: ['openid', 'profile', 'email']}))).toEqual({
      security: {oidc: {externalClients: [{name: 'cli', client_id: clientId, scopes: ['openid', 'profile', 'email']}]}},
    });
  },
);
