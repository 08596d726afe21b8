import type {Platform} from './platform.ts';
import {releaseOf} from './recognise.ts';

/** Whom a role is bound to: the claim of a token that counts, and its value there. */
export type Entitlement = {readonly claim: string; readonly value: string};

/** The role, the one that may do everything unless it is said, and what it is bound for: by default the whole platform. */
export type RoleScope = {readonly namespace?: string; readonly project?: string; readonly role?: string};

/**
 * The resource that gives an account a role, in the form of the release, as YAML for `kubectl apply`. Undefined where the
 * release has no roles.
 */
export const roleBinding = (
  platform: Platform,
  version: string | undefined,
  {claim, value}: Entitlement,
  {namespace, project, role: wanted}: RoleScope = {},
): string | undefined => {
  const {roles} = releaseOf(platform, version);
  if (!roles) return undefined;
  const name = wanted ?? roles.role;
  // An early release binds for everything only.
  const kind = namespace === undefined ? undefined : roles.projectKind;
  // A key a line: they fit into a narrow terminal.
  const role = (indent: string) => [
    `roleRef:`,
    `${indent}  kind: ${roles.roleKind}`,
    `${indent}  name: ${quoted(name)}`,
  ];
  const [first = '', ...rest] = role('      ');
  const mapping = [
    '  roleMappings:',
    `    - ${first}`,
    ...rest,
    ...(kind && project !== undefined ? ['      scope:', `        project: ${quoted(project)}`] : []),
  ];
  return [
    `apiVersion: ${roles.apiVersion}`,
    `kind: ${kind ?? roles.kind}`,
    'metadata:',
    `  name: ${bindingName(value, name)}`,
    ...(kind && namespace !== undefined ? [`  namespace: ${quoted(namespace)}`] : []),
    'spec:',
    '  entitlement:',
    `    claim: ${quoted(claim)}`,
    `    value: ${quoted(value)}`,
    ...(roles.form === 'role-ref' ? role('  ').map((line, at) => (at === 0 ? `  ${line}` : line)) : mapping),
    '  effect: allow',
    '',
  ].join('\n');
};

/** The command line that applies it, whole, to be copied. */
export const applyCommand = (manifest: string): string => `kubectl apply -f - <<'EOF'\n${manifest}EOF`;

/** A JSON string is a YAML string, whatever is in it. */
const quoted = (text: string) =>
  /^[a-z][\w-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);

/** A name as Kubernetes wants it (RFC 1123): what the account is called, as far as that can be said. */
export const bindingName = (value: string, role: string): string => {
  const plain = value
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '');
  return `${plain === '' ? 'account' : plain}-${role}`;
};
