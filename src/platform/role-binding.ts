import type {Platform, Release} from './platform.ts';
import {releaseOf} from './recognise.ts';

/** Whom a role is bound to: the claim of a token that counts, and its value there. */
export type Entitlement = {
  readonly claim: string;
  readonly value: string;
  /** What the account is called, where the value is an ID that tells nobody anything. */
  readonly called?: string;
};

/** What somebody needs a role for: building services, or running the platform. */
export type Purpose = 'build' | 'run';

/** A role that somebody may be given, in words. */
export type KnownRole = Platform['roles'][number];

/** The role, and what it is bound for: by default the whole platform. */
export type RoleScope = {readonly namespace?: string; readonly project?: string; readonly role?: string};

type Roles = NonNullable<Release['roles']>;

/**
 * The least role that serves a purpose on a release: one that it comes with, or one that is made where its own allow too
 * much. Undefined where the release has no roles.
 */
export const leastRole = (
  platform: Platform,
  version: string | undefined,
  purpose: Purpose = 'build',
): KnownRole | undefined => {
  const {roles} = releaseOf(platform, version);
  return roles && (fitting(platform, roles, purpose) ?? fitting(platform, roles, 'build'));
};

const fitting = (platform: Platform, roles: Roles, purpose: Purpose) =>
  platform.roles.find(one => one.for === purpose && (roles.brings.includes(one.name) || roles.makes?.[one.name]));

/** The roles that a release comes with, in words, those that allow less first. */
export const rolesOf = (platform: Platform, version: string | undefined): readonly KnownRole[] => {
  const {brings = []} = releaseOf(platform, version).roles ?? {};
  return platform.roles.filter(({name}) => brings.includes(name));
};

/**
 * The resource that defines a role which the release does not come with, as YAML. Undefined for one that it comes with, or
 * that nobody knows.
 */
export const roleDefinition = (platform: Platform, version: string | undefined, role: string): string | undefined => {
  const {roles} = releaseOf(platform, version);
  const actions = roles?.brings.includes(role) ? undefined : roles?.makes?.[role];
  if (!roles || !actions) return undefined;
  return [
    `apiVersion: ${roles.apiVersion}`,
    `kind: ${roles.roleKind}`,
    'metadata:',
    `  name: ${role}`,
    'spec:',
    '  actions:',
    ...actions.map(one => `    - ${one}`),
    '',
  ].join('\n');
};

/**
 * The resource that gives an account a role, in the form of the release, as YAML for `kubectl apply`: by default the least
 * one for building services. Undefined where the release has no roles.
 */
export const roleBinding = (
  platform: Platform,
  version: string | undefined,
  {claim, value, called = value}: Entitlement,
  {namespace, project, role: wanted}: RoleScope = {},
): string | undefined => {
  const {roles} = releaseOf(platform, version);
  if (!roles) return undefined;
  const name = wanted ?? leastRole(platform, version)?.name ?? roles.brings.at(-1) ?? '';
  const kind = namespace === undefined ? undefined : roles.projectKind;
  const target = kind && project !== undefined ? {project} : {};
  const besides = target.project === undefined ? undefined : besidesOf(platform, roles, name);
  return [
    `apiVersion: ${roles.apiVersion}`,
    `kind: ${kind ?? roles.kind}`,
    'metadata:',
    `  name: ${bindingName(called, name)}`,
    ...(kind && namespace !== undefined ? [`  namespace: ${quoted(namespace)}`] : []),
    'spec:',
    '  entitlement:',
    `    claim: ${quoted(claim)}`,
    `    value: ${quoted(value)}`,
    ...(roles.form === 'role-ref'
      ? [...roleRef(roles, name, '  '), ...scoped('targetPath', target, '  ')]
      : [
          '  roleMappings:',
          ...mapping([...roleRef(roles, name, ''), ...scoped('scope', target, '')]),
          ...(besides === undefined ? [] : mapping(roleRef(roles, besides, ''))),
        ]),
    '  effect: allow',
    '',
  ].join('\n');
};

/** The role that a project's needs beside it, where the release has it. */
const besidesOf = (platform: Platform, {brings}: Roles, name: string): string | undefined => {
  const besides = platform.roles.find(one => one.name === name)?.besides;
  return besides !== undefined && brings.includes(besides) ? besides : undefined;
};

/** A key a line: they fit into a narrow terminal. */
const roleRef = ({roleKind}: Roles, name: string, indent: string): readonly string[] => [
  `${indent}roleRef:`,
  `${indent}  kind: ${roleKind}`,
  `${indent}  name: ${quoted(name)}`,
];

const scoped = (key: string, {project}: {readonly project?: string}, indent: string): readonly string[] =>
  project === undefined ? [] : [`${indent}${key}:`, `${indent}  project: ${quoted(project)}`];

/** One of a list. */
const mapping = (lines: readonly string[]): readonly string[] =>
  lines.map((line, at) => `${at === 0 ? '    - ' : '      '}${line}`);

/**
 * What an administrator applies to give an account a role: its binding, after the role itself where the release does not
 * come with it. Undefined where the release has no roles.
 */
export const roleManifest = (
  platform: Platform,
  version: string | undefined,
  entitlement: Entitlement,
  scope: RoleScope & {readonly role: string},
): string | undefined => {
  const binding = roleBinding(platform, version, entitlement, scope);
  const definition = roleDefinition(platform, version, scope.role);
  return binding && definition ? `${definition}---\n${binding}` : binding;
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

export type ExternalClient = {readonly clientId: string; readonly scopes: readonly string[]};

/**
 * The control plane values that register a CLI client of an external identity provider (platform access 2.4 and 5.4), as
 * YAML to be given to Helm.
 */
export const externalClientValues = ({cliClient}: Platform, {clientId, scopes}: ExternalClient): string =>
  [
    'security:',
    '  oidc:',
    '    externalClients:',
    `      - name: ${cliClient.name}`,
    // A JSON string is a YAML string, whatever is in it.
    `        client_id: ${JSON.stringify(clientId)}`,
    '        scopes:',
    ...scopes.map(scope => `          - ${JSON.stringify(scope)}`),
    '',
  ].join('\n');

/** What the client has to be at the identity provider, before the values are of use (platform access 5.4). */
export const externalClientRequirements = ({callbackUrl}: Platform): readonly string[] => [
  'a public client, without a secret',
  'grant types authorization_code and refresh_token',
  'PKCE with S256',
  `the redirect URL ${callbackUrl}`,
  'access tokens as JWTs, not opaque ones',
];
