import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {
  bindingName,
  externalClientValues,
  leastRole,
  roleBinding,
  roleDefinition,
} from '../../platform/role-binding.ts';
import {comment, type KitFile} from './kit-file.ts';

/** A group of the identity provider, and the role that it gets; without one, that of who builds services. */
export type Group = {readonly name: string; readonly role?: string};

/** The claim of a token by which people’s roles are bound, as every release is installed. */
const GROUPS_CLAIM = 'groups';

type About = {
  readonly platform: Platform;
  /** The control plane's release, where it tells. */
  readonly release?: string;
  readonly client: {readonly clientId: string; readonly scopes: readonly string[]};
  readonly groups: readonly Group[];
};

/**
 * What the operators of the platform apply: the values that name the client of people, and role bindings for groups where
 * the release has roles.
 *
 * @throws SetupError `input-invalid` where two groups lead to a binding of one name
 */
export const platformFiles = ({platform, release, client, groups}: About): readonly KitFile[] => {
  const {roles} = releaseOf(platform, release);
  const values: KitFile = {
    path: 'platform/helm-values.yaml',
    text: `${comment(
      'The client with which people sign in, for the Helm release of the control plane.',
      'This replaces the whole list of external clients. Add your other clients to it.',
      `helm upgrade ${platform.cluster.release} CHART -n ${platform.cluster.namespace} --reuse-values -f helm-values.yaml`,
    )}${externalClientValues(platform, client)}`,
    does: 'Tells the control plane which client people sign in with.',
    checked:
      'Rendered by Helm with the charts of releases 0.14 and 1.2: the client is in the control plane’s configuration.',
  };
  if (!roles) return [values];
  const usual = leastRole(platform, release)?.name ?? roles.brings.at(-1) ?? '';
  const bindings = groups.map(({name, role = usual}) => ({
    role,
    group: name,
    name: bindingName(name, role),
    text: roleBinding(platform, release, {claim: GROUPS_CLAIM, value: name}, {role}) ?? '',
  }));
  refuseSameNames(bindings);
  const definitions = [...new Set(bindings.map(({role}) => role))].flatMap(
    role => roleDefinition(platform, release, role) ?? [],
  );
  const text = `${comment(
    `Gives groups of the identity provider a role, by the claim “${GROUPS_CLAIM}” in their members’ tokens.`,
    'kubectl apply -f role-bindings.yaml',
  )}${[...definitions, ...bindings.map(one => one.text)].join('---\n')}`;
  const bound: KitFile = {
    path: 'platform/role-bindings.yaml',
    text,
    does: `Gives ${groups.map(({name}) => `“${name}”`).join(', ')} a role on the platform.`,
    checked:
      roles.form === 'role-mappings'
        ? 'Accepted by the resource definitions of releases 1.0 to 1.2. Bindings of this form took effect on 1.0 and 1.2.'
        : 'Taken from the charts and resource definitions of releases 0.15 to 0.17; not tried.',
  };
  return [values, bound];
};

const refuseSameNames = (bindings: readonly {readonly group: string; readonly name: string}[]) => {
  const named = new Map<string, string>();
  for (const {group, name} of bindings) {
    const other = named.get(name);
    if (other !== undefined) {
      throw new SetupError(
        'input-invalid',
        `The groups ${other} and ${group} would get role bindings with the same name.`,
        {
          remedy: 'Export the kit with one of them, and add the binding of the other group by hand.',
          about: {flag: 'groups'},
        },
      );
    }
    named.set(name, group);
  }
};
